CREATE TABLE "order_lines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"tool_id" uuid NOT NULL,
	"product_name" text NOT NULL,
	"brand" text,
	"mpn" text,
	"quantity" integer NOT NULL,
	"list_price_cents" integer NOT NULL,
	"unit_price_cents" integer NOT NULL,
	"reduction_cents" integer DEFAULT 0 NOT NULL,
	"total_cents" integer NOT NULL,
	"is_released" boolean DEFAULT false NOT NULL,
	"packed" integer DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"returned" integer DEFAULT 0 NOT NULL,
	"restocked" integer DEFAULT 0 NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "order_lines_position" UNIQUE("order_id","position"),
	CONSTRAINT "order_lines_product" UNIQUE("order_id","tool_id"),
	CONSTRAINT "order_lines_quantity" CHECK ("order_lines"."quantity" >= 1),
	CONSTRAINT "order_lines_prices" CHECK ("order_lines"."list_price_cents" >= "order_lines"."unit_price_cents" and "order_lines"."unit_price_cents" >= 1),
	CONSTRAINT "order_lines_reduction" CHECK ("order_lines"."reduction_cents" >= 0 and "order_lines"."total_cents" >= 0),
	CONSTRAINT "order_lines_total" CHECK ("order_lines"."total_cents" = "order_lines"."unit_price_cents"::bigint * "order_lines"."quantity" - "order_lines"."reduction_cents"),
	CONSTRAINT "order_lines_sent" CHECK ("order_lines"."sent" >= 0 and "order_lines"."sent" <= "order_lines"."packed"),
	CONSTRAINT "order_lines_cancelled" CHECK ("order_lines"."cancelled" >= 0 and "order_lines"."packed" + "order_lines"."cancelled" <= "order_lines"."quantity"),
	CONSTRAINT "order_lines_released" CHECK (not "order_lines"."is_released" or "order_lines"."cancelled" = "order_lines"."quantity"),
	CONSTRAINT "order_lines_returned" CHECK ("order_lines"."returned" between 0 and "order_lines"."sent"),
	CONSTRAINT "order_lines_restocked" CHECK ("order_lines"."restocked" between 0 and "order_lines"."quantity"),
	CONSTRAINT "order_lines_refunded" CHECK ("order_lines"."refunded_cents" between 0 and "order_lines"."total_cents")
);--> statement-breakpoint
CREATE TABLE "refund_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refund_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"refund_id" uuid NOT NULL,
	"order_line_id" uuid,
	"amount_cents" integer NOT NULL,
	"restock" integer DEFAULT 0 NOT NULL,
	"pieces" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "refund_lines_of_refund" UNIQUE NULLS NOT DISTINCT("refund_id","order_line_id"),
	CONSTRAINT "refund_lines_amounts" CHECK ("refund_lines"."amount_cents" >= 0 and "refund_lines"."restock" >= 0 and "refund_lines"."pieces" >= 0),
	CONSTRAINT "refund_lines_without_line" CHECK ("refund_lines"."order_line_id" is not null or ("refund_lines"."restock" = 0 and "refund_lines"."pieces" = 0))
);--> statement-breakpoint
CREATE TABLE "status_steps" (
	"status" text NOT NULL,
	"from_status" text NOT NULL,
	"to_status" text NOT NULL,
	CONSTRAINT "status_steps_status_from_status_to_status_pk" PRIMARY KEY("status","from_status","to_status")
);--> statement-breakpoint
DROP TRIGGER "order_begins" ON "orders";--> statement-breakpoint
DROP TRIGGER "order_step" ON "orders";--> statement-breakpoint
DROP FUNCTION "order_step"();--> statement-breakpoint
DROP TRIGGER "orders_announce_reviews" ON "orders";--> statement-breakpoint
DROP TABLE "order_steps";--> statement-breakpoint
ALTER TABLE "stock_movements" RENAME COLUMN "order_id" TO "order_line_id";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_cost";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_quantity";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_restocked";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_restock";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_tool_id_tools_id_fk";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_payment_id_payments_id_fk";--> statement-breakpoint
DROP INDEX "orders_of_buyer_by_state";--> statement-breakpoint
DROP INDEX "orders_of_network";--> statement-breakpoint
DROP INDEX "orders_by_hold";--> statement-breakpoint
ALTER TABLE "order_history" ADD COLUMN "order_status" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "currency" text DEFAULT 'usd' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "goods_cents" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivery_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "total_cents" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "order_status" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payment_status" text DEFAULT 'unpaid' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "fulfilment_status" text DEFAULT 'to_send' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "method" text DEFAULT 'card' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_surplus" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Every order becomes an order of one line, which keeps its id: what the specification's calls know as the purchase is the line from here on.
INSERT INTO "order_lines" ("id", "order_id", "position", "tool_id", "product_name", "brand", "mpn", "quantity", "list_price_cents", "unit_price_cents", "total_cents", "packed", "sent", "restocked", "refunded_cents")
	SELECT orders.id, orders.id, 1, tool_id, product_name, brand, mpn, product_quantity, unit_price * 100, unit_price * 100, product_cost * 100,
		CASE WHEN orders.state IN ('packed', 'shipped') THEN product_quantity ELSE 0 END, CASE WHEN orders.state = 'shipped' THEN product_quantity ELSE 0 END,
		restocked, coalesce(refunded_cents, 0)
	FROM orders LEFT JOIN payments ON payments.id = orders.payment_id;--> statement-breakpoint
-- A refund is for the line if it gives back money of the order's payment. Other payments came too late or twice.
INSERT INTO "refund_lines" ("refund_id", "order_line_id", "amount_cents", "restock")
	SELECT refunds.id, CASE WHEN refunds.payment_id = orders.payment_id THEN orders.id END, amount_cents, CASE WHEN refunds.payment_id = orders.payment_id THEN restock ELSE 0 END
	FROM refunds JOIN orders ON orders.id = refunds.order_id ORDER BY asked_at, refunds.id;--> statement-breakpoint
UPDATE "payments" SET "order_id" = orders.id FROM orders WHERE orders.payment_id = payments.id;--> statement-breakpoint
UPDATE "payments" SET "order_id" = refunds.order_id, "is_surplus" = true FROM refunds WHERE refunds.payment_id = payments.id AND payments.order_id IS NULL;--> statement-breakpoint
CREATE INDEX "payments_by_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
UPDATE "orders" SET "goods_cents" = product_cost * 100, "total_cents" = product_cost * 100,
	"order_status" = CASE WHEN state IN ('paid', 'packed') THEN 'placed' WHEN state IN ('shipped', 'refunded') THEN 'completed' ELSE state END,
	"fulfilment_status" = CASE WHEN state = 'shipped' THEN 'sent' ELSE 'to_send' END;--> statement-breakpoint
UPDATE "order_history" SET "order_status" = CASE WHEN state IN ('paid', 'packed') THEN 'placed' WHEN state IN ('shipped', 'refunded') THEN 'completed' ELSE state END;--> statement-breakpoint
-- What was taken and given back over the payments of an order that pay for it. Refunds count once the provider has accepted them.
CREATE FUNCTION "payment_status_of"(of_order uuid) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT CASE
		WHEN taken = 0 THEN CASE WHEN is_checking THEN 'checking' ELSE 'unpaid' END
		WHEN taken = returned THEN 'refunded'
		WHEN taken - returned > total_cents THEN 'overpaid'
		WHEN taken - returned = total_cents THEN 'paid'
		WHEN returned = 0 THEN 'partly_paid'
		ELSE 'partly_refunded' END
	FROM orders, LATERAL (
		SELECT coalesce(sum(amount_cents) FILTER (WHERE state = 'succeeded'), 0) AS taken, coalesce(sum(refunded_cents), 0) AS returned,
			coalesce(bool_or(state = 'open' AND checking_since IS NOT NULL), false) AS is_checking
		FROM payments WHERE order_id = orders.id AND NOT is_surplus) AS paid
	WHERE orders.id = of_order
$$;--> statement-breakpoint
UPDATE "orders" SET "payment_status" = payment_status_of(id);--> statement-breakpoint
ALTER TABLE "order_history" ALTER COLUMN "order_status" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "goods_cents" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "total_cents" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "tool_id";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "product_name";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "brand";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "mpn";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "unit_price";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "product_quantity";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "product_cost";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "state";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "restocked";--> statement-breakpoint
ALTER TABLE "refunds" DROP COLUMN "restock";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_paid" boolean GENERATED ALWAYS AS (order_status in ('placed', 'completed') and payment_status in ('partly_paid', 'paid', 'overpaid', 'partly_refunded')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_of_order" UNIQUE("id","order_id");--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_lines_of_tool" ON "order_lines" USING btree ("tool_id");--> statement-breakpoint
CREATE INDEX "refund_lines_of_order_line" ON "refund_lines" USING btree ("order_line_id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment" FOREIGN KEY ("payment_id","id") REFERENCES "public"."payments"("id","order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_of_buyer_by_status" ON "orders" USING btree ("buyer_id","order_status");--> statement-breakpoint
CREATE INDEX "orders_of_network" ON "orders" USING btree ("network") WHERE "orders"."network" is not null and "orders"."order_status" = 'open';--> statement-breakpoint
CREATE INDEX "orders_by_hold" ON "orders" USING btree ("hold_until") WHERE "orders"."order_status" = 'open';--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_amounts" CHECK ("orders"."goods_cents" >= 0 and "orders"."delivery_cents" >= 0 and "orders"."tax_cents" >= 0);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_total" CHECK ("orders"."total_cents" = "orders"."goods_cents" + "orders"."delivery_cents" + "orders"."tax_cents");--> statement-breakpoint
INSERT INTO "status_steps" ("status", "from_status", "to_status") VALUES
	('order', 'open', 'placed'), ('order', 'open', 'expired'), ('order', 'open', 'cancelled'),
	('order', 'placed', 'completed'), ('order', 'placed', 'cancelled'),
	('order', 'completed', 'placed'), ('order', 'expired', 'placed'), ('order', 'cancelled', 'placed'),
	('payment', 'unpaid', 'checking'), ('payment', 'unpaid', 'partly_paid'), ('payment', 'unpaid', 'paid'), ('payment', 'unpaid', 'overpaid'),
	('payment', 'checking', 'unpaid'), ('payment', 'checking', 'partly_paid'), ('payment', 'checking', 'paid'), ('payment', 'checking', 'overpaid'),
	('payment', 'partly_paid', 'paid'), ('payment', 'partly_paid', 'overpaid'), ('payment', 'partly_paid', 'partly_refunded'), ('payment', 'partly_paid', 'refunded'),
	('payment', 'paid', 'partly_paid'), ('payment', 'paid', 'overpaid'), ('payment', 'paid', 'partly_refunded'), ('payment', 'paid', 'refunded'),
	('payment', 'overpaid', 'partly_paid'), ('payment', 'overpaid', 'paid'), ('payment', 'overpaid', 'partly_refunded'), ('payment', 'overpaid', 'refunded'),
	('payment', 'partly_refunded', 'partly_paid'), ('payment', 'partly_refunded', 'paid'), ('payment', 'partly_refunded', 'overpaid'), ('payment', 'partly_refunded', 'refunded'),
	('payment', 'refunded', 'partly_paid'), ('payment', 'refunded', 'paid'), ('payment', 'refunded', 'overpaid'), ('payment', 'refunded', 'partly_refunded'),
	('fulfilment', 'to_send', 'partly_sent'), ('fulfilment', 'to_send', 'sent'), ('fulfilment', 'partly_sent', 'sent'), ('fulfilment', 'sent', 'delivered');--> statement-breakpoint
-- The argument names the status: its column is the name with _status.
CREATE FUNCTION "status_step"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	status_before text := to_jsonb(OLD) ->> (TG_ARGV[0] || '_status');
	status_after text := to_jsonb(NEW) ->> (TG_ARGV[0] || '_status');
BEGIN
	IF NOT EXISTS (SELECT FROM status_steps WHERE status = TG_ARGV[0] AND from_status = status_before AND to_status = status_after) THEN
		RAISE EXCEPTION 'an order does not go from % to %', status_before, status_after USING ERRCODE = 'check_violation', CONSTRAINT = TG_ARGV[0] || '_step';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION "order_begins"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'an order begins open, unpaid and to be sent, not %, % and %', NEW.order_status, NEW.payment_status, NEW.fulfilment_status
		USING ERRCODE = 'check_violation', CONSTRAINT = 'order_begins';
END $$;--> statement-breakpoint
CREATE TRIGGER "order_begins" BEFORE INSERT ON "orders" FOR EACH ROW
	WHEN (NEW.order_status <> 'open' OR NEW.payment_status <> 'unpaid' OR NEW.fulfilment_status <> 'to_send') EXECUTE FUNCTION "order_begins"();--> statement-breakpoint
CREATE TRIGGER "order_step" BEFORE UPDATE OF "order_status" ON "orders" FOR EACH ROW WHEN (OLD.order_status IS DISTINCT FROM NEW.order_status) EXECUTE FUNCTION "status_step"('order');--> statement-breakpoint
CREATE TRIGGER "payment_step" BEFORE UPDATE OF "payment_status" ON "orders" FOR EACH ROW WHEN (OLD.payment_status IS DISTINCT FROM NEW.payment_status) EXECUTE FUNCTION "status_step"('payment');--> statement-breakpoint
CREATE TRIGGER "fulfilment_step" BEFORE UPDATE OF "fulfilment_status" ON "orders" FOR EACH ROW WHEN (OLD.fulfilment_status IS DISTINCT FROM NEW.fulfilment_status) EXECUTE FUNCTION "status_step"('fulfilment');--> statement-breakpoint
-- Whoever changes a payment has locked its order first: orders are always locked before their payments.
CREATE FUNCTION "keep_payment_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE orders SET payment_status = kept.status FROM (SELECT payment_status_of(NEW.order_id) AS status) kept
		WHERE id = NEW.order_id AND payment_status <> kept.status;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "payments_keep_status" AFTER INSERT OR UPDATE OF "state", "refunded_cents", "checking_since", "order_id" ON "payments" FOR EACH ROW EXECUTE FUNCTION "keep_payment_status"();--> statement-breakpoint
CREATE TRIGGER "orders_announce_reviews" AFTER UPDATE OF "order_status", "payment_status" ON "orders" FOR EACH ROW
	WHEN (OLD.is_paid IS DISTINCT FROM NEW.is_paid)
	EXECUTE FUNCTION announce_reviews_of_buyer();--> statement-breakpoint
-- What a buyer has paid for and not got back, in cents. Disputed payments are not counted until the dispute is won.
CREATE OR REPLACE FUNCTION "kept_cents_of"(buyer text) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT coalesce(sum(amount_cents - refunded_cents), 0)::bigint FROM orders JOIN payments ON payments.id = orders.payment_id
		WHERE buyer_id = buyer AND orders.is_paid AND payments.state = 'succeeded'
			AND coalesce(dispute_status IN ('won', 'warning_closed'), true)
$$;--> statement-breakpoint
DROP FUNCTION "buyer_holds"(text, integer, text);--> statement-breakpoint
-- As before, of orders of many lines, in cents.
CREATE FUNCTION "buyer_holds"(buyer text, newest integer, from_network text DEFAULT NULL)
RETURNS TABLE (is_removed boolean, is_lifted boolean, is_verified boolean, has_paid boolean, kept_cents bigint, open_orders integer, held_pieces bigint, held_cents bigint, is_shared boolean, placed_lately integer, lately_since timestamp with time zone, placed_today integer, today_since timestamp with time zone, counted_network text, network_pieces bigint, network_cents bigint, network_lately integer, network_since timestamp with time zone)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
DECLARE
	own_mailbox text;
	counted text[] := ARRAY[buyer];
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('orders of ' || buyer, 0));
	SELECT users.removed_at IS NOT NULL, users.limits_lifted_at IS NOT NULL, users.email_verified, users.mailbox,
		EXISTS (SELECT FROM orders WHERE buyer_id = buyer AND orders.is_paid)
		INTO is_removed, is_lifted, is_verified, own_mailbox, has_paid FROM users WHERE users.id = buyer;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	IF is_verified AND NOT is_lifted THEN
		PERFORM pg_advisory_xact_lock(hashtextextended('orders of mailbox ' || own_mailbox, 0));
		counted := ARRAY(SELECT id FROM users WHERE mailbox = own_mailbox AND email_verified AND limits_lifted_at IS NULL);
	END IF;
	IF NOT (is_lifted OR is_verified) AND from_network IS NOT NULL THEN
		PERFORM pg_advisory_xact_lock(hashtextextended('orders from ' || from_network, 0));
		counted_network := from_network;
	END IF;
	RETURN QUERY SELECT
		is_removed, is_lifted, is_verified, has_paid, CASE WHEN has_paid THEN kept_cents_of(buyer) ELSE 0 END,
		waiting.orders, waiting.pieces, waiting.cents, waiting.shared, placed.lately, placed.lately_since, placed.today, placed.today_since,
		counted_network, shared.pieces, shared.cents, shared_lately.orders, shared_lately.since
	FROM
		(SELECT count(*)::integer AS orders, coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents,
				coalesce(bool_or(buyer_id <> buyer), false) AS shared
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE buyer_id = ANY (counted) AND order_status = 'open') waiting,
		(SELECT count(*) FILTER (WHERE placed_at > now() - interval '1 hour')::integer AS lately,
				min(placed_at) FILTER (WHERE placed_at > now() - interval '1 hour') AS lately_since,
				count(*)::integer AS today, min(placed_at) AS today_since
			FROM unnest(counted) account (id), LATERAL
				(SELECT placed_at FROM orders WHERE buyer_id = account.id AND placed_at > now() - interval '1 day' ORDER BY placed_at DESC LIMIT newest) latest) placed,
		(SELECT coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE network = counted_network AND order_status = 'open') shared,
		(SELECT count(*)::integer AS orders, min(placed_at) AS since
			FROM orders WHERE network = counted_network AND placed_at > now() - interval '1 hour') shared_lately;
END $$;
