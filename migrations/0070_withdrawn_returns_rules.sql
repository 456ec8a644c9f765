UPDATE "return_lines" SET "must_refund" = quantity - turned_down - to_buyer FROM "returns" WHERE returns.id = return_id AND cause = 'withdrawal';--> statement-breakpoint
-- The money of pieces that were withdrawn from has to go back: what was refunded of the line before counts, too, as those are other pieces.
CREATE FUNCTION "take_over_returned"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE return_lines SET must_refund = NEW.quantity + greatest(must_refund, (SELECT coalesce(sum(quantity), 0) FROM return_decisions
			WHERE return_id = NEW.return_id AND order_line_id = NEW.order_line_id AND outcome = 'refund'))
		WHERE return_id = NEW.return_id AND order_line_id = NEW.order_line_id AND EXISTS (
			SELECT FROM returns JOIN withdrawals USING (order_id)
			WHERE returns.id = NEW.return_id AND returns.status = 'open' AND withdrawals.id = NEW.withdrawal_id);
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the return is not open, or of another order' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawn_return_lines_open';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "take_over_returned" AFTER INSERT ON "withdrawn_return_lines" FOR EACH ROW EXECUTE FUNCTION "take_over_returned"();--> statement-breakpoint
CREATE TRIGGER "withdrawn_return_line_stays" BEFORE UPDATE OR DELETE ON "withdrawn_return_lines" FOR EACH ROW EXECUTE FUNCTION "withdrawal_stays"();--> statement-breakpoint
CREATE TRIGGER "return_line_must_refund_stays" BEFORE UPDATE OF "must_refund" ON "return_lines" FOR EACH ROW
	WHEN (NEW.must_refund < OLD.must_refund) EXECUTE FUNCTION "return_line_stays"();--> statement-breakpoint
-- As before, and not where a withdrawal has taken pieces over.
CREATE OR REPLACE FUNCTION "return_status_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.status <> 'open' OR (NEW.status = 'taken back' AND (NEW.cause = 'withdrawal' OR EXISTS (
			SELECT FROM return_lines WHERE return_id = NEW.id AND (arrived > 0 OR must_refund > 0)))) THEN
		RAISE EXCEPTION 'the return cannot become %', NEW.status USING ERRCODE = 'check_violation', CONSTRAINT = 'return_status_allowed';
	END IF;
	RETURN NEW;
END $$;
