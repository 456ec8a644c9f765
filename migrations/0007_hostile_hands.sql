CREATE TABLE "imported_files" (
	"hash" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_places" (
	"user_id" text NOT NULL,
	"place" text NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_places_user_id_place_pk" PRIMARY KEY("user_id","place")
);
--> statement-breakpoint
CREATE TABLE "owner_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"to_email" text NOT NULL,
	"event" text NOT NULL,
	"about_email" text NOT NULL,
	"by_email" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"mail_due_at" timestamp with time zone DEFAULT now(),
	"mail_tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "available_quantity_seen" integer;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "stock" text;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "again" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "never_ended" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "email_proven_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "limits_lifted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "owner" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "network" text;--> statement-breakpoint
CREATE INDEX "orders_of_network" ON "orders" USING btree ("network") WHERE "orders"."network" is not null and "orders"."state" = 'open';--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "dispute_status" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "stars" integer GENERATED ALWAYS AS (greatest(floor(round(least(greatest(rating, 0), 5)::numeric, 1)), 1)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "known_places" ADD CONSTRAINT "known_places_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "owner_notices_due" ON "owner_notices" USING btree ("mail_due_at") WHERE "owner_notices"."mail_due_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_buyer_by_state" ON "orders" USING btree ("buyer_id","state");--> statement-breakpoint
-- Each author keeps the newest review.
DELETE FROM "reviews" AS older USING "reviews" AS newer WHERE older.author_id = newer.author_id AND older.position < newer.position;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_by_author" ON "reviews" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("position") WHERE not "reviews"."hidden";--> statement-breakpoint
CREATE INDEX "reviews_shown_by_stars" ON "reviews" USING btree ("stars","position") WHERE not "reviews"."hidden";--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_owner_is_admin" CHECK (not "users"."owner" or ("users"."role" = 'admin' and "users"."removed_at" is null));--> statement-breakpoint
-- A shop from before there were owners: the admin whose account is oldest is the first one.
update users set owner = true
where id = (select id from users where role = 'admin' and removed_at is null order by created_at, id limit 1)
  and not exists (select from users where owner);--> statement-breakpoint
-- The shop gave its admins their e-mail or trusts them with everything. Of other accounts nobody knows whether who chose the password reads the mails.
UPDATE "accounts" SET "email_proven_at" = now() FROM "users" WHERE "users"."id" = "accounts"."user_id" AND "users"."role" = 'admin' AND "accounts"."provider_id" = 'credential';--> statement-breakpoint
-- What limits a buyer is counted and decided one order of theirs after the other: a volatile function sees, once it holds the lock, what those before it have committed, which the statement that asks it does not.
-- A network is locked and counted only for who neither has paid nor verified their e-mail.
CREATE FUNCTION "buyer_holds"(buyer text, newest integer, from_network text DEFAULT NULL)
RETURNS TABLE (is_removed boolean, is_lifted boolean, is_verified boolean, has_paid boolean, open_orders integer, held_pieces bigint, held_dollars bigint, placed_lately integer, lately_since timestamp with time zone, counted_network text, network_pieces bigint, network_dollars bigint)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('orders of ' || buyer, 0));
	SELECT users.removed_at IS NOT NULL, users.limits_lifted_at IS NOT NULL, users.email_verified,
		EXISTS (SELECT FROM orders WHERE buyer_id = buyer AND state IN ('paid', 'packed', 'shipped'))
		INTO is_removed, is_lifted, is_verified, has_paid FROM users WHERE users.id = buyer;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	IF NOT (is_lifted OR is_verified OR has_paid) AND from_network IS NOT NULL THEN
		PERFORM pg_advisory_xact_lock(hashtextextended('orders from ' || from_network, 0));
		counted_network := from_network;
	END IF;
	RETURN QUERY SELECT
		is_removed, is_lifted, is_verified, has_paid,
		waiting.orders, waiting.pieces, waiting.dollars, lately.orders, lately.since, counted_network, shared.pieces, shared.dollars
	FROM
		(SELECT count(*)::integer AS orders, coalesce(sum(product_quantity), 0) AS pieces, coalesce(sum(product_cost), 0) AS dollars
			FROM orders WHERE buyer_id = buyer AND state = 'open') waiting,
		(SELECT count(*)::integer AS orders, min(placed_at) AS since
			FROM (SELECT placed_at FROM orders WHERE buyer_id = buyer ORDER BY number DESC LIMIT newest) latest
			WHERE placed_at > now() - interval '1 hour') lately,
		(SELECT coalesce(sum(product_quantity), 0) AS pieces, coalesce(sum(product_cost), 0) AS dollars
			FROM orders WHERE network = counted_network AND state = 'open') shared;
END $$;--> statement-breakpoint
UPDATE "orders" SET "hold_until" = now() FROM "users" WHERE "users"."id" = "orders"."buyer_id" AND "users"."removed_at" IS NOT NULL AND "orders"."state" = 'open' AND "orders"."hold_until" > now();--> statement-breakpoint
-- How the disputes so far stand, from what their events left in the history: how one has ended stays.
UPDATE "payments" SET "dispute_status" = (
  SELECT substring("note" from ': (\w+)$') AS "status" FROM "orders" JOIN "order_history" ON "order_id" = "orders"."id"
  WHERE "payment_id" = "payments"."id" AND "event" = 'disputed'
  ORDER BY substring("note" from ': (\w+)$') IN ('won', 'lost', 'warning_closed') DESC, "order_history"."id" DESC LIMIT 1
);--> statement-breakpoint
-- Reports say from here on what becomes of stock. What was checked is checked again; what was let run sets the stock, as it did then.
UPDATE "imports" SET "report" = '{"setsStock": 0, "setsStockOnly": 0, "movesStock": 0, "shortPieces": 0}'::jsonb || "report" WHERE "report" IS NOT NULL;--> statement-breakpoint
UPDATE "imports" SET "state" = 'checking', "report" = NULL, "tries" = 0 WHERE "state" = 'checked';--> statement-breakpoint
UPDATE "imports" SET "stock" = 'set' WHERE "state" = 'importing';
