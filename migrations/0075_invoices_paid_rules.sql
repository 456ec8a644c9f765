-- An invoice is paid by money of its own order.
CREATE FUNCTION "assignment_pays_own_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM payments JOIN shipments ON shipments.order_id = payments.order_id
			WHERE payments.id = NEW.payment_id AND shipments.id = NEW.shipment_id AND due_on IS NOT NULL AND NOT is_surplus) THEN
		RAISE EXCEPTION 'money of an order pays the invoices of its own parcels' USING ERRCODE = 'check_violation', CONSTRAINT = 'assignment_pays_own_invoice';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "assignment_pays_own_invoice" BEFORE INSERT ON "bank_assignments" FOR EACH ROW
	WHEN (NEW.shipment_id IS NOT NULL) EXECUTE FUNCTION "assignment_pays_own_invoice"();--> statement-breakpoint
-- The invoices of the parcels of an order, and what is left to pay of each: a payment that names one pays it first; what is more than that, all other
-- payments, and credits of what was invoiced pay the oldest first.
CREATE OR REPLACE FUNCTION "parcels_on_account"(of_order uuid) RETURNS TABLE ("shipment_id" uuid, "due" date, "invoiced_cents" bigint, "open_cents" bigint) LANGUAGE sql STABLE AS $$
	WITH named AS (
		SELECT a.shipment_id, sum(least(a.amount_cents, p.amount_cents - p.refunded_cents)) AS cents
		FROM payments p JOIN bank_assignments a ON a.payment_id = p.id
		WHERE p.order_id = of_order AND p.state = 'succeeded' AND NOT p.is_surplus AND a.shipment_id IS NOT NULL GROUP BY a.shipment_id
	), parcels AS (
		SELECT invoiced.*, least(invoiced.cents, coalesce(named.cents, 0)) AS paid_cents
		FROM (SELECT id, number, due_on, (delivery_cents + (SELECT coalesce(sum(charged_cents), 0) FROM shipment_lines WHERE shipment_lines.shipment_id = shipments.id))::bigint AS cents
				FROM shipments WHERE order_id = of_order AND due_on IS NOT NULL) invoiced LEFT JOIN named ON named.shipment_id = invoiced.id
	), paid AS (
		SELECT (SELECT coalesce(sum(amount_cents - refunded_cents), 0) FROM payments WHERE order_id = of_order AND state = 'succeeded' AND NOT is_surplus)
			+ (SELECT coalesce(sum(f.amount_cents - f.not_invoiced_cents), 0) FROM refunds r JOIN refund_lines f ON f.refund_id = r.id
				WHERE r.order_id = of_order AND r.payment_id IS NULL AND r.state <> 'failed')
			+ (SELECT written_off_cents FROM orders WHERE id = of_order) - (SELECT coalesce(sum(paid_cents), 0) FROM parcels) AS settled
	)
	SELECT id, due_on, cents, greatest(0, least(cents - paid_cents, sum(cents - paid_cents) OVER (ORDER BY number) - settled))::bigint FROM parcels, paid
$$;
