CREATE TABLE "bank_assignments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"payment_id" uuid,
	"refund_id" uuid,
	"amount_cents" bigint NOT NULL,
	"assigned_by" text,
	"assigned_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_assignments_refund_id_unique" UNIQUE("refund_id"),
	CONSTRAINT "bank_assignments_amount" CHECK ("bank_assignments"."amount_cents" > 0),
	CONSTRAINT "bank_assignments_of_one" CHECK (("bank_assignments"."payment_id" is null) <> ("bank_assignments"."refund_id" is null))
);
--> statement-breakpoint
CREATE TABLE "bank_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"statement_id" uuid,
	"iban" text NOT NULL,
	"key" text NOT NULL,
	"booked_on" date NOT NULL,
	"amount_cents" bigint NOT NULL,
	"left_cents" bigint NOT NULL,
	"payer_name" text DEFAULT '' NOT NULL,
	"payer_iban" text DEFAULT '' NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"added_by" text NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	"matched_at" timestamp with time zone,
	"set_aside_by" text,
	"set_aside_note" text,
	CONSTRAINT "bank_entries_once" UNIQUE("iban","key"),
	CONSTRAINT "bank_entries_amount" CHECK ("bank_entries"."amount_cents" <> 0),
	CONSTRAINT "bank_entries_left" CHECK ("bank_entries"."left_cents" between 0 and abs("bank_entries"."amount_cents")),
	CONSTRAINT "bank_entries_set_aside" CHECK (("bank_entries"."set_aside_by" is null) = ("bank_entries"."set_aside_note" is null))
);
--> statement-breakpoint
CREATE TABLE "bank_statements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"iban" text NOT NULL,
	"opening_cents" bigint,
	"closing_cents" bigint,
	"imported_by" text NOT NULL,
	"imported_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfer_refunds" (
	"refund_id" uuid PRIMARY KEY NOT NULL,
	"done_on" date NOT NULL,
	"done_by" text
);
--> statement-breakpoint
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
ALTER TABLE "orders" ADD COLUMN "written_off_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "email_confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "transfer_hold_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bank_assignments" ADD CONSTRAINT "bank_assignments_entry_id_bank_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."bank_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_assignments" ADD CONSTRAINT "bank_assignments_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_assignments" ADD CONSTRAINT "bank_assignments_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_assignments" ADD CONSTRAINT "bank_assignments_assigned_by_users_id_fk" FOREIGN KEY ("assigned_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_entries" ADD CONSTRAINT "bank_entries_statement_id_bank_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."bank_statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_entries" ADD CONSTRAINT "bank_entries_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_entries" ADD CONSTRAINT "bank_entries_set_aside_by_users_id_fk" FOREIGN KEY ("set_aside_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_imported_by_users_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_refunds" ADD CONSTRAINT "transfer_refunds_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_refunds" ADD CONSTRAINT "transfer_refunds_done_by_users_id_fk" FOREIGN KEY ("done_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bank_assignments_of_entry" ON "bank_assignments" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "bank_assignments_of_payment" ON "bank_assignments" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "bank_entries_by_day" ON "bank_entries" USING btree ("booked_on","id");--> statement-breakpoint
CREATE INDEX "bank_entries_waiting" ON "bank_entries" USING btree ("booked_on","id") WHERE "bank_entries"."left_cents" > 0 and "bank_entries"."set_aside_by" is null;--> statement-breakpoint
CREATE INDEX "bank_entries_to_match" ON "bank_entries" USING btree ("added_at") WHERE "bank_entries"."matched_at" is null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_written_off" CHECK ("orders"."written_off_cents" between 0 and "orders"."total_cents");