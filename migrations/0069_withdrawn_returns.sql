CREATE TABLE "withdrawn_return_lines" (
	"withdrawal_id" uuid NOT NULL,
	"return_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "withdrawn_return_lines_withdrawal_id_return_id_order_line_id_pk" PRIMARY KEY("withdrawal_id","return_id","order_line_id"),
	CONSTRAINT "withdrawn_return_lines_quantity" CHECK ("withdrawn_return_lines"."quantity" >= 1)
);
--> statement-breakpoint
ALTER TABLE "returns" DROP CONSTRAINT "returns_money_due";--> statement-breakpoint
ALTER TABLE "return_lines" ADD COLUMN "must_refund" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawn_return_lines" ADD CONSTRAINT "withdrawn_return_lines_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawn_return_lines" ADD CONSTRAINT "withdrawn_return_lines_line" FOREIGN KEY ("return_id","order_line_id") REFERENCES "public"."return_lines"("return_id","order_line_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawn_return_lines_of_line" ON "withdrawn_return_lines" USING btree ("return_id","order_line_id");--> statement-breakpoint
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_must_refund" CHECK ("return_lines"."must_refund" >= 0 and "return_lines"."must_refund" + "return_lines"."turned_down" + "return_lines"."to_buyer" <= "return_lines"."quantity");