ALTER TABLE "refunds" DROP CONSTRAINT "refunds_amount";--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "tracking_event_id" bigint;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "taken_back_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_tracking_event_id_order_history_id_fk" FOREIGN KEY ("tracking_event_id") REFERENCES "public"."order_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_by_tracking_event" ON "shipments" USING btree ("tracking_event_id");--> statement-breakpoint
CREATE INDEX "shipments_by_time" ON "shipments" USING btree ("sent_at");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_cents" >= 1 or ("refunds"."amount_cents" = 0 and "refunds"."state" = 'succeeded' and "refunds"."refund_id" is null));