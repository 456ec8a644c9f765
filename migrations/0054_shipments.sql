CREATE TABLE "shipment_lines" (
	"shipment_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "shipment_lines_shipment_id_order_line_id_pk" PRIMARY KEY("shipment_id","order_line_id"),
	CONSTRAINT "shipment_lines_quantity" CHECK ("shipment_lines"."quantity" >= 1)
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"carrier" text,
	"tracking_number" text,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_by" text,
	"event_id" bigint,
	"request_key" text,
	"request_hash" text,
	CONSTRAINT "shipments_number" UNIQUE("order_id","number"),
	CONSTRAINT "shipments_tracking_number" CHECK ("shipments"."tracking_number" is null or "shipments"."carrier" is not null),
	CONSTRAINT "shipments_request" CHECK (("shipments"."request_key" is null) = ("shipments"."request_hash" is null))
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "held_back_reason" text;--> statement-breakpoint
ALTER TABLE "shipment_lines" ADD CONSTRAINT "shipment_lines_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipment_lines" ADD CONSTRAINT "shipment_lines_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_sent_by_users_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_event_id_order_history_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."order_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipment_lines_of_order_line" ON "shipment_lines" USING btree ("order_line_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_by_event" ON "shipments" USING btree ("event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_by_request" ON "shipments" USING btree ("sent_by","request_key");--> statement-breakpoint
CREATE INDEX "orders_placed" ON "orders" USING btree ("number") WHERE "orders"."order_status" = 'placed';--> statement-breakpoint
-- What was sent before shipments were kept.
INSERT INTO "shipments" ("id", "order_id", "number", "sent_at")
	SELECT gen_random_uuid(), orders.id, 1, coalesce((SELECT min(at) FROM order_history WHERE order_id = orders.id AND state = 'shipped'), placed_at)
	FROM orders WHERE EXISTS (SELECT FROM order_lines WHERE order_id = orders.id AND sent > 0);--> statement-breakpoint
INSERT INTO "shipment_lines" ("shipment_id", "order_line_id", "quantity")
	SELECT shipments.id, order_lines.id, sent FROM shipments JOIN order_lines ON order_lines.order_id = shipments.order_id WHERE sent > 0;--> statement-breakpoint
-- A refund that fails leaves pieces to send.
INSERT INTO "status_steps" ("status", "from_status", "to_status") VALUES ('fulfilment', 'sent', 'partly_sent');--> statement-breakpoint
-- Pieces that do not leave the store any more: they were cancelled, or went back into stock and did not come back from the buyer.
CREATE FUNCTION "unsent_for_good"(cancelled integer, restocked integer, returned integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
	SELECT greatest(cancelled, restocked - returned)
$$;--> statement-breakpoint
-- Nothing is left of a line either when all of its money has gone back.
CREATE FUNCTION "fulfilment_status_of"(of_order uuid) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN sum(sent) = 0 THEN 'to_send'
		WHEN bool_and(sent + unsent_for_good(cancelled, restocked, returned) >= quantity OR (refunded_cents > 0 AND refunded_cents = charged_cents)) THEN 'sent'
		ELSE 'partly_sent' END
	FROM order_lines WHERE order_id = of_order
$$;--> statement-breakpoint
-- Whoever changes lines has locked their order.
CREATE FUNCTION "keep_fulfilment_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE orders SET fulfilment_status = kept.status FROM (SELECT fulfilment_status_of(NEW.order_id) AS status) kept
		WHERE id = NEW.order_id AND fulfilment_status NOT IN (kept.status, 'delivered');
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "order_lines_keep_status" AFTER UPDATE OF "sent", "cancelled", "returned", "restocked", "refunded_cents" ON "order_lines" FOR EACH ROW
	WHEN ((OLD.sent, OLD.cancelled, OLD.returned, OLD.restocked, OLD.refunded_cents)
		IS DISTINCT FROM (NEW.sent, NEW.cancelled, NEW.returned, NEW.restocked, NEW.refunded_cents))
	EXECUTE FUNCTION "keep_fulfilment_status"();--> statement-breakpoint
CREATE FUNCTION "shipment_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND order_status = 'placed' AND is_paid AND held_back_reason IS NULL) THEN
		RAISE EXCEPTION 'an order is sent that is not paid, has ended or is held back' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_allowed';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "shipment_allowed" BEFORE INSERT ON "shipments" FOR EACH ROW EXECUTE FUNCTION "shipment_allowed"();--> statement-breakpoint
CREATE FUNCTION "count_sent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE order_lines SET sent = sent + NEW.quantity, packed = greatest(packed, sent + NEW.quantity)
		WHERE id = NEW.order_line_id AND order_id = (SELECT order_id FROM shipments WHERE id = NEW.shipment_id) AND NOT is_released
			AND sent + NEW.quantity + unsent_for_good(cancelled, restocked, returned) <= quantity;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'more pieces are sent than are left' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_lines_left';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "shipment_lines_count_sent" AFTER INSERT ON "shipment_lines" FOR EACH ROW EXECUTE FUNCTION "count_sent"();--> statement-breakpoint
-- What was sent stays sent.
CREATE FUNCTION "shipment_line_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the pieces of a shipment do not change' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_line_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "shipment_line_stays" BEFORE UPDATE OR DELETE ON "shipment_lines" FOR EACH ROW EXECUTE FUNCTION "shipment_line_stays"();
