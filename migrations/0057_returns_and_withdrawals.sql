CREATE TABLE "return_decisions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "return_decisions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"return_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"outcome" text NOT NULL,
	"has_arrived" boolean DEFAULT true NOT NULL,
	"is_restocked" boolean DEFAULT false NOT NULL,
	"reason" text,
	"refund_id" uuid,
	"event_id" bigint NOT NULL,
	CONSTRAINT "return_decisions_quantity" CHECK ("return_decisions"."quantity" >= 1),
	CONSTRAINT "return_decisions_refused" CHECK (("return_decisions"."outcome" = 'refused') = ("return_decisions"."reason" is not null)),
	CONSTRAINT "return_decisions_arrived" CHECK ("return_decisions"."has_arrived" or "return_decisions"."outcome" = 'refused'),
	CONSTRAINT "return_decisions_restocked" CHECK (not "return_decisions"."is_restocked" or "return_decisions"."outcome" in ('refund', 'replacement')),
	CONSTRAINT "return_decisions_refund" CHECK ("return_decisions"."refund_id" is null or "return_decisions"."outcome" = 'refund')
);
--> statement-breakpoint
CREATE TABLE "return_lines" (
	"return_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"reason" text,
	"arrived" integer DEFAULT 0 NOT NULL,
	"turned_down" integer DEFAULT 0 NOT NULL,
	"resent" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "return_lines_return_id_order_line_id_pk" PRIMARY KEY("return_id","order_line_id"),
	CONSTRAINT "return_lines_quantity" CHECK ("return_lines"."quantity" >= 1),
	CONSTRAINT "return_lines_arrived" CHECK ("return_lines"."arrived" >= 0 and "return_lines"."turned_down" >= 0 and "return_lines"."arrived" + "return_lines"."turned_down" <= "return_lines"."quantity"),
	CONSTRAINT "return_lines_resent" CHECK ("return_lines"."resent" between 0 and "return_lines"."arrived")
);
--> statement-breakpoint
CREATE TABLE "returns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "returns_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1001 CACHE 1),
	"order_id" uuid NOT NULL,
	"cause" text DEFAULT 'asked' NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"note" text,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"money_due_on" date,
	"event_id" bigint,
	"request_key" text,
	"request_hash" text,
	CONSTRAINT "returns_number_unique" UNIQUE("number"),
	CONSTRAINT "returns_request" CHECK (("returns"."request_key" is null) = ("returns"."request_hash" is null)),
	CONSTRAINT "returns_money_due" CHECK ("returns"."money_due_on" is null or "returns"."cause" = 'withdrawal')
);
--> statement-breakpoint
CREATE TABLE "withdrawal_lines" (
	"withdrawal_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"sent" integer NOT NULL,
	CONSTRAINT "withdrawal_lines_withdrawal_id_order_line_id_pk" PRIMARY KEY("withdrawal_id","order_line_id"),
	CONSTRAINT "withdrawal_lines_quantity" CHECK ("withdrawal_lines"."quantity" >= 1 and "withdrawal_lines"."sent" between 0 and "withdrawal_lines"."quantity")
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"delivery_cents" integer NOT NULL,
	"event_id" bigint NOT NULL,
	"refund_id" uuid,
	"return_id" uuid,
	CONSTRAINT "withdrawals_delivery" CHECK ("withdrawals"."delivery_cents" >= 0),
	CONSTRAINT "withdrawals_named" CHECK (length("withdrawals"."name") between 1 and 80 and length("withdrawals"."email") between 3 and 254)
);
--> statement-breakpoint
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_returned";--> statement-breakpoint
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_restocked";--> statement-breakpoint
ALTER TABLE "delivery_settings" ADD COLUMN "assumed_delivery_days" smallint DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "delivery_settings" ADD COLUMN "assumed_delivery_days_abroad" smallint DEFAULT 21 NOT NULL;--> statement-breakpoint
ALTER TABLE "delivery_settings" ADD COLUMN "withdrawal_everywhere" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "delivered_on" date;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "delivered_said_by" text;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "return_id" uuid;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "resent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "replaced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "returned_restocked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD COLUMN "returned" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "return_decisions" ADD CONSTRAINT "return_decisions_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_decisions" ADD CONSTRAINT "return_decisions_event_id_order_history_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."order_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_decisions" ADD CONSTRAINT "return_decisions_line" FOREIGN KEY ("return_id","order_line_id") REFERENCES "public"."return_lines"("return_id","order_line_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_event_id_order_history_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."order_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_lines" ADD CONSTRAINT "withdrawal_lines_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_lines" ADD CONSTRAINT "withdrawal_lines_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_event_id_order_history_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."order_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "return_decisions_of_line" ON "return_decisions" USING btree ("return_id","order_line_id");--> statement-breakpoint
CREATE INDEX "return_decisions_by_event" ON "return_decisions" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "return_decisions_of_refund" ON "return_decisions" USING btree ("refund_id") WHERE "return_decisions"."refund_id" is not null;--> statement-breakpoint
CREATE INDEX "return_lines_of_order_line" ON "return_lines" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "returns_of_order" ON "returns" USING btree ("order_id","number");--> statement-breakpoint
CREATE INDEX "returns_open" ON "returns" USING btree ("number") WHERE "returns"."status" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "returns_by_event" ON "returns" USING btree ("event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "returns_by_request" ON "returns" USING btree ("order_id","request_key");--> statement-breakpoint
CREATE INDEX "withdrawal_lines_of_order_line" ON "withdrawal_lines" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "withdrawals_of_order" ON "withdrawals" USING btree ("order_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_by_event" ON "withdrawals" USING btree ("event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_by_return" ON "withdrawals" USING btree ("return_id");--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipments_of_return" ON "shipments" USING btree ("return_id") WHERE "shipments"."return_id" is not null;--> statement-breakpoint
CREATE INDEX "shipments_on_their_way" ON "shipments" USING btree ("sent_at") WHERE "shipments"."delivered_on" is null;--> statement-breakpoint
ALTER TABLE "delivery_settings" ADD CONSTRAINT "delivery_settings_assumed_days" CHECK ("delivery_settings"."assumed_delivery_days" between 1 and 90 and "delivery_settings"."assumed_delivery_days_abroad" between 1 and 90);--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_delivered" CHECK (("shipments"."delivered_on" is null) = ("shipments"."delivered_said_by" is null));--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_sent_again" CHECK ("order_lines"."resent" between 0 and "order_lines"."returned" and "order_lines"."replaced" between 0 and "order_lines"."returned");--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_returned_restocked" CHECK ("order_lines"."returned_restocked" between 0 and least("order_lines"."restocked", "order_lines"."returned"));--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_returned" CHECK ("order_lines"."returned" between 0 and "order_lines"."sent" + "order_lines"."resent");--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_restocked" CHECK ("order_lines"."restocked" between 0 and "order_lines"."quantity" + "order_lines"."replaced");--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_returned" CHECK ("refund_lines"."returned" between 0 and "refund_lines"."pieces");