-- add_result_files, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_result_files.

-- Modify "jobs" table
ALTER TABLE "jobs" ADD COLUMN "result_file" character varying NULL COLLATE "C";
-- Make file_of_jobs_result_file_on_insert (function)
CREATE OR REPLACE FUNCTION "file_of_jobs_result_file_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."result_file" AND "entity" = 'Job' AND "field" = 'result_file' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
	RETURN NULL;
END $$;
-- Make file_of_jobs_result_file_on_insert
CREATE TRIGGER "file_of_jobs_result_file_on_insert" AFTER INSERT ON "jobs" FOR EACH ROW WHEN (NEW."result_file" LIKE '/api/files/%') EXECUTE FUNCTION "file_of_jobs_result_file_on_insert"();
-- Make file_of_jobs_result_file_on_update (function)
CREATE OR REPLACE FUNCTION "file_of_jobs_result_file_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "files" SET "released_at" = now()
	WHERE "address" = OLD."result_file" AND "entity_id" = OLD."id" AND "field" = 'result_file';
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."result_file" AND "entity" = 'Job' AND "field" = 'result_file' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
	RETURN NULL;
END $$;
-- Make file_of_jobs_result_file_on_update
CREATE TRIGGER "file_of_jobs_result_file_on_update" AFTER UPDATE ON "jobs" FOR EACH ROW WHEN (COALESCE(NEW."result_file", '') <> COALESCE(OLD."result_file", '') AND (NEW."result_file" LIKE '/api/files/%' OR OLD."result_file" LIKE '/api/files/%')) EXECUTE FUNCTION "file_of_jobs_result_file_on_update"();
-- Make file_of_jobs_result_file_on_delete (function)
CREATE OR REPLACE FUNCTION "file_of_jobs_result_file_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "files" SET "released_at" = now()
	WHERE "address" = OLD."result_file" AND "entity_id" = OLD."id" AND "field" = 'result_file';
	RETURN NULL;
END $$;
-- Make file_of_jobs_result_file_on_delete
CREATE TRIGGER "file_of_jobs_result_file_on_delete" AFTER DELETE ON "jobs" FOR EACH ROW WHEN (OLD."result_file" LIKE '/api/files/%') EXECUTE FUNCTION "file_of_jobs_result_file_on_delete"();
