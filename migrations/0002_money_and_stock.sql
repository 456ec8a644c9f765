CREATE TABLE "stock_movements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stock_movements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tool_id" uuid NOT NULL,
	"pieces" integer NOT NULL,
	"reason" text NOT NULL,
	"order_id" uuid,
	"user_id" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_movements_pieces" CHECK ("stock_movements"."pieces" <> 0),
	CONSTRAINT "stock_movements_order" CHECK (("stock_movements"."reason" in ('order', 'release', 'restock')) = ("stock_movements"."order_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "order_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"event" text NOT NULL,
	"state" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"user_id" text,
	"note" text,
	"amount_cents" integer,
	"mail_due_at" timestamp with time zone,
	"mail_tries" integer DEFAULT 0 NOT NULL,
	"mailed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "order_steps" (
	"from_state" text NOT NULL,
	"to_state" text NOT NULL,
	CONSTRAINT "order_steps_from_state_to_state_pk" PRIMARY KEY("from_state","to_state")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"refund_id" text,
	"amount_cents" integer NOT NULL,
	"restock" integer NOT NULL,
	"ends_as" text NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"actor" text NOT NULL,
	"user_id" text,
	"note" text,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_refund_id_unique" UNIQUE("refund_id"),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_cents" >= 1),
	CONSTRAINT "refunds_restock" CHECK ("refunds"."restock" >= 0)
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"object" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"worked_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"trouble" text
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "state" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "hold_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "restocked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "checking_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "card" text;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_history" ADD CONSTRAINT "order_history_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_history" ADD CONSTRAINT "order_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stock_movements_of_tool" ON "stock_movements" USING btree ("tool_id");--> statement-breakpoint
CREATE INDEX "order_history_of_order" ON "order_history" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "order_history_by_mail" ON "order_history" USING btree ("mail_due_at") WHERE "order_history"."mail_due_at" is not null;--> statement-breakpoint
CREATE INDEX "order_history_of_declines" ON "order_history" USING btree ("at") WHERE "order_history"."event" = 'card declined';--> statement-breakpoint
CREATE INDEX "refunds_of_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_of_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("next_try_at") WHERE "refunds"."state" in ('asked', 'pending');--> statement-breakpoint
CREATE INDEX "webhook_events_due" ON "webhook_events" USING btree ("next_try_at") WHERE "webhook_events"."worked_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_hold" ON "orders" USING btree ("hold_until") WHERE "orders"."state" = 'open';--> statement-breakpoint
CREATE INDEX "payments_in_question" ON "payments" USING btree ("checking_since") WHERE "payments"."checking_since" is not null;--> statement-breakpoint
-- What was sold before there were states: a payment that succeeded makes an order paid, the others are held for a day from now on.
UPDATE "orders" SET "state" = 'paid' FROM "payments" WHERE "payments"."id" = "orders"."payment_id" AND "payments"."state" = 'succeeded';--> statement-breakpoint
UPDATE "orders" SET "hold_until" = CASE WHEN "state" = 'open' THEN now() ELSE "placed_at" END + interval '24 hours';--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "hold_until" SET NOT NULL;--> statement-breakpoint
INSERT INTO "order_history" ("order_id", "event", "state", "at", "actor", "user_id") SELECT "id", 'placed', 'open', "placed_at", 'buyer', "buyer_id" FROM "orders" ORDER BY "number";--> statement-breakpoint
INSERT INTO "order_history" ("order_id", "event", "state", "at", "actor") SELECT "orders"."id", 'paid', 'paid', coalesce("settled_at", "placed_at"), 'card provider' FROM "orders" JOIN "payments" ON "payments"."id" = "orders"."payment_id" WHERE "orders"."state" = 'paid' ORDER BY "number";--> statement-breakpoint
INSERT INTO "stock_movements" ("tool_id", "pieces", "reason", "at") SELECT "tools"."id", "available_quantity" + coalesce(sum("product_quantity"), 0), 'initial', "created_at" FROM "tools" LEFT JOIN "orders" ON "orders"."tool_id" = "tools"."id" GROUP BY "tools"."id" HAVING "available_quantity" + coalesce(sum("product_quantity"), 0) <> 0;--> statement-breakpoint
INSERT INTO "stock_movements" ("tool_id", "pieces", "reason", "order_id", "at") SELECT "tool_id", -"product_quantity", 'order', "id", "placed_at" FROM "orders" ORDER BY "number";--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_restocked" CHECK ("orders"."restocked" between 0 and "orders"."product_quantity");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_refunded" CHECK ("payments"."refunded_cents" between 0 and "payments"."amount_cents");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_refunded_when_taken" CHECK ("payments"."refunded_cents" = 0 or "payments"."state" = 'succeeded');--> statement-breakpoint
INSERT INTO "order_steps" ("from_state", "to_state") VALUES
	('open', 'paid'), ('open', 'expired'), ('open', 'cancelled'),
	('paid', 'packed'), ('paid', 'cancelled'), ('paid', 'refunded'),
	('packed', 'shipped'), ('packed', 'cancelled'), ('packed', 'refunded'),
	('shipped', 'refunded'),
	('expired', 'paid'), ('cancelled', 'paid'), ('refunded', 'paid');--> statement-breakpoint
CREATE FUNCTION "order_step"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' AND NEW.state <> 'open' THEN
		RAISE EXCEPTION 'an order begins open, not %', NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'order_step';
	END IF;
	IF TG_OP = 'UPDATE' AND NOT EXISTS (SELECT FROM order_steps WHERE from_state = OLD.state AND to_state = NEW.state) THEN
		RAISE EXCEPTION 'an order does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'order_step';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "order_begins" BEFORE INSERT ON "orders" FOR EACH ROW WHEN (NEW.state <> 'open') EXECUTE FUNCTION "order_step"();--> statement-breakpoint
CREATE TRIGGER "order_step" BEFORE UPDATE OF "state" ON "orders" FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION "order_step"();
