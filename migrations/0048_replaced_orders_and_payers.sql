ALTER TABLE "order_details" ADD COLUMN "replaced_by" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "opened_by" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "paid_by" text;--> statement-breakpoint
ALTER TABLE "order_details" ADD CONSTRAINT "order_details_replaced_by_orders_id_fk" FOREIGN KEY ("replaced_by") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_opened_by_users_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_paid_by_users_id_fk" FOREIGN KEY ("paid_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_details_replaced_by" ON "order_details" USING btree ("replaced_by") WHERE "order_details"."replaced_by" is not null;--> statement-breakpoint
-- So far an order of a cart has ended whichever of it was open, and its page named the next order of the cart.
UPDATE "order_details" SET replaced_by = next.id
FROM orders AS replaced, LATERAL (
  SELECT later.id FROM order_details AS other JOIN orders AS later ON later.id = other.order_id
  WHERE other.cart_id = (SELECT cart_id FROM order_details AS own WHERE own.order_id = replaced.id) AND later.number > replaced.number
  ORDER BY later.number LIMIT 1
) AS next
WHERE replaced.id = order_details.order_id AND EXISTS (
  SELECT FROM order_history
  WHERE order_history.order_id = replaced.id AND event = 'cancelled' AND actor = 'buyer' AND note = 'You have ordered your basket anew'
);
