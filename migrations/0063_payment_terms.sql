-- The method by which an order is placed: the one that was asked for, if it is on, or else the first that is; no row where that is off. Without settings only cards are taken.
-- VOLATILE, so that the statement that asks has it evaluated once it has waited for its locks.
CREATE FUNCTION "payment_terms"(asked text) RETURNS TABLE ("method" text, "hold_days" integer) LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
	RETURN QUERY SELECT offered.method, CASE offered.method WHEN 'bank_transfer' THEN settings.hold_days::integer END
		FROM (SELECT coalesce(bool_and(card), true) AS card, coalesce(bool_and(bank_transfer), false) AS bank_transfer,
				coalesce(bool_and(on_account), false) AS on_account, max(payment_settings.hold_days) AS hold_days FROM payment_settings) settings,
			LATERAL (VALUES ('card', card, 1), ('bank_transfer', bank_transfer, 2), ('on_account', on_account AND asked IS NOT NULL, 3)) offered (method, is_on, place)
		WHERE is_on AND (asked IS NULL OR asked = offered.method)
		ORDER BY place LIMIT 1;
END $$;--> statement-breakpoint
-- As before, but not of an order that has emptied its cart when it was placed: what lies there now is another purchase.
CREATE OR REPLACE FUNCTION "take_paid_pieces_out_of_cart"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	paid_cart uuid;
	seen_cart uuid;
BEGIN
	LOOP
		SELECT cart_id INTO paid_cart FROM order_details WHERE order_id = NEW.id AND NOT cart_emptied;
		IF paid_cart IS NULL OR paid_cart = seen_cart THEN
			RETURN NULL;
		END IF;
		UPDATE carts SET version = version + 1 WHERE id = paid_cart;
		EXIT WHEN FOUND;
		seen_cart := paid_cart;
	END LOOP;
	DELETE FROM cart_lines USING order_lines
		WHERE cart_lines.cart_id = paid_cart AND order_lines.order_id = NEW.id AND NOT order_lines.is_released
			AND cart_lines.tool_id = order_lines.tool_id AND cart_lines.quantity <= order_lines.quantity;
	UPDATE cart_lines SET quantity = cart_lines.quantity - order_lines.quantity FROM order_lines
		WHERE cart_lines.cart_id = paid_cart AND order_lines.order_id = NEW.id AND NOT order_lines.is_released
			AND cart_lines.tool_id = order_lines.tool_id;
	RETURN NULL;
END $$;
