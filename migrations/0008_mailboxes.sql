ALTER TABLE "users" ADD COLUMN "mailbox" text GENERATED ALWAYS AS (regexp_replace(lower(email), '^([^+@]+)\+[^@]*@', '\1@')) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "users_by_mailbox" ON "users" USING btree ("mailbox") WHERE "users"."email_verified";--> statement-breakpoint
-- What a buyer has paid for and not got back, in cents. Disputed payments are not counted until the dispute is won.
CREATE FUNCTION "kept_cents_of"(buyer text) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT coalesce(sum(amount_cents - refunded_cents), 0)::bigint FROM orders JOIN payments ON payments.id = orders.payment_id
		WHERE buyer_id = buyer AND orders.state IN ('paid', 'packed', 'shipped') AND payments.state = 'succeeded'
			AND coalesce(dispute_status IN ('won', 'warning_closed'), true)
$$;--> statement-breakpoint
DROP FUNCTION "buyer_holds"(text, integer, text);--> statement-breakpoint
-- As before, with three things more: who has paid is counted with their network too while their e-mail is not verified, what the buyer has paid for and kept, and what the accounts of one mailbox hold together. Only accounts whose e-mail is verified are counted together: anybody can register an unverified one, which must not take anything from who reads the mails.
CREATE FUNCTION "buyer_holds"(buyer text, newest integer, from_network text DEFAULT NULL)
RETURNS TABLE (is_removed boolean, is_lifted boolean, is_verified boolean, has_paid boolean, kept_cents bigint, open_orders integer, held_pieces bigint, held_dollars bigint, is_shared boolean, placed_lately integer, lately_since timestamp with time zone, counted_network text, network_pieces bigint, network_dollars bigint)
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
		waiting.orders, waiting.pieces, waiting.dollars, waiting.shared, lately.orders, lately.since, counted_network, shared.pieces, shared.dollars
	FROM
		(SELECT count(*)::integer AS orders, coalesce(sum(product_quantity), 0) AS pieces, coalesce(sum(product_cost), 0) AS dollars,
				coalesce(bool_or(buyer_id <> buyer), false) AS shared
			FROM orders WHERE buyer_id = ANY (counted) AND state = 'open') waiting,
		(SELECT count(*)::integer AS orders, min(placed_at) AS since
			FROM unnest(counted) account (id), LATERAL
				(SELECT placed_at FROM orders WHERE buyer_id = account.id ORDER BY number DESC LIMIT newest) latest
			WHERE placed_at > now() - interval '1 hour') lately,
		(SELECT coalesce(sum(product_quantity), 0) AS pieces, coalesce(sum(product_cost), 0) AS dollars
			FROM orders WHERE network = counted_network AND state = 'open') shared;
END $$;
