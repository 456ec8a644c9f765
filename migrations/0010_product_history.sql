CREATE TABLE "product_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "product_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tool_id" uuid NOT NULL,
	"field" text NOT NULL,
	"before" text,
	"after" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" text,
	"import_id" uuid
);
--> statement-breakpoint
CREATE INDEX "product_history_of_tool" ON "product_history" USING btree ("tool_id","id");