-- Dropped and added: before version 17 PostgreSQL cannot change how a column is generated. The index goes with the column.
ALTER TABLE "users" drop column "mailbox";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mailbox" text GENERATED ALWAYS AS (case when lower(email) ~ '^[^@]+@(gmail|googlemail)\.com$'
  then replace(regexp_replace(lower(email), '^([^+@]+)(\+[^@]*)?@.*$', '\1'), '.', '') || '@gmail.com'
  else regexp_replace(lower(email), '^([^+@]+)\+[^@]*@', '\1@') end) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "users_by_mailbox" ON "users" USING btree ("mailbox") WHERE "users"."email_verified";
