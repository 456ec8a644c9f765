-- All of an order on account may be credited before anything was paid.
INSERT INTO "status_steps" ("status", "from_status", "to_status") VALUES ('payment', 'unpaid', 'refunded');--> statement-breakpoint
-- What an order on account does not owe any more though it was not paid: refunds of no payment.
CREATE FUNCTION "credited_cents_of"(of_order uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT coalesce(sum(amount_cents), 0)::bigint FROM refunds WHERE order_id = of_order AND payment_id IS NULL AND state <> 'failed'
$$;--> statement-breakpoint
-- As before, and of an order on account less what was credited. What an owner asks for no more is not given back there either.
CREATE OR REPLACE FUNCTION "payment_status_of"(of_order uuid) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT CASE
		WHEN taken = 0 THEN CASE WHEN is_checking THEN 'checking' WHEN credited > 0 AND credited >= total_cents THEN 'refunded' ELSE 'unpaid' END
		WHEN taken = returned THEN 'refunded'
		WHEN taken - returned > total_cents - credited - CASE WHEN payment_method = 'on_account' THEN 0 ELSE written_off_cents END THEN 'overpaid'
		WHEN taken - returned >= total_cents - credited - written_off_cents THEN 'paid'
		WHEN returned = 0 THEN 'partly_paid'
		ELSE 'partly_refunded' END
	FROM orders, LATERAL (
		SELECT coalesce(sum(amount_cents) FILTER (WHERE state = 'succeeded'), 0) AS taken, coalesce(sum(refunded_cents), 0) AS returned,
			coalesce(bool_or(state = 'open' AND checking_since IS NOT NULL), false) AS is_checking
		FROM payments WHERE order_id = orders.id AND NOT is_surplus) AS paid,
		LATERAL (SELECT CASE WHEN payment_method = 'on_account' THEN credited_cents_of(orders.id) ELSE 0 END AS credited) AS back
	WHERE orders.id = of_order
$$;--> statement-breakpoint
-- A refund of no payment is a credit: whoever writes it has locked its order.
CREATE FUNCTION "credit_keeps_payment_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND payment_method = 'on_account') THEN
		RAISE EXCEPTION 'a refund of an order that is not on account has a payment' USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_payment';
	END IF;
	UPDATE orders SET payment_status = kept.status FROM (SELECT payment_status_of(NEW.order_id) AS status) kept
		WHERE id = NEW.order_id AND payment_status <> kept.status;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "credits_keep_payment_status" AFTER INSERT OR UPDATE OF "state", "amount_cents" ON "refunds" FOR EACH ROW
	WHEN (NEW.payment_id IS NULL) EXECUTE FUNCTION "credit_keeps_payment_status"();--> statement-breakpoint
-- What an order on account owes: its total less what was credited, what was paid and not transferred back, and what an owner asks for no more. Below 0:
-- so much is to be given back.
CREATE FUNCTION "balance_of"(of_order uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN order_status IN ('placed', 'completed') OR paid.kept > 0 THEN CASE WHEN due > 0 THEN greatest(0, due - written_off_cents) ELSE due END ELSE 0 END
	FROM orders, LATERAL (SELECT coalesce(sum(amount_cents - refunded_cents), 0)::bigint AS kept
		FROM payments WHERE order_id = orders.id AND state = 'succeeded' AND NOT is_surplus) AS paid,
		LATERAL (SELECT total_cents - credited_cents_of(orders.id) - paid.kept AS due) AS left_over
	WHERE orders.id = of_order
$$;--> statement-breakpoint
-- What a company owes for orders on account, sent or not.
CREATE FUNCTION "owed_by_company"(company uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT coalesce(sum(balance_of(id)), 0)::bigint FROM orders
		WHERE company_id = company AND payment_method = 'on_account' AND payment_status IN ('unpaid', 'partly_paid') AND order_status IN ('placed', 'completed')
$$;--> statement-breakpoint
-- The invoices of the parcels of an order, and what is left to pay of each: payments and credits of what was invoiced pay the oldest first.
CREATE FUNCTION "parcels_on_account"(of_order uuid) RETURNS TABLE ("shipment_id" uuid, "due" date, "invoiced_cents" bigint, "open_cents" bigint) LANGUAGE sql STABLE AS $$
	SELECT id, due_on, cents, greatest(0, least(cents, sum(cents) OVER (ORDER BY number) - settled))
	FROM (SELECT id, number, due_on, (delivery_cents + (SELECT coalesce(sum(charged_cents), 0) FROM shipment_lines WHERE shipment_lines.shipment_id = shipments.id))::bigint AS cents
			FROM shipments WHERE order_id = of_order AND due_on IS NOT NULL) parcels,
		(SELECT (SELECT coalesce(sum(amount_cents - refunded_cents), 0) FROM payments WHERE order_id = of_order AND state = 'succeeded' AND NOT is_surplus)
			+ (SELECT coalesce(sum(f.amount_cents - f.not_invoiced_cents), 0) FROM refunds r JOIN refund_lines f ON f.refund_id = r.id
				WHERE r.order_id = of_order AND r.payment_id IS NULL AND r.state <> 'failed')
			+ (SELECT written_off_cents FROM orders WHERE id = of_order) AS settled) paid
$$;--> statement-breakpoint
-- What of that is overdue on a day.
CREATE FUNCTION "overdue_of_company"(company uuid, today date) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT coalesce(sum(open_cents), 0)::bigint FROM orders, LATERAL parcels_on_account(orders.id) parcel
		WHERE company_id = company AND payment_method = 'on_account' AND payment_status IN ('unpaid', 'partly_paid') AND order_status IN ('placed', 'completed')
			AND parcel.due < today
$$;--> statement-breakpoint
-- The terms of an order on account of this cost, or no row where it does not fit or something is overdue. The credit stays locked until the order is
-- committed, and what is owed is read once it is: VOLATILE, with statements of its own. STRICT: of no company there is none.
CREATE FUNCTION "take_credit"(company uuid, cost bigint, today date) RETURNS TABLE ("due_days" smallint, "limit_cents" integer, "owed_cents" integer)
LANGUAGE plpgsql VOLATILE STRICT ROWS 1 AS $$
DECLARE
	approved company_credits%ROWTYPE;
	owed bigint;
	overdue bigint;
BEGIN
	SELECT * INTO approved FROM company_credits WHERE company_id = company FOR UPDATE;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	SELECT owed_by_company(company), overdue_of_company(company, today) INTO owed, overdue;
	IF owed + cost > approved.limit_cents OR overdue > 0 THEN
		RETURN;
	END IF;
	RETURN QUERY SELECT approved.due_days, approved.limit_cents, owed::integer;
END $$;--> statement-breakpoint
-- An order on account is placed at once. All others begin open.
DROP TRIGGER "order_begins" ON "orders";--> statement-breakpoint
CREATE TRIGGER "order_begins" BEFORE INSERT ON "orders" FOR EACH ROW
	WHEN (NEW.order_status <> CASE NEW.payment_method WHEN 'on_account' THEN 'placed' ELSE 'open' END OR NEW.payment_status <> 'unpaid' OR NEW.fulfilment_status <> 'to_send')
	EXECUTE FUNCTION "order_begins"();--> statement-breakpoint
-- On what terms an order was placed does not change: on account it is invoiced by its parcels, and what its company owes is counted.
CREATE FUNCTION "on_account_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'an order is on account from its beginning, and stays so' USING ERRCODE = 'check_violation', CONSTRAINT = 'on_account_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "on_account_stays" BEFORE UPDATE OF "payment_method" ON "orders" FOR EACH ROW
	WHEN ((OLD.payment_method = 'on_account') <> (NEW.payment_method = 'on_account')) EXECUTE FUNCTION "on_account_stays"();--> statement-breakpoint
-- At its end no order is on account without its terms, of its company and for its total, which a check keeps within the limit.
CREATE FUNCTION "on_account_has_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM account_orders WHERE order_id = NEW.id AND company_id = NEW.company_id AND total_cents = NEW.total_cents) THEN
		RAISE EXCEPTION 'an order on account has the credit of its company' USING ERRCODE = 'check_violation', CONSTRAINT = 'on_account_has_terms';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "on_account_has_terms" AFTER INSERT ON "orders" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
	WHEN (NEW.payment_method = 'on_account') EXECUTE FUNCTION "on_account_has_terms"();--> statement-breakpoint
-- The invoice of an order on account comes with its parcels.
CREATE TRIGGER "order_asks_for_invoice" AFTER UPDATE OF order_status ON "orders" FOR EACH ROW
	WHEN (OLD.order_status <> 'placed' AND NEW.order_status = 'placed' AND NEW.is_paid AND NEW.payment_method <> 'on_account') EXECUTE FUNCTION "order_asks_for_invoice"();--> statement-breakpoint
-- Of an order on account: the first parcel's invoice asks for the delivery, less what of it was credited before. What a return sends again costs nothing.
CREATE FUNCTION "charge_parcel"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.return_id IS NOT NULL OR NOT EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND payment_method = 'on_account') THEN
		NEW.due_on := NULL;
		NEW.delivery_cents := NULL;
		RETURN NEW;
	END IF;
	NEW.delivery_cents := CASE WHEN EXISTS (SELECT FROM shipments WHERE order_id = NEW.order_id AND return_id IS NULL AND taken_back_at IS NULL) THEN 0 ELSE (
		SELECT total_cents - (SELECT coalesce(sum(charged_cents), 0) FROM order_lines WHERE order_id = orders.id AND NOT is_released)
			- (SELECT coalesce(sum(not_invoiced_cents), 0) FROM refunds JOIN refund_lines ON refund_lines.refund_id = refunds.id
				WHERE refunds.order_id = orders.id AND refunds.payment_id IS NULL AND order_line_id IS NULL AND state <> 'failed')
		FROM orders WHERE id = NEW.order_id) END;
	IF NEW.due_on IS NULL THEN
		RAISE EXCEPTION 'the invoice of a parcel has a day on which it is due' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipments_due_on';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "shipments_charge" BEFORE INSERT ON "shipments" FOR EACH ROW EXECUTE FUNCTION "charge_parcel"();--> statement-breakpoint
CREATE FUNCTION "parcel_asks_for_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO due_documents (order_id, event, shipment_id) VALUES (NEW.order_id, 'sent', NEW.id);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "parcel_asks_for_invoice" AFTER INSERT ON "shipments" FOR EACH ROW WHEN (NEW.due_on IS NOT NULL) EXECUTE FUNCTION "parcel_asks_for_invoice"();--> statement-breakpoint
-- What a parcel's invoice asks for pieces of a line: their share of what all that are sent cost, of which the last parcel has the rest, so that
-- the invoices add up to the line to the cent. Pieces that are not sent for good, and money credited for them, are no part of it.
CREATE FUNCTION "charge_pieces"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.charged_cents := NULL;
	IF EXISTS (SELECT FROM shipments WHERE id = NEW.shipment_id AND due_on IS NOT NULL) THEN
		SELECT greatest(0, round((line.charged_cents - credited.cents)::numeric * (line.sent + NEW.quantity)
				/ greatest(line.quantity - unsent_for_good(line.cancelled, line.restocked, line.returned_restocked), line.sent + NEW.quantity)) - before.cents)
			INTO NEW.charged_cents
			FROM order_lines line,
				LATERAL (SELECT coalesce(sum(f.not_invoiced_cents), 0) AS cents FROM refund_lines f JOIN refunds r ON r.id = f.refund_id
					WHERE f.order_line_id = line.id AND r.state <> 'failed') credited,
				LATERAL (SELECT coalesce(sum(s.charged_cents), 0) AS cents FROM shipment_lines s JOIN shipments ON shipments.id = s.shipment_id
					WHERE s.order_line_id = line.id AND taken_back_at IS NULL) before
			WHERE line.id = NEW.order_line_id;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "shipment_lines_charge" BEFORE INSERT ON "shipment_lines" FOR EACH ROW EXECUTE FUNCTION "charge_pieces"();--> statement-breakpoint
-- What a parcel was invoiced for stays.
CREATE FUNCTION "parcel_charge_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'what a parcel is invoiced for does not change' USING ERRCODE = 'check_violation', CONSTRAINT = 'parcel_charge_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "parcel_charge_stays" BEFORE UPDATE ON "shipments" FOR EACH ROW
	WHEN ((OLD.delivery_cents, OLD.due_on) IS DISTINCT FROM (NEW.delivery_cents, NEW.due_on)) EXECUTE FUNCTION "parcel_charge_stays"();--> statement-breakpoint
-- As before, and not where the parcel has an invoice.
CREATE OR REPLACE FUNCTION "take_shipment_back"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.taken_back_at IS NOT NULL OR OLD.sent_at <= now() - interval '24 hours' OR OLD.return_id IS NOT NULL OR OLD.delivered_on IS NOT NULL
		OR OLD.due_on IS NOT NULL
		OR NOT EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND is_paid)
		OR EXISTS (SELECT FROM refunds WHERE order_id = NEW.order_id AND state <> 'failed' AND asked_at >= OLD.sent_at)
		OR EXISTS (SELECT FROM returns WHERE order_id = NEW.order_id AND status <> 'taken back') THEN
		RAISE EXCEPTION 'a shipment is taken back that was sent for good' USING ERRCODE = 'check_violation', CONSTRAINT = 'shipment_taken_back';
	END IF;
	UPDATE order_lines SET sent = sent - shipment_lines.quantity, packed = packed - shipment_lines.quantity
		FROM shipment_lines WHERE shipment_id = NEW.id AND order_line_id = order_lines.id;
	RETURN NULL;
END $$;
