-- A cart is read without a lock, and ordered by a statement that locks it only if it is still as it was read.
ALTER TABLE "carts" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- As before, and the cart has another version then.
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
END $$;--> statement-breakpoint
-- Processes keep the settings of tax and delivery in memory, with their version: a random one for each change, whoever makes it, so that none is of two states. It is committed with the change.
CREATE FUNCTION "renew_charge_settings_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO kept_values (name, value) VALUES ('charge settings', gen_random_uuid()) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "tax_settings_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "tax_settings" FOR EACH STATEMENT EXECUTE FUNCTION "renew_charge_settings_version"();--> statement-breakpoint
CREATE TRIGGER "tax_rates_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "tax_rates" FOR EACH STATEMENT EXECUTE FUNCTION "renew_charge_settings_version"();--> statement-breakpoint
CREATE TRIGGER "delivery_settings_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "delivery_settings" FOR EACH STATEMENT EXECUTE FUNCTION "renew_charge_settings_version"();--> statement-breakpoint
CREATE TRIGGER "shop_holidays_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "shop_holidays" FOR EACH STATEMENT EXECUTE FUNCTION "renew_charge_settings_version"();--> statement-breakpoint
CREATE TRIGGER "delivery_zones_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "delivery_zones" FOR EACH STATEMENT EXECUTE FUNCTION "renew_charge_settings_version"();--> statement-breakpoint
CREATE TRIGGER "delivery_methods_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "delivery_methods" FOR EACH STATEMENT EXECUTE FUNCTION "renew_charge_settings_version"();--> statement-breakpoint
-- Sees what was committed while the statement that asks has waited for a lock: VOLATILE, so that it is evaluated where it stands and reads by a snapshot of its own.
CREATE FUNCTION "charge_settings_version"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	RETURN (SELECT value FROM kept_values WHERE name = 'charge settings');
END $$;--> statement-breakpoint
INSERT INTO kept_values (name, value) VALUES ('charge settings', gen_random_uuid());
