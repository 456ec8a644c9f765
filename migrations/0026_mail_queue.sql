-- The mail that is sent next is the first of this index. By the time alone, all that are due were read and sorted for each.
DROP INDEX "order_history_by_mail";--> statement-breakpoint
CREATE INDEX "order_history_mail_queue" ON "order_history" USING btree ("mail_tries","mail_due_at") WHERE "order_history"."mail_due_at" is not null;
