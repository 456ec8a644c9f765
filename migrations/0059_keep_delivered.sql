-- An order is delivered when nothing of it is left to send and each of its parcels was delivered; what a return sends again does not count. It is sent again when another parcel leaves, and
-- partly sent when a refund fails of what was not sent.
INSERT INTO "status_steps" ("status", "from_status", "to_status")
	VALUES ('fulfilment', 'partly_sent', 'delivered'), ('fulfilment', 'delivered', 'partly_sent'), ('fulfilment', 'delivered', 'sent') ON CONFLICT DO NOTHING;--> statement-breakpoint
-- Whoever changes lines or parcels has locked their order.
CREATE OR REPLACE FUNCTION "keep_fulfilment_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE orders SET fulfilment_status = kept.status
		FROM (SELECT CASE WHEN made = 'sent' AND NOT EXISTS (SELECT FROM shipments WHERE order_id = NEW.order_id AND return_id IS NULL AND taken_back_at IS NULL AND delivered_on IS NULL)
			THEN 'delivered' ELSE made END AS status FROM (SELECT fulfilment_status_of(NEW.order_id) AS made) lines) kept
		WHERE id = NEW.order_id AND fulfilment_status <> kept.status;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "shipments_keep_status" AFTER UPDATE OF "delivered_on" ON "shipments" FOR EACH ROW
	WHEN (OLD.delivered_on IS DISTINCT FROM NEW.delivered_on) EXECUTE FUNCTION "keep_fulfilment_status"();
