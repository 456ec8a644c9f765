ALTER TABLE "documents" DROP CONSTRAINT "documents_of_shipment";--> statement-breakpoint
ALTER TABLE "documents" DROP CONSTRAINT "documents_of_refund";--> statement-breakpoint
CREATE UNIQUE INDEX "documents_of_shipment" ON "documents" USING btree ("shipment_id") WHERE "documents"."corrects" is null;--> statement-breakpoint
CREATE INDEX "documents_by_shipment" ON "documents" USING btree ("shipment_id") WHERE "documents"."shipment_id" is not null;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_of_refund" UNIQUE("refund_id","kind","corrects");