-- Documents from before went with no mail, and go with none later: those to come are what mails have.
ALTER TABLE "document_files" ADD COLUMN "mailed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "document_files" ALTER COLUMN "mailed" SET DEFAULT false;
