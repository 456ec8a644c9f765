CREATE TABLE "cart_lines" (
	"cart_id" uuid NOT NULL,
	"tool_id" uuid NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cart_lines_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"quantity" integer NOT NULL,
	"seen_price_cents" integer NOT NULL,
	"capped_from" integer,
	CONSTRAINT "cart_lines_cart_id_tool_id_pk" PRIMARY KEY("cart_id","tool_id"),
	CONSTRAINT "cart_lines_quantity" CHECK ("cart_lines"."quantity" >= 1),
	CONSTRAINT "cart_lines_seen_price" CHECK ("cart_lines"."seen_price_cents" >= 1)
);
--> statement-breakpoint
CREATE TABLE "cart_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"cart_id" uuid NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "carts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "carts_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "shared_carts" (
	"token" text PRIMARY KEY NOT NULL,
	"lines" jsonb NOT NULL,
	"lines_hash" text NOT NULL,
	"shared_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shared_carts_lines_hash_unique" UNIQUE("lines_hash")
);
--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_cart_id_carts_id_fk" FOREIGN KEY ("cart_id") REFERENCES "public"."carts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_tokens" ADD CONSTRAINT "cart_tokens_cart_id_carts_id_fk" FOREIGN KEY ("cart_id") REFERENCES "public"."carts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cart_lines_of_tool" ON "cart_lines" USING btree ("tool_id");--> statement-breakpoint
CREATE INDEX "cart_tokens_of_cart" ON "cart_tokens" USING btree ("cart_id");--> statement-breakpoint
CREATE INDEX "cart_tokens_by_use" ON "cart_tokens" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "carts_of_visitors" ON "carts" USING btree ("used_at") WHERE "carts"."user_id" is null;--> statement-breakpoint
CREATE INDEX "shared_carts_by_time" ON "shared_carts" USING btree ("shared_at");--> statement-breakpoint
CREATE INDEX "tools_by_sku_key" ON "tools" USING btree (upper(regexp_replace("sku", '[^[:alnum:]]', '', 'g'))) WHERE "tools"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "tools_by_mpn_key" ON "tools" USING btree (upper(regexp_replace("mpn", '[^[:alnum:]]', '', 'g'))) WHERE "tools"."removed_at" is null;