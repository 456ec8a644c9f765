ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_refunded";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_total";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "tax_class" text;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "included_tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "charged_cents" integer GENERATED ALWAYS AS (total_cents - included_tax_cents + tax_cents) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "included_tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_terms" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "taxes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_tax" CHECK ("order_lines"."tax_cents" >= 0 and "order_lines"."included_tax_cents" between 0 and "order_lines"."total_cents");--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_refunded" CHECK ("order_lines"."refunded_cents" between 0 and "order_lines"."charged_cents");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_included_tax" CHECK ("orders"."included_tax_cents" >= 0);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_total" CHECK ("orders"."total_cents" = "orders"."goods_cents" + "orders"."delivery_cents" - "orders"."included_tax_cents" + "orders"."tax_cents");