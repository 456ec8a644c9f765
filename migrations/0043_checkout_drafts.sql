CREATE TABLE "checkout_drafts" (
	"cart_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"typed" jsonb NOT NULL,
	"refusal" jsonb,
	"network" text NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "checkout_drafts" ADD CONSTRAINT "checkout_drafts_cart_id_carts_id_fk" FOREIGN KEY ("cart_id") REFERENCES "public"."carts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "checkout_drafts_by_time" ON "checkout_drafts" USING btree ("saved_at");