DROP INDEX "orders_of_guests_by_time";--> statement-breakpoint
CREATE INDEX "orders_of_guests_by_time" ON "orders" USING btree ("network","placed_at") WHERE "orders"."network" is not null and "orders"."placed_by_guest";--> statement-breakpoint
-- Orders of guests that an account has taken over go on counting for the guests of their network, and not for the account: else anybody could
-- order with the address of somebody who is about to verify it, until that account can order nothing more.
CREATE OR REPLACE FUNCTION "buyer_holds"(buyer text, newest integer, from_network text DEFAULT NULL)
RETURNS TABLE (is_removed boolean, is_lifted boolean, is_verified boolean, has_paid boolean, kept_cents bigint, open_orders integer, held_pieces bigint, held_cents bigint, is_shared boolean, placed_lately integer, lately_since timestamp with time zone, placed_today integer, today_since timestamp with time zone, lines_lately bigint, lines_today bigint, counted_network text, network_pieces bigint, network_cents bigint, network_lately integer, network_since timestamp with time zone, network_lines bigint)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
DECLARE
	own_mailbox text;
	counted text[] := ARRAY[buyer];
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('orders of ' || buyer, 0));
	SELECT users.removed_at IS NOT NULL, users.limits_lifted_at IS NOT NULL, users.email_verified, users.mailbox,
		EXISTS (SELECT FROM orders WHERE buyer_id = buyer AND orders.is_paid)
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
		waiting.orders, waiting.pieces, waiting.cents, waiting.shared, placed.lately, placed.lately_since, placed.today, placed.today_since, placed.lines_lately, placed.lines_today,
		counted_network, shared.pieces, shared.cents, shared_lately.orders, shared_lately.since, shared_lately.lines
	FROM
		(SELECT count(*)::integer AS orders, coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents,
				coalesce(bool_or(buyer_id <> buyer), false) AS shared
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE buyer_id = ANY (counted) AND NOT placed_by_guest AND order_status = 'open') waiting,
		(SELECT count(*) FILTER (WHERE placed_at > now() - interval '1 hour')::integer AS lately,
				min(placed_at) FILTER (WHERE placed_at > now() - interval '1 hour') AS lately_since,
				count(*)::integer AS today, min(placed_at) AS today_since,
				coalesce(sum(lines) FILTER (WHERE placed_at > now() - interval '1 hour'), 0)::bigint AS lines_lately, coalesce(sum(lines), 0)::bigint AS lines_today
			FROM unnest(counted) account (id), LATERAL
				(SELECT placed_at, (SELECT count(*) FROM order_lines WHERE order_id = orders.id) AS lines FROM orders WHERE buyer_id = account.id AND NOT placed_by_guest AND placed_at > now() - interval '1 day' ORDER BY placed_at DESC LIMIT newest) latest) placed,
		(SELECT coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE network = counted_network AND order_status = 'open') shared,
		(SELECT count(*)::integer AS orders, min(placed_at) AS since,
				coalesce(sum((SELECT count(*) FROM order_lines WHERE order_id = orders.id)), 0)::bigint AS lines
			FROM orders WHERE network = counted_network AND placed_at > now() - interval '1 hour') shared_lately;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "guest_holds"(from_network text, newest integer)
RETURNS TABLE (is_removed boolean, is_lifted boolean, is_verified boolean, has_paid boolean, kept_cents bigint, open_orders integer, held_pieces bigint, held_cents bigint, is_shared boolean, placed_lately integer, lately_since timestamp with time zone, placed_today integer, today_since timestamp with time zone, lines_lately bigint, lines_today bigint, counted_network text, network_pieces bigint, network_cents bigint, network_lately integer, network_since timestamp with time zone, network_lines bigint)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('orders from ' || from_network, 0));
	RETURN QUERY SELECT
		false, false, false, false, 0::bigint,
		waiting.orders, waiting.pieces, waiting.cents, false, placed.lately, placed.lately_since, placed.today, placed.today_since, placed.lines_lately, placed.lines_today,
		from_network, shared.pieces, shared.cents, shared_lately.orders, shared_lately.since, shared_lately.lines
	FROM
		(SELECT count(*)::integer AS orders, coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE network = from_network AND placed_by_guest AND order_status = 'open') waiting,
		(SELECT count(*) FILTER (WHERE placed_at > now() - interval '1 hour')::integer AS lately,
				min(placed_at) FILTER (WHERE placed_at > now() - interval '1 hour') AS lately_since,
				count(*)::integer AS today, min(placed_at) AS today_since,
				coalesce(sum(lines) FILTER (WHERE placed_at > now() - interval '1 hour'), 0)::bigint AS lines_lately, coalesce(sum(lines), 0)::bigint AS lines_today
			FROM (SELECT placed_at, (SELECT count(*) FROM order_lines WHERE order_id = orders.id) AS lines FROM orders WHERE network = from_network AND placed_by_guest AND placed_at > now() - interval '1 day'
				ORDER BY placed_at DESC LIMIT newest) latest) placed,
		(SELECT coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE network = from_network AND order_status = 'open') shared,
		(SELECT count(*)::integer AS orders, min(placed_at) AS since,
				coalesce(sum((SELECT count(*) FROM order_lines WHERE order_id = orders.id)), 0)::bigint AS lines
			FROM orders WHERE network = from_network AND placed_at > now() - interval '1 hour') shared_lately;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "guests_hold_code"(from_network text, code uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM orders WHERE network = from_network AND placed_by_guest AND discount_code_id = code AND order_status = 'open');
END $$;

