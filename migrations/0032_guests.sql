ALTER TABLE "orders" ALTER COLUMN "buyer_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "placed_by_guest" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_of_guests_by_time" ON "orders" USING btree ("network","placed_at") WHERE "orders"."network" is not null and "orders"."buyer_id" is null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_buyer" CHECK ("orders"."buyer_id" is not null or ("orders"."placed_by_guest" and "orders"."buyer_email" = lower("orders"."buyer_email")));--> statement-breakpoint
-- What the guests of a network hold together, in the columns of buyer_holds: they have no account that could be counted, and any number of addresses.
CREATE FUNCTION "guest_holds"(from_network text, newest integer)
RETURNS TABLE (is_removed boolean, is_lifted boolean, is_verified boolean, has_paid boolean, kept_cents bigint, open_orders integer, held_pieces bigint, held_cents bigint, is_shared boolean, placed_lately integer, lately_since timestamp with time zone, placed_today integer, today_since timestamp with time zone, counted_network text, network_pieces bigint, network_cents bigint, network_lately integer, network_since timestamp with time zone)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('orders from ' || from_network, 0));
	RETURN QUERY SELECT
		false, false, false, false, 0::bigint,
		waiting.orders, waiting.pieces, waiting.cents, false, placed.lately, placed.lately_since, placed.today, placed.today_since,
		from_network, shared.pieces, shared.cents, shared_lately.orders, shared_lately.since
	FROM
		(SELECT count(*)::integer AS orders, coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE network = from_network AND buyer_id IS NULL AND order_status = 'open') waiting,
		(SELECT count(*) FILTER (WHERE placed_at > now() - interval '1 hour')::integer AS lately,
				min(placed_at) FILTER (WHERE placed_at > now() - interval '1 hour') AS lately_since,
				count(*)::integer AS today, min(placed_at) AS today_since
			FROM (SELECT placed_at FROM orders WHERE network = from_network AND buyer_id IS NULL AND placed_at > now() - interval '1 day'
				ORDER BY placed_at DESC LIMIT newest) latest) placed,
		(SELECT coalesce(sum(pieces), 0)::bigint AS pieces, coalesce(sum(total_cents), 0) AS cents
			FROM orders, LATERAL (SELECT sum(quantity - cancelled) AS pieces FROM order_lines WHERE order_id = orders.id) held
			WHERE network = from_network AND order_status = 'open') shared,
		(SELECT count(*)::integer AS orders, min(placed_at) AS since
			FROM orders WHERE network = from_network AND placed_at > now() - interval '1 hour') shared_lately;
END $$;--> statement-breakpoint
-- Whether an unpaid order of a guest in this network uses the code, as buyer_holds_code says it of an account.
CREATE FUNCTION "guests_hold_code"(from_network text, code uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM orders WHERE network = from_network AND buyer_id IS NULL AND discount_code_id = code AND order_status = 'open');
END $$;--> statement-breakpoint
-- Whoever has proved access to a mailbox has the orders that were placed as a guest with its address, however it was proved.
CREATE FUNCTION "adopt_guest_orders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE orders SET buyer_id = NEW.id
		WHERE id IN (SELECT id FROM orders WHERE buyer_email = lower(NEW.email) AND buyer_id IS NULL ORDER BY id FOR UPDATE);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "users_adopt_guest_orders" AFTER UPDATE OF "email_verified" ON "users" FOR EACH ROW
	WHEN (NEW.email_verified AND NOT OLD.email_verified) EXECUTE FUNCTION "adopt_guest_orders"();--> statement-breakpoint
CREATE TRIGGER "new_users_adopt_guest_orders" AFTER INSERT ON "users" FOR EACH ROW
	WHEN (NEW.email_verified) EXECUTE FUNCTION "adopt_guest_orders"();--> statement-breakpoint
-- A review says whether its author has bought: also by an order that has become theirs.
CREATE TRIGGER "adopted_orders_announce_reviews" AFTER UPDATE OF "buyer_id" ON "orders" FOR EACH ROW
	WHEN (NEW.is_paid AND OLD.buyer_id IS DISTINCT FROM NEW.buyer_id) EXECUTE FUNCTION announce_reviews_of_buyer();
