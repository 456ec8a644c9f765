DROP INDEX "product_history_of_tool";--> statement-breakpoint
CREATE INDEX "product_history_of_attributes" ON "product_history" USING btree ("tool_id","id") WHERE "product_history"."field" like 'specs.%';--> statement-breakpoint
CREATE INDEX "product_history_of_fields" ON "product_history" USING btree ("tool_id","id") WHERE not "product_history"."field" like 'specs.%';