ALTER TABLE "tools" drop column "drawing_revision";--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "drawing_revision" text GENERATED ALWAYS AS (left(md5(coalesce(category, '') || coalesce(specs::text, '') || name || coalesce(brand, '')), 8)) STORED NOT NULL;
