ALTER TABLE "refund_lines" DROP CONSTRAINT "refund_lines_of_refund";--> statement-breakpoint
ALTER TABLE "refund_lines" ADD COLUMN "is_delivery" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_of_refund" UNIQUE NULLS NOT DISTINCT("refund_id","order_line_id","is_delivery");--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_delivery" CHECK (not "refund_lines"."is_delivery" or "refund_lines"."order_line_id" is null);--> statement-breakpoint
-- What admins have given back for no line was left of a cancelled order beside its lines, which is its delivery.
UPDATE "refund_lines" SET "is_delivery" = true FROM "refunds", "orders"
	WHERE "refunds"."id" = "refund_lines"."refund_id" AND "orders"."id" = "refunds"."order_id" AND "refunds"."payment_id" = "orders"."payment_id"
		AND "refunds"."actor" = 'admin' AND "refund_lines"."order_line_id" IS NULL AND "orders"."delivery_cents" > 0;
