CREATE TABLE "profile_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "profile_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"before" jsonb NOT NULL,
	"by_user_id" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "discount_codes" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
-- What admins search of an order and of its lines, as it is compared. Each table in one statement: it is rewritten once.
ALTER TABLE "order_lines" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(product_name || coalesce(' ' || brand, ''))) STORED NOT NULL,
	ADD COLUMN "mpn_code" text GENERATED ALWAYS AS (regexp_replace(lower(mpn), '[^[:alnum:]]', '', 'g')) STORED;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(number::text || ' ' || buyer_name || ' ' || buyer_email || ' ' || buyer_address)) STORED NOT NULL,
	ADD COLUMN "phone_digits" text GENERATED ALWAYS AS (ltrim(regexp_replace(replace(phone_number, '(0)', ''), '\D', '', 'g'), '0')) STORED;--> statement-breakpoint
ALTER TABLE "profile_changes" ADD CONSTRAINT "profile_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_changes" ADD CONSTRAINT "profile_changes_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "profile_changes_of_user" ON "profile_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "profile_changes_by_time" ON "profile_changes" USING btree ("at");