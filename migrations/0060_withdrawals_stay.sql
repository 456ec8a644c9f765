-- A declaration stays as it was received.
CREATE FUNCTION "withdrawal_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'a withdrawal does not change' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "withdrawal_stays" BEFORE UPDATE OR DELETE ON "withdrawals" FOR EACH ROW EXECUTE FUNCTION "withdrawal_stays"();--> statement-breakpoint
CREATE TRIGGER "withdrawal_line_stays" BEFORE UPDATE OR DELETE ON "withdrawal_lines" FOR EACH ROW EXECUTE FUNCTION "withdrawal_stays"();--> statement-breakpoint
-- No piece is withdrawn from twice.
CREATE FUNCTION "withdrawal_line_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM order_lines WHERE id = NEW.order_line_id FOR UPDATE;
	IF NOT EXISTS (SELECT FROM order_lines JOIN withdrawals USING (order_id) WHERE order_lines.id = NEW.order_line_id AND withdrawals.id = NEW.withdrawal_id
			AND order_lines.quantity >= NEW.quantity + (
				SELECT coalesce(sum(quantity), 0) FROM withdrawal_lines WHERE order_line_id = NEW.order_line_id)) THEN
		RAISE EXCEPTION 'more pieces are withdrawn from than were ordered' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_lines_left';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "withdrawal_line_allowed" BEFORE INSERT ON "withdrawal_lines" FOR EACH ROW EXECUTE FUNCTION "withdrawal_line_allowed"();
