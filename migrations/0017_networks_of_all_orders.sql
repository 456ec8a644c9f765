ALTER TABLE "orders" ADD COLUMN "placed_from_network" text;--> statement-breakpoint
CREATE INDEX "orders_placed_from_network" ON "orders" USING btree ("placed_from_network") WHERE "orders"."placed_from_network" is not null;--> statement-breakpoint
-- Ended orders have no payment to open or to cancel.
UPDATE "orders" SET "placed_from_network" = "network" WHERE "network" IS NOT NULL AND "state" = 'open';
