CREATE TABLE "pasted_lists" (
	"cart_id" uuid PRIMARY KEY NOT NULL,
	"list" jsonb NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pasted_lists" ADD CONSTRAINT "pasted_lists_cart_id_carts_id_fk" FOREIGN KEY ("cart_id") REFERENCES "public"."carts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pasted_lists_by_time" ON "pasted_lists" USING btree ("sent_at");