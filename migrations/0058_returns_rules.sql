-- Pieces that do not leave the store any more: they were cancelled, or went back into stock and had not come back from the buyer.
DROP FUNCTION "unsent_for_good"(integer, integer, integer);--> statement-breakpoint
CREATE FUNCTION "unsent_for_good"(cancelled integer, restocked integer, returned_restocked integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
	SELECT greatest(cancelled, restocked - returned_restocked)
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "fulfilment_status_of"(of_order uuid) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN sum(sent) = 0 THEN 'to_send'
		WHEN bool_and(sent + unsent_for_good(cancelled, restocked, returned_restocked) >= quantity OR (refunded_cents > 0 AND refunded_cents = charged_cents)) THEN 'sent'
		ELSE 'partly_sent' END
	FROM order_lines WHERE order_id = of_order
$$;--> statement-breakpoint
DROP TRIGGER "order_lines_keep_status" ON "order_lines";--> statement-breakpoint
CREATE TRIGGER "order_lines_keep_status" AFTER UPDATE OF "sent", "cancelled", "restocked", "returned_restocked", "refunded_cents" ON "order_lines" FOR EACH ROW
	WHEN ((OLD.sent, OLD.cancelled, OLD.restocked, OLD.returned_restocked, OLD.refunded_cents)
		IS DISTINCT FROM (NEW.sent, NEW.cancelled, NEW.restocked, NEW.returned_restocked, NEW.refunded_cents))
	EXECUTE FUNCTION "keep_fulfilment_status"();--> statement-breakpoint
-- Pieces of a line that the buyer has and has not asked to return.
CREATE FUNCTION "returnable_pieces"(of_line uuid) RETURNS integer LANGUAGE sql STABLE AS $$
	SELECT greatest(0, sent + resent - returned - coalesce((
		SELECT sum(asked.quantity - arrived - turned_down) FROM return_lines asked JOIN returns ON returns.id = return_id
		WHERE order_line_id = of_line AND status = 'open'), 0))::integer
	FROM order_lines WHERE id = of_line
$$;--> statement-breakpoint
CREATE FUNCTION "return_line_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM order_lines WHERE id = NEW.order_line_id FOR UPDATE;
	IF NEW.quantity > returnable_pieces(NEW.order_line_id) OR NEW.arrived > 0 OR NEW.turned_down > 0 OR NEW.resent > 0 OR NOT EXISTS (
			SELECT FROM returns JOIN order_lines USING (order_id) WHERE returns.id = NEW.return_id AND status = 'open' AND order_lines.id = NEW.order_line_id) THEN
		RAISE EXCEPTION 'more pieces are returned than were sent' USING ERRCODE = 'check_violation', CONSTRAINT = 'return_lines_left';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "return_line_allowed" BEFORE INSERT ON "return_lines" FOR EACH ROW EXECUTE FUNCTION "return_line_allowed"();--> statement-breakpoint
CREATE FUNCTION "count_returned"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM returns WHERE id = NEW.return_id AND status = 'open') OR NEW.arrived < (
			SELECT coalesce(sum(quantity), 0) FROM return_decisions WHERE return_id = NEW.return_id AND order_line_id = NEW.order_line_id AND has_arrived) THEN
		RAISE EXCEPTION 'the return is not open, or more of it is decided' USING ERRCODE = 'check_violation', CONSTRAINT = 'return_lines_decided';
	END IF;
	UPDATE order_lines SET returned = returned + NEW.arrived - OLD.arrived WHERE id = NEW.order_line_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "return_lines_count_returned" AFTER UPDATE OF "arrived" ON "return_lines" FOR EACH ROW
	WHEN (OLD.arrived <> NEW.arrived) EXECUTE FUNCTION "count_returned"();--> statement-breakpoint
-- What is asked for stays as it was asked.
CREATE FUNCTION "return_line_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the lines of a return do not change' USING ERRCODE = 'check_violation', CONSTRAINT = 'return_line_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "return_line_stays" BEFORE DELETE OR UPDATE OF "return_id", "order_line_id", "quantity" ON "return_lines" FOR EACH ROW EXECUTE FUNCTION "return_line_stays"();--> statement-breakpoint
CREATE FUNCTION "return_status_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.status <> 'open' OR (NEW.status = 'taken back' AND (NEW.cause = 'withdrawal' OR EXISTS (
			SELECT FROM return_lines WHERE return_id = NEW.id AND arrived > 0))) THEN
		RAISE EXCEPTION 'the return cannot become %', NEW.status USING ERRCODE = 'check_violation', CONSTRAINT = 'return_status_allowed';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "return_status_allowed" BEFORE UPDATE OF "status" ON "returns" FOR EACH ROW
	WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION "return_status_allowed"();--> statement-breakpoint
-- A withdrawal from the contract is not refused. Pieces are decided once.
CREATE FUNCTION "return_decision_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	line return_lines;
	of returns;
BEGIN
	SELECT * INTO line FROM return_lines WHERE return_id = NEW.return_id AND order_line_id = NEW.order_line_id FOR UPDATE;
	SELECT * INTO of FROM returns WHERE id = NEW.return_id;
	IF of.cause = 'withdrawal' AND NEW.outcome <> 'refund' THEN
		RAISE EXCEPTION 'a withdrawal is refunded' USING ERRCODE = 'check_violation', CONSTRAINT = 'return_of_withdrawal';
	END IF;
	IF of.status <> 'open' OR NEW.has_arrived AND line.arrived < NEW.quantity + (SELECT coalesce(sum(quantity), 0) FROM return_decisions
			WHERE return_id = NEW.return_id AND order_line_id = NEW.order_line_id AND has_arrived) THEN
		RAISE EXCEPTION 'the return is not open, or more pieces are decided than have arrived' USING ERRCODE = 'check_violation', CONSTRAINT = 'return_decisions_left';
	END IF;
	IF NOT NEW.has_arrived THEN
		UPDATE return_lines SET turned_down = turned_down + NEW.quantity WHERE return_id = NEW.return_id AND order_line_id = NEW.order_line_id;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "return_decision_allowed" BEFORE INSERT ON "return_decisions" FOR EACH ROW EXECUTE FUNCTION "return_decision_allowed"();--> statement-breakpoint
CREATE FUNCTION "return_decision_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'what was decided of a return does not change' USING ERRCODE = 'check_violation', CONSTRAINT = 'return_decision_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "return_decision_stays" BEFORE UPDATE OR DELETE ON "return_decisions" FOR EACH ROW EXECUTE FUNCTION "return_decision_stays"();--> statement-breakpoint
-- Pieces of a return go back to the buyer also when the order is completed.
CREATE OR REPLACE FUNCTION "shipment_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND held_back_reason IS NULL AND (
			NEW.return_id IS NULL AND order_status = 'placed' AND is_paid
			OR EXISTS (SELECT FROM returns WHERE returns.id = NEW.return_id AND order_id = NEW.order_id))) THEN
		RAISE EXCEPTION 'an order is sent that is not paid, has ended or is held back' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_allowed';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "count_sent"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	of_return uuid;
BEGIN
	SELECT return_id INTO of_return FROM shipments WHERE id = NEW.shipment_id;
	IF of_return IS NOT NULL THEN
		UPDATE return_lines SET resent = resent + NEW.quantity
			WHERE return_id = of_return AND order_line_id = NEW.order_line_id AND resent + NEW.quantity <= (
				SELECT coalesce(sum(quantity), 0) FROM return_decisions
				WHERE return_id = of_return AND order_line_id = NEW.order_line_id AND has_arrived AND outcome <> 'refund');
	ELSE
		UPDATE order_lines SET sent = sent + NEW.quantity, packed = greatest(packed, sent + NEW.quantity)
			WHERE id = NEW.order_line_id AND order_id = (SELECT order_id FROM shipments WHERE id = NEW.shipment_id AND taken_back_at IS NULL) AND NOT is_released
				AND sent + NEW.quantity + unsent_for_good(cancelled, restocked, returned_restocked) <= quantity;
	END IF;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'more pieces are sent than are left' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_lines_left';
	END IF;
	IF of_return IS NOT NULL THEN
		UPDATE order_lines SET resent = resent + NEW.quantity WHERE id = NEW.order_line_id;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- As before, and not where the parcel was delivered, belongs to a return, or pieces of its order are returned.
CREATE OR REPLACE FUNCTION "take_shipment_back"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.taken_back_at IS NOT NULL OR OLD.sent_at <= now() - interval '24 hours' OR OLD.return_id IS NOT NULL OR OLD.delivered_on IS NOT NULL
		OR NOT EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND is_paid)
		OR EXISTS (SELECT FROM refunds WHERE order_id = NEW.order_id AND state <> 'failed' AND asked_at >= OLD.sent_at)
		OR EXISTS (SELECT FROM returns WHERE order_id = NEW.order_id AND status <> 'taken back') THEN
		RAISE EXCEPTION 'a shipment is taken back that was sent for good' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_taken_back';
	END IF;
	UPDATE order_lines SET sent = sent - shipment_lines.quantity, packed = packed - shipment_lines.quantity
		FROM shipment_lines WHERE shipment_id = NEW.id AND order_line_id = order_lines.id;
	RETURN NULL;
END $$;
