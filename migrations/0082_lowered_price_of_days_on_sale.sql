-- Whether the list price is what somebody pays: no price break that costs less for a piece makes an order that costs no more than the smallest one.
-- A break at or below the minimum does so, and one a little above it that would be the cheaper order. Nor does anybody pay more than an order can
-- cost (`maxCardPaymentCents`). Breaks that are none are refused by the table.
CREATE FUNCTION "asks_list_price"("price_cents" integer, "price_breaks" jsonb, "minimum" integer, "multiple" integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT price_cents::bigint * minimum <= 99999900 AND NOT EXISTS (SELECT FROM jsonb_array_elements(CASE jsonb_typeof(price_breaks) WHEN 'array' THEN price_breaks ELSE '[]' END) AS price_break,
		LATERAL (SELECT (price_break ->> 'price_cents')::bigint AS cents, greatest((price_break ->> 'min_quantity')::integer, minimum) AS pieces,
			greatest(multiple, 1) AS pack) AS of_break
		WHERE cents < price_cents AND cents * ((pieces + pack - 1) / pack * pack) <= price_cents::bigint * minimum)
$$;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "list_price_asked_since" timestamp with time zone;--> statement-breakpoint
DROP TRIGGER "keep_price_change" ON "tools";--> statement-breakpoint
-- Keeps every change of a price and of price breaks, whoever makes it; since when the list price is asked of customers; and of a price that falls
-- what it was lowered from: the lowest of the 30 days before, those that were in force when they began included, where it was asked for all of
-- them. While a reduction is shown, a further one names the same price.
-- The settings are of the transaction: who changes it, and in which import (store/catalogue/product-history.ts).
CREATE OR REPLACE FUNCTION "keep_price_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed_by text := nullif(current_setting('store.user_id', true), '');
	changed_in uuid := nullif(current_setting('store.import_id', true), '')::uuid;
	lowest integer;
BEGIN
	IF NEW.lowered_from_cents IS DISTINCT FROM OLD.lowered_from_cents OR NEW.lowered_at IS DISTINCT FROM OLD.lowered_at
			OR NEW.list_price_asked_since IS DISTINCT FROM OLD.list_price_asked_since THEN
		RAISE EXCEPTION 'what a price was lowered from follows from its changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'tools_lowered_by_price';
	END IF;
	IF NEW.removed_at IS NOT NULL OR NOT asks_list_price(NEW.price_cents, NEW.price_breaks, NEW.minimum_order_quantity, NEW.order_multiple) THEN
		NEW.list_price_asked_since := NULL;
	ELSIF OLD.list_price_asked_since IS NULL AND NEW.available_quantity >= NEW.minimum_order_quantity THEN
		NEW.list_price_asked_since := now();
	END IF;
	-- Others are refused by the table afterwards.
	IF NEW.price_breaks <> OLD.price_breaks AND (NEW.price_breaks = '[]' OR are_price_breaks(NEW.price_breaks)) THEN
		INSERT INTO product_history (tool_id, field, before, after, user_id, import_id)
			VALUES (NEW.id, 'price_breaks', price_breaks_text(OLD.price_breaks), price_breaks_text(NEW.price_breaks), changed_by, changed_in);
	END IF;
	IF NEW.list_price_asked_since IS NULL OR NEW.price_cents > OLD.price_cents THEN
		NEW.lowered_from_cents := NULL;
		NEW.lowered_at := NULL;
	ELSIF NEW.price_cents < OLD.price_cents AND (OLD.lowered_at IS NULL OR OLD.lowered_at <= now() - interval '30 days') THEN
		lowest := CASE WHEN OLD.list_price_asked_since <= now() - interval '30 days' THEN least(OLD.price_cents, lowest_kept_price(NEW.id)) END;
		NEW.lowered_from_cents := CASE WHEN NEW.price_cents < lowest THEN lowest END;
		NEW.lowered_at := CASE WHEN NEW.price_cents < lowest THEN now() END;
	END IF;
	IF NEW.price_cents <> OLD.price_cents THEN
		INSERT INTO product_history (tool_id, field, before, after, user_id, import_id)
			VALUES (NEW.id, 'price', trim_scale(OLD.price_cents / 100.0), trim_scale(NEW.price_cents / 100.0), changed_by, changed_in);
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION "begin_to_ask_list_price"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.list_price_asked_since := CASE WHEN NEW.removed_at IS NULL AND NEW.available_quantity >= NEW.minimum_order_quantity
		AND asks_list_price(NEW.price_cents, NEW.price_breaks, NEW.minimum_order_quantity, NEW.order_multiple) THEN now() END;
	RETURN NEW;
END $$;--> statement-breakpoint
-- What the kept changes of the price of a product make of it, read from the beginning: its price, and what it was lowered from. Nothing of
-- what came before a change that was not kept, as of SQL before the trigger, nor of what came before its list price was asked for 30 days.
CREATE OR REPLACE FUNCTION "price_by_history"("product" uuid, OUT "price_cents" integer, OUT "lowered_from_cents" integer, OUT "lowered_at" timestamp with time zone)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
	change record;
	asked_since timestamp with time zone := (SELECT list_price_asked_since FROM tools
		WHERE id = product AND asks_list_price(tools.price_cents, price_breaks, minimum_order_quantity, order_multiple));
BEGIN
	FOR change IN SELECT id, at, (before::numeric * 100)::integer AS before, (after::numeric * 100)::integer AS after
			FROM product_history WHERE tool_id = product AND field = 'price' ORDER BY id LOOP
		IF change.after >= change.before OR change.before <> price_cents OR lowered_at <= change.at - interval '30 days' THEN
			lowered_at := NULL;
		END IF;
		IF lowered_at IS NULL AND change.after < change.before AND asked_since <= change.at - interval '30 days' THEN
			SELECT min(in_force) * 100 INTO lowered_from_cents FROM product_history AS earlier,
				unnest(ARRAY[earlier.before, CASE WHEN earlier.id < change.id THEN earlier.after END]::numeric[]) AS in_force
				WHERE earlier.tool_id = product AND earlier.field = 'price' AND earlier.id <= change.id AND earlier.at > change.at - interval '30 days';
			lowered_at := CASE WHEN change.after < lowered_from_cents THEN change.at END;
		END IF;
		price_cents := change.after;
	END LOOP;
	IF lowered_at IS NULL THEN
		lowered_from_cents := NULL;
	END IF;
END $$;--> statement-breakpoint
-- Of what was there before: since the product was last brought back, or its minimum, packs or breaks last changed, as it is not known what these
-- made of its list price before. Nothing that is shown follows from it yet, so that the search need not read all products anew.
ALTER TABLE "tools" DISABLE TRIGGER "note_changed_tools";--> statement-breakpoint
UPDATE "tools" SET "list_price_asked_since" = greatest(tools.created_at, changed.at)
	FROM "tools" AS same LEFT JOIN (SELECT tool_id, max(at) AS at FROM product_history
		WHERE field IN ('for_sale', 'minimum_order_quantity', 'order_multiple', 'price_breaks') GROUP BY tool_id) AS changed ON changed.tool_id = same.id
	WHERE tools.id = same.id AND tools.removed_at IS NULL
		AND (tools.available_quantity > 0 OR EXISTS (SELECT FROM stock_movements WHERE stock_movements.tool_id = tools.id))
		AND asks_list_price(tools.price_cents, tools.price_breaks, tools.minimum_order_quantity, tools.order_multiple);--> statement-breakpoint
ALTER TABLE "tools" ENABLE TRIGGER "note_changed_tools";--> statement-breakpoint
UPDATE "tools" SET "lowered_from_cents" = due.lowered_from_cents, "lowered_at" = due.lowered_at
	FROM "tools" AS shown LEFT JOIN LATERAL price_by_history(shown.id) AS due ON due.price_cents = shown.price_cents
	WHERE tools.id = shown.id AND shown.lowered_at IS NOT NULL
		AND (shown.lowered_from_cents, shown.lowered_at) IS DISTINCT FROM (due.lowered_from_cents, due.lowered_at);--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_list_price_asked" CHECK (case when "tools"."list_price_asked_since" is null then "tools"."lowered_at" else "tools"."removed_at" end is null);--> statement-breakpoint
CREATE TRIGGER "keep_price_change" BEFORE UPDATE ON "tools" FOR EACH ROW
	WHEN (NEW.price_cents <> OLD.price_cents OR NEW.price_breaks <> OLD.price_breaks OR OLD.list_price_asked_since IS NULL
		OR NEW.minimum_order_quantity <> OLD.minimum_order_quantity OR NEW.order_multiple <> OLD.order_multiple OR NEW.removed_at IS NOT NULL
		OR NEW.lowered_from_cents IS DISTINCT FROM OLD.lowered_from_cents OR NEW.lowered_at IS DISTINCT FROM OLD.lowered_at
		OR NEW.list_price_asked_since IS DISTINCT FROM OLD.list_price_asked_since)
	EXECUTE FUNCTION "keep_price_change"();--> statement-breakpoint
CREATE TRIGGER "begin_to_ask_list_price" BEFORE INSERT ON "tools" FOR EACH ROW EXECUTE FUNCTION "begin_to_ask_list_price"();
