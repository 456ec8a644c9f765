-- Whether a review is shown, and marked as of a buyer, depends on the paid orders of its author too: pages with reviews are rendered again when an order of such an account is paid or its money goes back.
CREATE FUNCTION "announce_reviews_of_buyer"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM reviews WHERE author_id = NEW.buyer_id) THEN
		PERFORM pg_notify('changes', 'orders reviews');
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "orders_announce_reviews" AFTER UPDATE OF state ON orders FOR EACH ROW
	WHEN ((OLD.state IN ('paid', 'packed', 'shipped')) IS DISTINCT FROM (NEW.state IN ('paid', 'packed', 'shipped')))
	EXECUTE FUNCTION announce_reviews_of_buyer();
