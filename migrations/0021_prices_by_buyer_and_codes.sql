CREATE TABLE "buyer_prices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"user_id" text,
	"group_id" uuid,
	"price_cents" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "buyer_prices_of_user" UNIQUE("user_id","product_id"),
	CONSTRAINT "buyer_prices_of_group" UNIQUE("group_id","product_id"),
	CONSTRAINT "buyer_prices_buyer" CHECK (num_nonnulls("buyer_prices"."user_id", "buyer_prices"."group_id") = 1),
	CONSTRAINT "buyer_prices_price" CHECK ("buyer_prices"."price_cents" between 1 and 99999900)
);
--> statement-breakpoint
CREATE TABLE "customer_group_members" (
	"user_id" text PRIMARY KEY NOT NULL,
	"group_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"percent_off" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_groups_name" UNIQUE("name"),
	CONSTRAINT "customer_groups_percent" CHECK ("customer_groups"."percent_off" between 0 and 90),
	CONSTRAINT "customer_groups_named" CHECK (length("customer_groups"."name") between 1 and 80)
);
--> statement-breakpoint
CREATE TABLE "discount_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"percent_off" smallint,
	"amount_off_cents" integer,
	"minimum_cents" integer DEFAULT 0 NOT NULL,
	"starts_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discount_codes_code" UNIQUE("code"),
	CONSTRAINT "discount_codes_spelling" CHECK ("discount_codes"."code" ~ '^[A-Z0-9][A-Z0-9-]{2,31}$'),
	CONSTRAINT "discount_codes_reduction" CHECK (num_nonnulls("discount_codes"."percent_off", "discount_codes"."amount_off_cents") = 1),
	CONSTRAINT "discount_codes_percent" CHECK ("discount_codes"."percent_off" between 1 and 90),
	CONSTRAINT "discount_codes_amount" CHECK ("discount_codes"."amount_off_cents" between 1 and 99999900),
	CONSTRAINT "discount_codes_minimum" CHECK ("discount_codes"."minimum_cents" between 0 and 99999900),
	CONSTRAINT "discount_codes_period" CHECK ("discount_codes"."ends_at" > "discount_codes"."starts_at"),
	CONSTRAINT "discount_codes_uses" CHECK ("discount_codes"."uses" >= 0 and "discount_codes"."max_uses" >= 1)
);
--> statement-breakpoint
CREATE TABLE "pricing_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pricing_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"what" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "offered_breaks" jsonb;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "own_price_cents" integer;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "price_reason" text DEFAULT 'list' NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "reduction_reason" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_code_id" uuid;--> statement-breakpoint
ALTER TABLE "buyer_prices" ADD CONSTRAINT "buyer_prices_product_id_tools_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_prices" ADD CONSTRAINT "buyer_prices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_prices" ADD CONSTRAINT "buyer_prices_group_id_customer_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."customer_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_group_members" ADD CONSTRAINT "customer_group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_group_members" ADD CONSTRAINT "customer_group_members_group_id_customer_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."customer_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pricing_changes" ADD CONSTRAINT "pricing_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "buyer_prices_of_product" ON "buyer_prices" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "customer_group_members_of_group" ON "customer_group_members" USING btree ("group_id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_discount_code_id_discount_codes_id_fk" FOREIGN KEY ("discount_code_id") REFERENCES "public"."discount_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_of_discount_code" ON "orders" USING btree ("discount_code_id") WHERE "orders"."discount_code_id" is not null;--> statement-breakpoint
-- Until now a price other than the list price was one of a price break.
UPDATE "order_lines" SET "price_reason" = 'price break' WHERE unit_price_cents < list_price_cents;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_unit_price_reason" CHECK (("order_lines"."price_reason" = 'list') = ("order_lines"."unit_price_cents" = "order_lines"."list_price_cents"));--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_unit_price" CHECK (offered_breaks is null
  or unit_price_cents = least(unit_price_at(list_price_cents, offered_breaks, quantity), own_price_cents)
    and (price_reason in ('customer', 'group')) = (unit_price_cents < unit_price_at(list_price_cents, offered_breaks, quantity)));--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_total_least" CHECK ("order_lines"."total_cents" >= "order_lines"."quantity");--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_reduction_reason" CHECK (("order_lines"."reduction_cents" > 0) = ("order_lines"."reduction_reason" is not null));--> statement-breakpoint
-- The price that a buyer has for a product: the customer's own, else that of their group, else the list price less what the group has off,
-- rounded half up. One row or none. In PL/pgSQL, which keeps its plan, as it is asked for every line of every order.
CREATE FUNCTION "own_price_of"(buyer text, product uuid, list_cents integer) RETURNS TABLE (own_cents integer, own_reason text) LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN QUERY SELECT price_cents, 'customer' FROM buyer_prices WHERE product_id = product AND user_id = buyer;
	IF NOT FOUND THEN
		RETURN QUERY SELECT coalesce(of_group.price_cents, greatest(round(list_cents * (100 - percent_off) / 100.0), 1)::integer), 'group'
			FROM customer_group_members AS member JOIN customer_groups ON customer_groups.id = member.group_id
				LEFT JOIN buyer_prices AS of_group ON of_group.group_id = customer_groups.id AND of_group.product_id = product
			WHERE member.user_id = buyer;
	END IF;
END $$;--> statement-breakpoint
-- What a code takes off an order stays what it was, so that the books can check the orders that used it.
CREATE FUNCTION "discount_code_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'what a discount code takes off does not change' USING ERRCODE = 'check_violation', CONSTRAINT = 'discount_code_stays';
END $$;--> statement-breakpoint
CREATE TRIGGER "discount_code_stays" BEFORE UPDATE ON "discount_codes" FOR EACH ROW
	WHEN ((OLD.code, OLD.percent_off, OLD.amount_off_cents, OLD.minimum_cents) IS DISTINCT FROM (NEW.code, NEW.percent_off, NEW.amount_off_cents, NEW.minimum_cents))
	EXECUTE FUNCTION "discount_code_stays"();--> statement-breakpoint
-- Whether an unpaid order of this buyer uses the code. Volatile, so that it sees what was committed while the calling statement waited for a lock.
CREATE FUNCTION "buyer_holds_code"(buyer text, code uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM orders WHERE buyer_id = buyer AND discount_code_id = code AND order_status = 'open');
END $$;--> statement-breakpoint
-- An order that is cancelled or expires no longer counts as a use of its code; one that is placed again, as its refund has failed, does. At the end of the
-- transaction, so that the code is locked after products, as where an order is placed.
CREATE FUNCTION "keep_discount_code_uses"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE discount_codes SET uses = uses + CASE WHEN NEW.order_status IN ('cancelled', 'expired') THEN -1 ELSE 1 END WHERE id = NEW.discount_code_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "orders_keep_discount_code_uses" AFTER UPDATE OF "order_status" ON "orders" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
	WHEN (NEW.discount_code_id IS NOT NULL AND (OLD.order_status IN ('cancelled', 'expired')) <> (NEW.order_status IN ('cancelled', 'expired')))
	EXECUTE FUNCTION "keep_discount_code_uses"();
