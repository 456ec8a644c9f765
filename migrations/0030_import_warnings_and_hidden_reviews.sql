ALTER TABLE "import_rows" ADD COLUMN "warnings" jsonb;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "hidden_at" timestamp with time zone;