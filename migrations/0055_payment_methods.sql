CREATE TABLE "payment_settings" (
	"single_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"card" boolean DEFAULT true NOT NULL,
	"bank_transfer" boolean DEFAULT false NOT NULL,
	"on_account" boolean DEFAULT false NOT NULL,
	"holder" text DEFAULT '' NOT NULL,
	"iban" text DEFAULT '' NOT NULL,
	"bic" text DEFAULT '' NOT NULL,
	"bank_name" text DEFAULT '' NOT NULL,
	"hold_days" smallint DEFAULT 7 NOT NULL,
	CONSTRAINT "payment_settings_single_row" CHECK ("payment_settings"."single_row"),
	CONSTRAINT "payment_settings_one_on" CHECK ("payment_settings"."card" or "payment_settings"."bank_transfer" or "payment_settings"."on_account"),
	CONSTRAINT "payment_settings_account" CHECK (not "payment_settings"."bank_transfer" or ("payment_settings"."iban" <> '' and "payment_settings"."holder" <> '')),
	CONSTRAINT "payment_settings_hold_days" CHECK ("payment_settings"."hold_days" between 1 and 30)
);
--> statement-breakpoint
ALTER TABLE "order_details" ADD COLUMN "cart_emptied" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payment_method" text DEFAULT 'card' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "transfer_hold_until" timestamp with time zone;