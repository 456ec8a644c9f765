ALTER TABLE "delivery_settings" ADD COLUMN "assumed_delivery_days" smallint DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "delivery_settings" ADD COLUMN "assumed_delivery_days_abroad" smallint DEFAULT 21 NOT NULL;--> statement-breakpoint
ALTER TABLE "delivery_settings" ADD COLUMN "withdrawal_everywhere" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "delivered_on" date;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "delivered_said_by" text;--> statement-breakpoint
CREATE INDEX "shipments_on_their_way" ON "shipments" USING btree ("sent_at") WHERE "shipments"."delivered_on" is null;--> statement-breakpoint
ALTER TABLE "delivery_settings" ADD CONSTRAINT "delivery_settings_assumed_days" CHECK ("delivery_settings"."assumed_delivery_days" between 1 and 90 and "delivery_settings"."assumed_delivery_days_abroad" between 1 and 90);--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_delivered" CHECK (("shipments"."delivered_on" is null) = ("shipments"."delivered_said_by" is null));