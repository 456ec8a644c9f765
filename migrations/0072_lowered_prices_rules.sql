-- The lowest price that the changes of the last 30 days have overwritten or made; null without any. What a change made counts, too, as some were
-- not kept before there was the trigger. Without sequential scans: a plan made while the history is short is kept for an import that makes it long.
CREATE FUNCTION "lowest_kept_price"("product" uuid) RETURNS integer LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	RETURN (SELECT min(least(before::numeric, after::numeric)) * 100 FROM product_history
		WHERE tool_id = product AND field = 'price' AND at > now() - interval '30 days');
END $$;--> statement-breakpoint
-- Keeps every change of a price and of price breaks, whoever makes it, and says of a price that falls what it was lowered from: the lowest of
-- the 30 days before, those that were in force when they began included. While a reduction is shown, a further one names the same price.
-- The settings are of the transaction: who changes it, and in which import (store/catalogue/product-history.ts).
CREATE FUNCTION "keep_price_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed_by text := nullif(current_setting('store.user_id', true), '');
	changed_in uuid := nullif(current_setting('store.import_id', true), '')::uuid;
	lowest integer;
BEGIN
	IF NEW.lowered_from_cents IS DISTINCT FROM OLD.lowered_from_cents OR NEW.lowered_at IS DISTINCT FROM OLD.lowered_at THEN
		RAISE EXCEPTION 'what a price was lowered from follows from its changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'tools_lowered_by_price';
	END IF;
	-- Others are refused by the table afterwards.
	IF NEW.price_breaks <> OLD.price_breaks AND (NEW.price_breaks = '[]' OR are_price_breaks(NEW.price_breaks)) THEN
		INSERT INTO product_history (tool_id, field, before, after, user_id, import_id)
			VALUES (NEW.id, 'price_breaks', price_breaks_text(OLD.price_breaks), price_breaks_text(NEW.price_breaks), changed_by, changed_in);
	END IF;
	IF NEW.price_cents = OLD.price_cents THEN
		RETURN NEW;
	END IF;
	IF NEW.price_cents > OLD.price_cents THEN
		NEW.lowered_from_cents := NULL;
		NEW.lowered_at := NULL;
	ELSIF OLD.lowered_at IS NULL OR OLD.lowered_at <= now() - interval '30 days' THEN
		lowest := least(OLD.price_cents, lowest_kept_price(NEW.id));
		NEW.lowered_from_cents := CASE WHEN NEW.price_cents < lowest THEN lowest END;
		NEW.lowered_at := CASE WHEN NEW.price_cents < lowest THEN now() END;
	END IF;
	INSERT INTO product_history (tool_id, field, before, after, user_id, import_id)
		VALUES (NEW.id, 'price', trim_scale(OLD.price_cents / 100.0), trim_scale(NEW.price_cents / 100.0), changed_by, changed_in);
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION "refuse_typed_reduction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'what a price was lowered from follows from its changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'tools_lowered_by_price';
END $$;--> statement-breakpoint
-- What the kept changes of the price of a product make of it, read from the beginning: its price, and what it was lowered from. Nothing of
-- what came before a change that was not kept, as of SQL before the trigger.
CREATE FUNCTION "price_by_history"("product" uuid, OUT "price_cents" integer, OUT "lowered_from_cents" integer, OUT "lowered_at" timestamp with time zone)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
	change record;
BEGIN
	FOR change IN SELECT id, at, (before::numeric * 100)::integer AS before, (after::numeric * 100)::integer AS after
			FROM product_history WHERE tool_id = product AND field = 'price' ORDER BY id LOOP
		IF change.after >= change.before OR change.before <> price_cents OR lowered_at <= change.at - interval '30 days' THEN
			lowered_at := NULL;
		END IF;
		IF lowered_at IS NULL AND change.after < change.before THEN
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
UPDATE "tools" SET "lowered_from_cents" = found.lowered_from_cents, "lowered_at" = found.lowered_at
	FROM (SELECT DISTINCT tool_id FROM product_history WHERE field = 'price' AND at > now() - interval '30 days') AS changed,
		price_by_history(changed.tool_id) AS found
	WHERE tools.id = changed.tool_id AND found.lowered_at > now() - interval '30 days' AND found.price_cents = tools.price_cents;--> statement-breakpoint
CREATE TRIGGER "keep_price_change" BEFORE UPDATE ON "tools" FOR EACH ROW
	WHEN (NEW.price_cents <> OLD.price_cents OR NEW.price_breaks <> OLD.price_breaks
		OR NEW.lowered_from_cents IS DISTINCT FROM OLD.lowered_from_cents OR NEW.lowered_at IS DISTINCT FROM OLD.lowered_at)
	EXECUTE FUNCTION "keep_price_change"();--> statement-breakpoint
CREATE TRIGGER "refuse_typed_reduction" BEFORE INSERT ON "tools" FOR EACH ROW
	WHEN (NEW.lowered_from_cents IS NOT NULL OR NEW.lowered_at IS NOT NULL) EXECUTE FUNCTION "refuse_typed_reduction"();
