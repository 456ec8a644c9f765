CREATE TABLE "tool_changes" (
	"changed_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"tool_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
UPDATE "tools" SET "sku" = 'N-' || upper(left(replace("id"::text, '-', ''), 12)) WHERE "sku" IS NULL;--> statement-breakpoint
ALTER TABLE "tools" ALTER COLUMN "sku" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "tool_changes_in_order" ON "tool_changes" USING btree ("changed_in");--> statement-breakpoint
CREATE INDEX "tools_by_category" ON "tools" USING btree ("category","price") WHERE "tools"."removed_at" is null;--> statement-breakpoint
CREATE FUNCTION note_tool_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tool_changes (tool_id) SELECT id FROM came;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER note_new_tools AFTER INSERT ON "tools" REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION note_tool_changes();--> statement-breakpoint
CREATE TRIGGER note_changed_tools AFTER UPDATE ON "tools" REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION note_tool_changes();
