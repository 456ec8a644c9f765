CREATE TABLE "import_pieces" (
	"import_id" uuid NOT NULL,
	"nth" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "import_pieces_import_id_nth_pk" PRIMARY KEY("import_id","nth")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "import_rows" (
	"import_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"sku" text NOT NULL,
	"name" text,
	"brand" text,
	"mpn" text,
	"category" text,
	"description" text,
	"img" text,
	"price" integer,
	"minimum_order_quantity" integer,
	"available_quantity" integer,
	"specs" jsonb,
	"specs_known" jsonb,
	"specs_unknown" text[],
	"staged_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_rows_import_id_row_pk" PRIMARY KEY("import_id","row")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"state" text DEFAULT 'uploading' NOT NULL,
	"bytes" integer DEFAULT 0 NOT NULL,
	"bytes_read" integer DEFAULT 0 NOT NULL,
	"rows_read" integer DEFAULT 0 NOT NULL,
	"skip_wrong" boolean DEFAULT false NOT NULL,
	"report" jsonb,
	"trouble" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"user_id" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "import_pieces" ADD CONSTRAINT "import_pieces_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_due" ON "imports" USING btree ("at") WHERE "imports"."state" in ('checking', 'importing');--> statement-breakpoint
-- Room on each page for the next version of a row: a change of price or stock then touches no index, which halves how long orders wait for an import.
ALTER TABLE "tools" SET (fillfactor = 50);
