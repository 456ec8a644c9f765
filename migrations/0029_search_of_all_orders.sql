-- What admins search of an order and of its lines, as it is compared. Each table in one statement: it is rewritten once.
ALTER TABLE "order_lines" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(product_name || coalesce(' ' || brand, ''))) STORED NOT NULL,
	ADD COLUMN "mpn_code" text GENERATED ALWAYS AS (regexp_replace(lower(mpn), '[^[:alnum:]]', '', 'g')) STORED;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(number::text || ' ' || buyer_name || ' ' || buyer_email || ' ' || buyer_address)) STORED NOT NULL,
	ADD COLUMN "phone_digits" text GENERATED ALWAYS AS (ltrim(regexp_replace(replace(phone_number, '(0)', ''), '\D', '', 'g'), '0')) STORED;
