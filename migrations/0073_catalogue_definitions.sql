CREATE TABLE "catalogue_definitions" (
	"revision" integer PRIMARY KEY NOT NULL,
	"definitions" jsonb NOT NULL,
	"is_original" boolean NOT NULL,
	"user_id" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"mended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "catalogue_definitions" ADD CONSTRAINT "catalogue_definitions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "catalogue_definitions_to_mend" ON "catalogue_definitions" USING btree ("revision") WHERE "catalogue_definitions"."mended_at" is null;