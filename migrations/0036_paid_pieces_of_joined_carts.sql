-- As before, also where the cart is joined to another one while the payment waits for it: the order is that one's then.
CREATE OR REPLACE FUNCTION "take_paid_pieces_out_of_cart"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	paid_cart uuid;
	seen_cart uuid;
BEGIN
	LOOP
		SELECT cart_id INTO paid_cart FROM order_details WHERE order_id = NEW.id;
		IF paid_cart IS NULL OR paid_cart = seen_cart THEN
			RETURN NULL;
		END IF;
		PERFORM FROM carts WHERE id = paid_cart FOR NO KEY UPDATE;
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
