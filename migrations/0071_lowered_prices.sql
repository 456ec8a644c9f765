ALTER TABLE "tools" ADD COLUMN "lowered_from_cents" integer;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "lowered_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "product_history_of_prices" ON "product_history" USING btree ("tool_id","at") WHERE "product_history"."field" = 'price';--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_lowered" CHECK (("tools"."lowered_at" is null) = ("tools"."lowered_from_cents" is null) and coalesce("tools"."lowered_from_cents" > "tools"."price_cents", true));