-- Whether a review is shown depends on the account of its author, so pages with reviews are rendered again when an e-mail is verified and when an account is removed or brought back. As a trigger, so that it holds for whatever changes an account, the commands of the owner too. NOTIFY inside a transaction queues for one lock; accounts that have a review are changed like this too rarely for that to matter.
CREATE FUNCTION "announce_reviews_of_account"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM reviews WHERE author_id = NEW.id) THEN
		PERFORM pg_notify('changes', 'accounts reviews');
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "users_announce_reviews" AFTER UPDATE OF email_verified, removed_at ON users FOR EACH ROW
	WHEN (OLD.email_verified IS DISTINCT FROM NEW.email_verified OR (OLD.removed_at IS NULL) IS DISTINCT FROM (NEW.removed_at IS NULL))
	EXECUTE FUNCTION announce_reviews_of_account();
