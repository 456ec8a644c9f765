ALTER TABLE "owner_notices" ADD COLUMN "detail" text;--> statement-breakpoint
CREATE INDEX "tools_removed" ON "tools" USING btree ("removed_at") WHERE "tools"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_by_admins" ON "refunds" USING btree ("asked_at") WHERE "refunds"."actor" = 'admin';