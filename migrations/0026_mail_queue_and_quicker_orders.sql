-- The mail that is sent next is the first of this index. By the time alone, all that are due were read and sorted for each.
DROP INDEX "order_history_by_mail";--> statement-breakpoint
CREATE INDEX "order_history_mail_queue" ON "order_history" USING btree ("mail_tries","mail_due_at") WHERE "order_history"."mail_due_at" is not null;--> statement-breakpoint
-- Whether a buyer has ever paid is asked for each order: all of the buyer's orders were read where none is paid.
CREATE INDEX "orders_paid_of_buyer" ON "orders" USING btree ("buyer_id") WHERE "orders"."is_paid";--> statement-breakpoint
-- The price of so many pieces, of the list or a price break. Most products have none: a query within a function costs more than the rest of a line's checks.
CREATE OR REPLACE FUNCTION "unit_price_at"(price_cents integer, price_breaks jsonb, quantity integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF price_breaks = '[]' THEN
		RETURN price_cents;
	END IF;
	RETURN least(price_cents, (SELECT min((price_break ->> 'price_cents')::integer) FROM jsonb_array_elements(price_breaks) AS price_break
		WHERE (price_break ->> 'min_quantity')::integer <= quantity));
END $$;
