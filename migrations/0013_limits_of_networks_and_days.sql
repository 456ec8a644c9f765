CREATE INDEX "orders_of_buyer_by_time" ON "orders" USING btree ("buyer_id","placed_at");--> statement-breakpoint
CREATE INDEX "orders_of_network_by_time" ON "orders" USING btree ("network","placed_at") WHERE "orders"."network" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_worked" ON "webhook_events" USING btree ("worked_at");--> statement-breakpoint
DROP FUNCTION "buyer_holds"(text, integer, text);--> statement-breakpoint
-- As before, with two things more: how many orders the buyer has placed within a day, and how many unverified buyers of the network have placed within an hour.
CREATE FUNCTION "buyer_holds"(buyer text, newest integer, from_network text DEFAULT NULL)
RETURNS TABLE (is_removed boolean, is_lifted boolean, is_verified boolean, has_paid boolean, kept_cents bigint, open_orders integer, held_pieces bigint, held_dollars bigint, is_shared boolean, placed_lately integer, lately_since timestamp with time zone, placed_today integer, today_since timestamp with time zone, counted_network text, network_pieces bigint, network_dollars bigint, network_lately integer, network_since timestamp with time zone)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
DECLARE
	own_mailbox text;
	counted text[] := ARRAY[buyer];
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('orders of ' || buyer, 0));
	SELECT users.removed_at IS NOT NULL, users.limits_lifted_at IS NOT NULL, users.email_verified, users.mailbox,
		EXISTS (SELECT FROM orders WHERE buyer_id = buyer AND state IN ('paid', 'packed', 'shipped'))
		INTO is_removed, is_lifted, is_verified, own_mailbox, has_paid FROM users WHERE users.id = buyer;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	IF is_verified AND NOT is_lifted THEN
		PERFORM pg_advisory_xact_lock(hashtextextended('orders of mailbox ' || own_mailbox, 0));
		counted := ARRAY(SELECT id FROM users WHERE mailbox = own_mailbox AND email_verified AND limits_lifted_at IS NULL);
	END IF;
	IF NOT (is_lifted OR is_verified) AND from_network IS NOT NULL THEN
		PERFORM pg_advisory_xact_lock(hashtextextended('orders from ' || from_network, 0));
		counted_network := from_network;
	END IF;
	RETURN QUERY SELECT
		is_removed, is_lifted, is_verified, has_paid, CASE WHEN has_paid THEN kept_cents_of(buyer) ELSE 0 END,
		waiting.orders, waiting.pieces, waiting.dollars, waiting.shared, placed.lately, placed.lately_since, placed.today, placed.today_since,
		counted_network, shared.pieces, shared.dollars, shared_lately.orders, shared_lately.since
	FROM
		(SELECT count(*)::integer AS orders, coalesce(sum(product_quantity), 0) AS pieces, coalesce(sum(product_cost), 0) AS dollars,
				coalesce(bool_or(buyer_id <> buyer), false) AS shared
			FROM orders WHERE buyer_id = ANY (counted) AND state = 'open') waiting,
		(SELECT count(*) FILTER (WHERE placed_at > now() - interval '1 hour')::integer AS lately,
				min(placed_at) FILTER (WHERE placed_at > now() - interval '1 hour') AS lately_since,
				count(*)::integer AS today, min(placed_at) AS today_since
			FROM unnest(counted) account (id), LATERAL
				(SELECT placed_at FROM orders WHERE buyer_id = account.id AND placed_at > now() - interval '1 day' ORDER BY placed_at DESC LIMIT newest) latest) placed,
		(SELECT coalesce(sum(product_quantity), 0) AS pieces, coalesce(sum(product_cost), 0) AS dollars
			FROM orders WHERE network = counted_network AND state = 'open') shared,
		(SELECT count(*)::integer AS orders, min(placed_at) AS since
			FROM orders WHERE network = counted_network AND placed_at > now() - interval '1 hour') shared_lately;
END $$;
