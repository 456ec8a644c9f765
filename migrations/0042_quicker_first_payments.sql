-- As before, but not for a payment that nobody has paid yet: it takes nothing and returns nothing, and one is inserted with each order of a basket.
DROP TRIGGER "payments_keep_status" ON "payments";--> statement-breakpoint
CREATE TRIGGER "payments_keep_status" AFTER UPDATE OF "state", "refunded_cents", "checking_since", "order_id" ON "payments" FOR EACH ROW EXECUTE FUNCTION "keep_payment_status"();--> statement-breakpoint
CREATE TRIGGER "new_payments_keep_status" AFTER INSERT ON "payments" FOR EACH ROW
	WHEN (NEW.state <> 'open' OR NEW.refunded_cents > 0 OR NEW.checking_since IS NOT NULL) EXECUTE FUNCTION "keep_payment_status"();
