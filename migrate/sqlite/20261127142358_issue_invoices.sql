-- issue_invoices, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase issue_invoices.

-- Drop trigger forget_invoices_user_id
DROP TRIGGER "forget_invoices_user_id";
-- Add column "document" to table: "invoices"
ALTER TABLE `invoices` ADD COLUMN `document` text NULL;
-- Add column "document_of" to table: "invoices"
ALTER TABLE `invoices` ADD COLUMN `document_of` text NOT NULL DEFAULT '';
-- Make file_of_invoices_document_on_insert
CREATE TRIGGER "file_of_invoices_document_on_insert" AFTER INSERT ON "invoices" FOR EACH ROW WHEN NEW."document" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."document" AND "entity" = 'Invoice' AND "field" = 'document' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_invoices_document_on_update
CREATE TRIGGER "file_of_invoices_document_on_update" AFTER UPDATE ON "invoices" FOR EACH ROW WHEN COALESCE(NEW."document", '') <> COALESCE(OLD."document", '') AND (NEW."document" LIKE '/api/files/%' OR OLD."document" LIKE '/api/files/%') BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."document" AND "entity_id" = OLD."id" AND "field" = 'document';
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."document" AND "entity" = 'Invoice' AND "field" = 'document' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_invoices_document_on_delete
CREATE TRIGGER "file_of_invoices_document_on_delete" AFTER DELETE ON "invoices" FOR EACH ROW WHEN OLD."document" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."document" AND "entity_id" = OLD."id" AND "field" = 'document';
END;
-- Make forget_invoices_user_id
CREATE TRIGGER "forget_invoices_user_id" AFTER UPDATE ON "invoices" FOR EACH ROW WHEN OLD."user_id" IS NOT NULL AND NEW."user_id" IS NULL BEGIN
	UPDATE "invoices" SET "customer_name" = 'removed customer', "customer_email" = '', "document" = NULL WHERE "id" = NEW."id";
END;
