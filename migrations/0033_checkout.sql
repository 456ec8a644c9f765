CREATE TABLE "order_details" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"cart_id" uuid NOT NULL,
	"request_key" text,
	"request_hash" text NOT NULL,
	"name" text NOT NULL,
	"deliver_to" jsonb NOT NULL,
	"bill_to" jsonb,
	"company" text,
	"vat_id" text,
	"po_number" text,
	"buyer_reference" text,
	"delivery_method" jsonb,
	"part_numbers" jsonb NOT NULL,
	CONSTRAINT "order_details_named" CHECK (length("order_details"."name") between 1 and 80)
);
--> statement-breakpoint
ALTER TABLE "order_details" ADD CONSTRAINT "order_details_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "order_details_by_request" ON "order_details" USING btree ("cart_id","request_key");--> statement-breakpoint
-- Paying an order takes its pieces out of the cart that it was placed from, and leaves what was added meanwhile. As a trigger, so that it holds whoever settles the payment. The cart is locked as every change of it locks it: otherwise one that has read the lines before would write the paid pieces back.
CREATE FUNCTION "take_paid_pieces_out_of_cart"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid_cart uuid;
BEGIN
  SELECT cart_id INTO paid_cart FROM order_details WHERE order_id = NEW.id;
  PERFORM FROM carts WHERE id = paid_cart FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  DELETE FROM cart_lines USING order_lines
    WHERE cart_lines.cart_id = paid_cart AND order_lines.order_id = NEW.id AND NOT order_lines.is_released
      AND cart_lines.tool_id = order_lines.tool_id AND cart_lines.quantity <= order_lines.quantity;
  UPDATE cart_lines SET quantity = cart_lines.quantity - order_lines.quantity FROM order_lines
    WHERE cart_lines.cart_id = paid_cart AND order_lines.order_id = NEW.id AND NOT order_lines.is_released
      AND cart_lines.tool_id = order_lines.tool_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "take_paid_pieces_out_of_cart" AFTER UPDATE OF order_status ON "orders" FOR EACH ROW WHEN (OLD.order_status = 'open' AND NEW.order_status = 'placed') EXECUTE FUNCTION "take_paid_pieces_out_of_cart"();
