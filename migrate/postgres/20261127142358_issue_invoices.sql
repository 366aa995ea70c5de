-- issue_invoices, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase issue_invoices.

-- Modify "invoices" table
ALTER TABLE "invoices" ADD COLUMN "document" character varying NULL COLLATE "C", ADD COLUMN "document_of" character varying NOT NULL DEFAULT '' COLLATE "C";
-- Make file_of_invoices_document_on_insert (function)
CREATE OR REPLACE FUNCTION "file_of_invoices_document_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."document" AND "entity" = 'Invoice' AND "field" = 'document' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
	RETURN NULL;
END $$;
-- Make file_of_invoices_document_on_insert
CREATE TRIGGER "file_of_invoices_document_on_insert" AFTER INSERT ON "invoices" FOR EACH ROW WHEN (NEW."document" LIKE '/api/files/%') EXECUTE FUNCTION "file_of_invoices_document_on_insert"();
-- Make file_of_invoices_document_on_update (function)
CREATE OR REPLACE FUNCTION "file_of_invoices_document_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "files" SET "released_at" = now()
	WHERE "address" = OLD."document" AND "entity_id" = OLD."id" AND "field" = 'document';
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."document" AND "entity" = 'Invoice' AND "field" = 'document' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
	RETURN NULL;
END $$;
-- Make file_of_invoices_document_on_update
CREATE TRIGGER "file_of_invoices_document_on_update" AFTER UPDATE ON "invoices" FOR EACH ROW WHEN (COALESCE(NEW."document", '') <> COALESCE(OLD."document", '') AND (NEW."document" LIKE '/api/files/%' OR OLD."document" LIKE '/api/files/%')) EXECUTE FUNCTION "file_of_invoices_document_on_update"();
-- Make file_of_invoices_document_on_delete (function)
CREATE OR REPLACE FUNCTION "file_of_invoices_document_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "files" SET "released_at" = now()
	WHERE "address" = OLD."document" AND "entity_id" = OLD."id" AND "field" = 'document';
	RETURN NULL;
END $$;
-- Make file_of_invoices_document_on_delete
CREATE TRIGGER "file_of_invoices_document_on_delete" AFTER DELETE ON "invoices" FOR EACH ROW WHEN (OLD."document" LIKE '/api/files/%') EXECUTE FUNCTION "file_of_invoices_document_on_delete"();
-- Make forget_invoices_user_id (function)
CREATE OR REPLACE FUNCTION "forget_invoices_user_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "invoices" SET "customer_name" = 'removed customer', "customer_email" = '', "document" = NULL WHERE "id" = NEW."id";
	RETURN NULL;
END $$;
