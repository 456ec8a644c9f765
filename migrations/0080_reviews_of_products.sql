DROP INDEX "reviews_by_author";--> statement-breakpoint
DROP INDEX "reviews_shown";--> statement-breakpoint
DROP INDEX "reviews_shown_by_stars";--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "product_id" uuid;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_product_id_tools_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_by_author_and_product" ON "reviews" USING btree ("author_id","product_id") WHERE "reviews"."product_id" is not null;--> statement-breakpoint
CREATE INDEX "reviews_shown_of_product" ON "reviews" USING btree ("product_id","position") WHERE not "reviews"."hidden" and "reviews"."product_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_by_author" ON "reviews" USING btree ("author_id") WHERE "reviews"."product_id" is null;--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("position") WHERE not "reviews"."hidden" and "reviews"."product_id" is null;--> statement-breakpoint
CREATE INDEX "reviews_shown_by_stars" ON "reviews" USING btree ("stars","position") WHERE not "reviews"."hidden" and "reviews"."product_id" is null;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_of_product" CHECK ("reviews"."product_id" is null or "reviews"."author_id" is not null and "reviews"."rating" between 1 and 5 and "reviews"."rating" * 2 = floor("reviews"."rating" * 2));--> statement-breakpoint
-- Pages are rendered again for the reviews that they show: those of the shop, or those of one product.
CREATE OR REPLACE FUNCTION "announce_reviews_of_account"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM reviews WHERE author_id = NEW.id AND product_id IS NULL) THEN
		PERFORM pg_notify('changes', 'accounts reviews');
	END IF;
	PERFORM pg_notify('changes', 'accounts reviews:' || product_id) FROM reviews WHERE author_id = NEW.id AND product_id IS NOT NULL;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "announce_reviews_of_buyer"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM reviews WHERE author_id = NEW.buyer_id AND product_id IS NULL) THEN
		PERFORM pg_notify('changes', 'orders reviews');
	END IF;
	PERFORM pg_notify('changes', 'orders reviews:' || reviews.product_id) FROM order_lines
		JOIN reviews ON reviews.author_id = NEW.buyer_id AND reviews.product_id = order_lines.tool_id WHERE order_lines.order_id = NEW.id;
	RETURN NULL;
END $$;--> statement-breakpoint
-- Whether the review of a product is of a buyer depends on a line, too, of an order that goes on without it.
CREATE FUNCTION "announce_reviews_of_line"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('changes', 'orders reviews:' || reviews.product_id) FROM orders
		JOIN reviews ON reviews.author_id = orders.buyer_id AND reviews.product_id = NEW.tool_id WHERE orders.id = NEW.order_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "order_lines_announce_reviews" AFTER UPDATE OF "is_released", "cancelled", "sent", "refunded_cents" ON "order_lines" FOR EACH ROW
	WHEN ((OLD.is_released, OLD.cancelled = OLD.quantity, OLD.sent > 0, OLD.refunded_cents = OLD.charged_cents)
		IS DISTINCT FROM (NEW.is_released, NEW.cancelled = NEW.quantity, NEW.sent > 0, NEW.refunded_cents = NEW.charged_cents))
	EXECUTE FUNCTION announce_reviews_of_line();
