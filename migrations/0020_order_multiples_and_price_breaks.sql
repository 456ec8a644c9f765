-- Whether these are price breaks that a product can have: quantities rise and prices fall.
CREATE FUNCTION "are_price_breaks"(breaks jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_typeof(breaks) = 'array' AND count(*) <= 10 AND coalesce(bool_and(coalesce(
		quantity >= 2 AND cents BETWEEN 1 AND 99999900 AND quantity > coalesce(quantity_before, 1) AND cents < coalesce(cents_before, 99999901), false)), true)
	FROM (SELECT quantity, cents, lag(quantity) OVER by_place AS quantity_before, lag(cents) OVER by_place AS cents_before
		FROM (SELECT place, (price_break ->> 'min_quantity')::integer AS quantity, (price_break ->> 'price_cents')::integer AS cents
			FROM jsonb_array_elements(CASE jsonb_typeof(breaks) WHEN 'array' THEN breaks ELSE '[]' END) WITH ORDINALITY AS of_product (price_break, place)) AS in_columns
		WINDOW by_place AS (ORDER BY place)) AS compared
$$;--> statement-breakpoint
-- The price of one piece when so many are ordered: the lowest that applies.
CREATE FUNCTION "unit_price_at"(price_cents integer, price_breaks jsonb, quantity integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
	SELECT least(price_cents, (SELECT min((price_break ->> 'price_cents')::integer) FROM jsonb_array_elements(price_breaks) AS price_break
		WHERE (price_break ->> 'min_quantity')::integer <= quantity))
$$;--> statement-breakpoint
-- As a table of products and the history spell them: "25: 11.30; 100: 10.83". Null where there are none.
CREATE FUNCTION "price_breaks_text"(price_breaks jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg((price_break ->> 'min_quantity') || ': ' || CASE WHEN cents % 100 = 0 THEN (cents / 100)::text ELSE to_char(cents / 100.0, 'FM999990.00') END, '; ' ORDER BY place)
	FROM (SELECT place, price_break, (price_break ->> 'price_cents')::integer AS cents
		FROM jsonb_array_elements(price_breaks) WITH ORDINALITY AS of_product (price_break, place)) AS in_columns
$$;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "order_multiple" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "price_breaks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "incoming" jsonb;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "weight_g" integer;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "gtin" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "hs_code" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "origin_country" text;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "order_multiple" integer;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "price_breaks" jsonb;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "incoming" jsonb;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "weight_g" integer;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "gtin" text;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "hs_code" text;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "origin_country" text;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_multiple" CHECK ("tools"."order_multiple" >= 1 and "tools"."minimum_order_quantity" % "tools"."order_multiple" = 0);--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_price_breaks" CHECK ("tools"."price_breaks" = '[]' or are_price_breaks("tools"."price_breaks"));--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_incoming" CHECK ("tools"."incoming" is null or coalesce(("tools"."incoming" ->> 'quantity')::integer > 0, false));--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_weight" CHECK ("tools"."weight_g" > 0);