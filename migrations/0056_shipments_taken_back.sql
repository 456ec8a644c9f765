INSERT INTO "status_steps" ("status", "from_status", "to_status") VALUES ('fulfilment', 'partly_sent', 'to_send'), ('fulfilment', 'sent', 'to_send');--> statement-breakpoint
-- A shipment that was taken back gets no lines any more.
CREATE OR REPLACE FUNCTION "count_sent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE order_lines SET sent = sent + NEW.quantity, packed = greatest(packed, sent + NEW.quantity)
		WHERE id = NEW.order_line_id AND order_id = (SELECT order_id FROM shipments WHERE id = NEW.shipment_id AND taken_back_at IS NULL) AND NOT is_released
			AND sent + NEW.quantity + unsent_for_good(cancelled, restocked, returned) <= quantity;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'more pieces are sent than are left' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_lines_left';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
-- Within a day a shipment that did not happen is taken back, once: its pieces are to be sent again. What was refunded or came back since then was sent.
CREATE FUNCTION "take_shipment_back"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.taken_back_at IS NOT NULL OR OLD.sent_at <= now() - interval '24 hours'
		OR NOT EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND is_paid AND fulfilment_status <> 'delivered')
		OR EXISTS (SELECT FROM refunds WHERE order_id = NEW.order_id AND state <> 'failed' AND asked_at >= OLD.sent_at)
		OR EXISTS (SELECT FROM order_lines WHERE order_id = NEW.order_id AND returned > 0) THEN
		RAISE EXCEPTION 'a shipment is taken back that was sent for good' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_taken_back';
	END IF;
	UPDATE order_lines SET sent = sent - shipment_lines.quantity, packed = packed - shipment_lines.quantity
		FROM shipment_lines WHERE shipment_id = NEW.id AND order_line_id = order_lines.id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "shipments_take_back" AFTER UPDATE OF "taken_back_at" ON "shipments" FOR EACH ROW
	WHEN (OLD.taken_back_at IS DISTINCT FROM NEW.taken_back_at) EXECUTE FUNCTION "take_shipment_back"();--> statement-breakpoint
-- A refund of nothing counts pieces that were cancelled. It has no credit note.
DROP TRIGGER "new_refund_asks_for_document" ON "refunds";--> statement-breakpoint
CREATE TRIGGER "new_refund_asks_for_document" AFTER INSERT ON "refunds" FOR EACH ROW
	WHEN (NEW.state = 'succeeded' AND NEW.amount_cents > 0) EXECUTE FUNCTION "refund_asks_for_document"();--> statement-breakpoint
-- As splitWithin of the store: in proportion to the weights, by largest remainder, no part more than its limit.
CREATE FUNCTION "split_within"(amount numeric, weights bigint[], limits bigint[]) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	is_full boolean[] := array_fill(false, ARRAY[cardinality(weights)]);
	parts bigint[];
	is_over boolean;
BEGIN
	LOOP
		SELECT array_agg(part ORDER BY nth), bool_or(NOT is_full[nth] AND part > limits[nth]) INTO parts, is_over FROM (
			SELECT nth, CASE WHEN is_full[nth] THEN limits[nth]
				ELSE rounded_down + CASE WHEN row_number() OVER (ORDER BY is_full[nth], remainder DESC, nth) <= rest - sum(rounded_down) OVER () THEN 1 ELSE 0 END END AS part
			FROM (
				SELECT nth, rest, CASE WHEN is_full[nth] OR total = 0 THEN 0 ELSE div(rest * weights[nth], total) END AS rounded_down,
					CASE WHEN is_full[nth] OR total = 0 THEN 0 ELSE mod(rest * weights[nth], total) END AS remainder
				FROM generate_subscripts(weights, 1) AS nth, (
					SELECT amount - coalesce(sum(limits[n]) FILTER (WHERE is_full[n]), 0) AS rest, coalesce(sum(weights[n]) FILTER (WHERE NOT is_full[n]), 0) AS total
					FROM generate_subscripts(weights, 1) AS n
				) AS left_over
			) AS shared_out
		) AS split;
		IF NOT coalesce(is_over, false) THEN
			RETURN parts;
		END IF;
		SELECT array_agg(is_full[nth] OR parts[nth] > limits[nth] ORDER BY nth) INTO is_full FROM generate_subscripts(weights, 1) AS nth;
	END LOOP;
END $$;
