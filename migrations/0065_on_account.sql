CREATE TABLE "account_orders" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "account_orders_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"company_id" uuid NOT NULL,
	"due_days" smallint NOT NULL,
	"limit_cents" integer NOT NULL,
	"owed_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	CONSTRAINT "account_orders_limit" CHECK ("account_orders"."owed_cents"::bigint + "account_orders"."total_cents" <= "account_orders"."limit_cents")
);
--> statement-breakpoint
CREATE TABLE "company_credits" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"limit_cents" integer NOT NULL,
	"due_days" smallint NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "company_credits_limit" CHECK ("company_credits"."limit_cents" between 0 and 1000000000),
	CONSTRAINT "company_credits_due_days" CHECK ("company_credits"."due_days" between 1 and 90)
);
--> statement-breakpoint
CREATE TABLE "credit_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "credit_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"company_id" uuid NOT NULL,
	"limit_cents" integer NOT NULL,
	"due_days" smallint NOT NULL,
	"note" text NOT NULL,
	"user_id" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reminder_lines" (
	"reminder_id" uuid NOT NULL,
	"shipment_id" uuid NOT NULL,
	"level" smallint NOT NULL,
	CONSTRAINT "reminder_lines_reminder_id_shipment_id_pk" PRIMARY KEY("reminder_id","shipment_id"),
	CONSTRAINT "reminder_lines_level" CHECK ("reminder_lines"."level" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "reminder_settings" (
	"single_row" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"days_after_due" smallint NOT NULL,
	CONSTRAINT "reminder_settings_single_row" CHECK ("reminder_settings"."single_row" = 1),
	CONSTRAINT "reminder_settings_days" CHECK ("reminder_settings"."days_after_due" between 1 and 90)
);
--> statement-breakpoint
CREATE TABLE "reminders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" uuid NOT NULL,
	"level" smallint NOT NULL,
	"sent_by" text,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"mail_due_at" timestamp with time zone DEFAULT now(),
	"mail_tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "reminders_level" CHECK ("reminders"."level" between 1 and 3)
);
--> statement-breakpoint
-- The column is computed in another way, so what depends on it is made anew.
DROP TRIGGER "orders_announce_reviews" ON "orders";--> statement-breakpoint
DROP TRIGGER "adopted_orders_announce_reviews" ON "orders";--> statement-breakpoint
DROP TRIGGER "order_asks_for_invoice" ON "orders";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "is_paid";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_paid" boolean GENERATED ALWAYS AS (order_status in ('placed', 'completed') and (payment_status in ('partly_paid', 'paid', 'overpaid', 'partly_refunded') or payment_method = 'on_account' and payment_status = 'unpaid')) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_paid_of_buyer" ON "orders" USING btree ("buyer_id") WHERE "orders"."is_paid";--> statement-breakpoint
CREATE TRIGGER "orders_announce_reviews" AFTER UPDATE OF "order_status", "payment_status" ON "orders" FOR EACH ROW
	WHEN (OLD.is_paid IS DISTINCT FROM NEW.is_paid)
	EXECUTE FUNCTION announce_reviews_of_buyer();--> statement-breakpoint
CREATE TRIGGER "adopted_orders_announce_reviews" AFTER UPDATE OF "buyer_id" ON "orders" FOR EACH ROW
	WHEN (NEW.is_paid AND OLD.buyer_id IS DISTINCT FROM NEW.buyer_id) EXECUTE FUNCTION announce_reviews_of_buyer();--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "payment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "shipment_id" uuid;--> statement-breakpoint
ALTER TABLE "due_documents" ADD COLUMN "shipment_id" uuid;--> statement-breakpoint
ALTER TABLE "shipment_lines" ADD COLUMN "charged_cents" integer;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "delivery_cents" integer;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "due_on" date;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD COLUMN "not_invoiced_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account_orders" ADD CONSTRAINT "account_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_orders" ADD CONSTRAINT "account_orders_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_credits" ADD CONSTRAINT "company_credits_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_changes" ADD CONSTRAINT "credit_changes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_changes" ADD CONSTRAINT "credit_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_lines" ADD CONSTRAINT "reminder_lines_reminder_id_reminders_id_fk" FOREIGN KEY ("reminder_id") REFERENCES "public"."reminders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_lines" ADD CONSTRAINT "reminder_lines_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_sent_by_users_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_orders_of_company" ON "account_orders" USING btree ("company_id","place");--> statement-breakpoint
CREATE INDEX "credit_changes_of_company" ON "credit_changes" USING btree ("company_id","id");--> statement-breakpoint
CREATE INDEX "reminder_lines_of_shipment" ON "reminder_lines" USING btree ("shipment_id");--> statement-breakpoint
CREATE INDEX "reminders_of_company" ON "reminders" USING btree ("company_id","recorded_at");--> statement-breakpoint
CREATE INDEX "reminders_due" ON "reminders" USING btree ("mail_due_at") WHERE "reminders"."mail_due_at" is not null;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "due_documents" ADD CONSTRAINT "due_documents_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_owing" ON "orders" USING btree ("company_id") WHERE "orders"."payment_method" = 'on_account' and "orders"."payment_status" in ('unpaid', 'partly_paid');--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_of_shipment" UNIQUE("shipment_id");--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_not_invoiced" CHECK ("refund_lines"."not_invoiced_cents" between 0 and "refund_lines"."amount_cents");