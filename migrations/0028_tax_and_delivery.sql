CREATE TABLE "delivery_methods" (
	"id" uuid PRIMARY KEY NOT NULL,
	"zone_id" uuid NOT NULL,
	"name" text NOT NULL,
	"carrier" text,
	"priced_by" text NOT NULL,
	"steps" jsonb NOT NULL,
	"free_from_cents" integer,
	"days_from" smallint NOT NULL,
	"days_to" smallint NOT NULL,
	"cut_off" text,
	"handling_days" smallint NOT NULL,
	"not_for_categories" text[] NOT NULL,
	CONSTRAINT "delivery_methods_name" UNIQUE("zone_id","name"),
	CONSTRAINT "delivery_methods_named" CHECK (length("delivery_methods"."name") between 1 and 80),
	CONSTRAINT "delivery_methods_priced" CHECK ("delivery_methods"."priced_by" in ('weight', 'goods')),
	CONSTRAINT "delivery_methods_steps" CHECK (jsonb_array_length("delivery_methods"."steps") between 1 and 20),
	CONSTRAINT "delivery_methods_free" CHECK ("delivery_methods"."free_from_cents" between 0 and 99999900),
	CONSTRAINT "delivery_methods_days" CHECK (0 <= "delivery_methods"."days_from" and "delivery_methods"."days_from" <= "delivery_methods"."days_to" and "delivery_methods"."days_to" <= 90),
	CONSTRAINT "delivery_methods_handling" CHECK ("delivery_methods"."handling_days" between 0 and 90),
	CONSTRAINT "delivery_methods_cut_off" CHECK ("delivery_methods"."cut_off" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
CREATE TABLE "delivery_settings" (
	"single_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"unknown_weight_g" integer,
	CONSTRAINT "delivery_settings_single_row" CHECK ("delivery_settings"."single_row"),
	CONSTRAINT "delivery_settings_weight" CHECK ("delivery_settings"."unknown_weight_g" between 1 and 1000000)
);
--> statement-breakpoint
CREATE TABLE "delivery_zones" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"countries" text[] NOT NULL,
	"states" text[] NOT NULL,
	"postal_prefixes" text[] NOT NULL,
	CONSTRAINT "delivery_zones_name" UNIQUE("name"),
	CONSTRAINT "delivery_zones_named" CHECK (length("delivery_zones"."name") between 1 and 80),
	CONSTRAINT "delivery_zones_of_one_country" CHECK (cardinality("delivery_zones"."countries") = 1 or (cardinality("delivery_zones"."states") = 0 and cardinality("delivery_zones"."postal_prefixes") = 0))
);
--> statement-breakpoint
CREATE TABLE "shop_holidays" (
	"day" date PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tax_rates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"country" text NOT NULL,
	"state" text,
	"tax_class" text NOT NULL,
	"rate_ppm" integer NOT NULL,
	CONSTRAINT "tax_rates_of_place" UNIQUE NULLS NOT DISTINCT("country","state","tax_class"),
	CONSTRAINT "tax_rates_country" CHECK ("tax_rates"."country" ~ '^[A-Z]{2}$'),
	CONSTRAINT "tax_rates_state" CHECK ("tax_rates"."state" ~ '^[A-Z0-9]{1,3}$'),
	CONSTRAINT "tax_rates_class" CHECK ("tax_rates"."tax_class" in ('standard', 'reduced')),
	CONSTRAINT "tax_rates_rate" CHECK ("tax_rates"."rate_ppm" between 0 and 1000000)
);
--> statement-breakpoint
CREATE TABLE "tax_settings" (
	"single_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"country" text,
	"state" text,
	"prices_include_tax" boolean DEFAULT false NOT NULL,
	CONSTRAINT "tax_settings_single_row" CHECK ("tax_settings"."single_row"),
	CONSTRAINT "tax_settings_country" CHECK ("tax_settings"."country" ~ '^[A-Z]{2}$'),
	CONSTRAINT "tax_settings_state" CHECK ("tax_settings"."state" is null or ("tax_settings"."country" is not null and "tax_settings"."state" ~ '^[A-Z0-9]{1,3}$'))
);
--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "tax_class" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "tax_class" text;--> statement-breakpoint
ALTER TABLE "delivery_methods" ADD CONSTRAINT "delivery_methods_zone_id_delivery_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."delivery_zones"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_tax_class" CHECK ("tools"."tax_class" in ('standard', 'reduced', 'zero'));