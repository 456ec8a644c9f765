ALTER TABLE "orders" ADD COLUMN "brand" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "mpn" text;--> statement-breakpoint
-- what was ordered before takes them from the catalogue as it is now: nothing older is known
UPDATE "orders" SET "brand" = "tools"."brand", "mpn" = "tools"."mpn" FROM "tools" WHERE "tools"."id" = "orders"."tool_id";
