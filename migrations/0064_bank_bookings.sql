-- What is assigned of an entry is not left of it: the check on what is left refuses more, whoever writes.
CREATE FUNCTION "count_bank_assignment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE bank_entries SET left_cents = left_cents - NEW.amount_cents WHERE id = NEW.entry_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "bank_assignments_count" AFTER INSERT ON "bank_assignments" FOR EACH ROW EXECUTE FUNCTION "count_bank_assignment"();--> statement-breakpoint
-- What the bank has said and what was booked of it stays.
CREATE FUNCTION "bank_booking_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'entries of the bank and their assignments stay as they are' USING ERRCODE = 'check_violation', CONSTRAINT = 'bank_booking_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "bank_assignments_stay" BEFORE UPDATE OR DELETE ON "bank_assignments" FOR EACH ROW EXECUTE FUNCTION "bank_booking_stays"();--> statement-breakpoint
CREATE TRIGGER "bank_entries_stay" BEFORE DELETE ON "bank_entries" FOR EACH ROW EXECUTE FUNCTION "bank_booking_stays"();--> statement-breakpoint
CREATE TRIGGER "bank_entries_say_the_same" BEFORE UPDATE ON "bank_entries" FOR EACH ROW
	WHEN ((OLD.iban, OLD.key, OLD.booked_on, OLD.amount_cents, OLD.text) IS DISTINCT FROM (NEW.iban, NEW.key, NEW.booked_on, NEW.amount_cents, NEW.text))
	EXECUTE FUNCTION "bank_booking_stays"();--> statement-breakpoint
-- As before, less what an owner asks for no more.
CREATE OR REPLACE FUNCTION "payment_status_of"(of_order uuid) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT CASE
		WHEN taken = 0 THEN CASE WHEN is_checking THEN 'checking' ELSE 'unpaid' END
		WHEN taken = returned THEN 'refunded'
		WHEN taken - returned > total_cents - written_off_cents THEN 'overpaid'
		WHEN taken - returned = total_cents - written_off_cents THEN 'paid'
		WHEN returned = 0 THEN 'partly_paid'
		ELSE 'partly_refunded' END
	FROM orders, LATERAL (
		SELECT coalesce(sum(amount_cents) FILTER (WHERE state = 'succeeded'), 0) AS taken, coalesce(sum(refunded_cents), 0) AS returned,
			coalesce(bool_or(state = 'open' AND checking_since IS NOT NULL), false) AS is_checking
		FROM payments WHERE order_id = orders.id AND NOT is_surplus) AS paid
	WHERE orders.id = of_order
$$;--> statement-breakpoint
-- A payment by transfer grows with each part of it.
DROP TRIGGER "payments_keep_status" ON "payments";--> statement-breakpoint
CREATE TRIGGER "payments_keep_status" AFTER UPDATE OF "state", "amount_cents", "refunded_cents", "checking_since", "order_id" ON "payments" FOR EACH ROW EXECUTE FUNCTION "keep_payment_status"();
