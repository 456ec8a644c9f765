CREATE TABLE "document_files" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"pdf" "bytea",
	"xml" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "document_series" (
	"kind" text NOT NULL,
	"year" smallint NOT NULL,
	"last_serial" integer NOT NULL,
	CONSTRAINT "document_series_kind_year_pk" PRIMARY KEY("kind","year")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"year" smallint NOT NULL,
	"serial" integer NOT NULL,
	"number" text NOT NULL,
	"refund_id" uuid,
	"corrects" uuid,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"issued_on" date NOT NULL,
	"currency" text NOT NULL,
	"net_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "documents_number_unique" UNIQUE("number"),
	CONSTRAINT "documents_serial" UNIQUE("kind","year","serial"),
	CONSTRAINT "documents_of_refund" UNIQUE("refund_id","kind"),
	CONSTRAINT "documents_total" CHECK ("documents"."total_cents" = "documents"."net_cents" + "documents"."tax_cents" and "documents"."net_cents" >= 0 and "documents"."tax_cents" >= 0),
	CONSTRAINT "documents_credit_notes" CHECK ("documents"."kind" = 'invoice' or "documents"."corrects" is not null)
);
--> statement-breakpoint
CREATE TABLE "due_documents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "due_documents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"event" text NOT NULL,
	"refund_id" uuid,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller" (
	"single_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "seller_single_row" CHECK ("seller"."single_row")
);
--> statement-breakpoint
ALTER TABLE "document_files" ADD CONSTRAINT "document_files_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_corrects_documents_id_fk" FOREIGN KEY ("corrects") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "due_documents" ADD CONSTRAINT "due_documents_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "due_documents" ADD CONSTRAINT "due_documents_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "document_files_due" ON "document_files" USING btree ("next_try_at") WHERE "document_files"."pdf" is null;--> statement-breakpoint
CREATE INDEX "documents_of_order" ON "documents" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "documents_by_day" ON "documents" USING btree ("issued_on","number");--> statement-breakpoint
CREATE INDEX "due_documents_by_time" ON "due_documents" USING btree ("next_try_at","id");--> statement-breakpoint
-- A document says for good what it said when it was issued.
CREATE FUNCTION "documents_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Documents are neither changed nor deleted' USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER "documents_stay" BEFORE UPDATE OR DELETE ON "documents" FOR EACH ROW EXECUTE FUNCTION "documents_stay"();
--> statement-breakpoint
-- What asks for a document is written with it, whoever does it. Orders that were paid before there were documents get none.
CREATE FUNCTION "order_asks_for_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO due_documents (order_id, event) VALUES (NEW.id, 'paid');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "order_asks_for_invoice" AFTER UPDATE OF order_status ON "orders" FOR EACH ROW
  WHEN (OLD.order_status <> 'placed' AND NEW.order_status = 'placed' AND NEW.is_paid) EXECUTE FUNCTION "order_asks_for_invoice"();
--> statement-breakpoint
CREATE FUNCTION "refund_asks_for_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO due_documents (order_id, event, refund_id)
  VALUES (NEW.order_id, CASE NEW.state WHEN 'succeeded' THEN 'refunded' ELSE 'refund failed' END, NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "refund_asks_for_document" AFTER UPDATE OF state ON "refunds" FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state AND (NEW.state = 'succeeded' OR NEW.state = 'failed' AND OLD.state = 'succeeded'))
  EXECUTE FUNCTION "refund_asks_for_document"();
--> statement-breakpoint
CREATE TRIGGER "new_refund_asks_for_document" AFTER INSERT ON "refunds" FOR EACH ROW
  WHEN (NEW.state = 'succeeded') EXECUTE FUNCTION "refund_asks_for_document"();
