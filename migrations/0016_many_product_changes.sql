ALTER TABLE "owner_notices" ADD COLUMN "extent" integer;--> statement-breakpoint
CREATE INDEX "owner_notices_about" ON "owner_notices" USING btree ("about_email","at");--> statement-breakpoint
UPDATE "owner_notices" SET "event" = 'many product changes', "detail" = replace("detail", ' products', ' changes of products') WHERE "event" = 'large import';
