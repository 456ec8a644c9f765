ALTER TABLE "return_lines" DROP CONSTRAINT "return_lines_resent";--> statement-breakpoint
ALTER TABLE "return_lines" ADD COLUMN "to_buyer" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "return_lines_to_resend" ON "return_lines" USING btree ("return_id") WHERE "return_lines"."resent" < "return_lines"."to_buyer";--> statement-breakpoint
UPDATE "return_lines" line SET "to_buyer" = decided.pieces FROM (
	SELECT return_id, order_line_id, sum(quantity) AS pieces FROM return_decisions WHERE has_arrived AND outcome <> 'refund' GROUP BY 1, 2) decided
	WHERE line.return_id = decided.return_id AND line.order_line_id = decided.order_line_id;--> statement-breakpoint
-- As before, and counts what goes to the buyer again.
CREATE OR REPLACE FUNCTION "return_decision_allowed"() RETURNS trigger LANGUAGE plpgsql AS $$
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
	ELSIF NEW.outcome <> 'refund' THEN
		UPDATE return_lines SET to_buyer = to_buyer + NEW.quantity WHERE return_id = NEW.return_id AND order_line_id = NEW.order_line_id;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_resent" CHECK ("return_lines"."resent" between 0 and "return_lines"."to_buyer" and "return_lines"."to_buyer" <= "return_lines"."arrived");