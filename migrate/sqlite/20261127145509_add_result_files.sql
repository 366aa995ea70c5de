-- add_result_files, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_result_files.

-- Add column "result_file" to table: "jobs"
ALTER TABLE `jobs` ADD COLUMN `result_file` text NULL;
-- Make file_of_jobs_result_file_on_insert
CREATE TRIGGER "file_of_jobs_result_file_on_insert" AFTER INSERT ON "jobs" FOR EACH ROW WHEN NEW."result_file" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."result_file" AND "entity" = 'Job' AND "field" = 'result_file' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_jobs_result_file_on_update
CREATE TRIGGER "file_of_jobs_result_file_on_update" AFTER UPDATE ON "jobs" FOR EACH ROW WHEN COALESCE(NEW."result_file", '') <> COALESCE(OLD."result_file", '') AND (NEW."result_file" LIKE '/api/files/%' OR OLD."result_file" LIKE '/api/files/%') BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."result_file" AND "entity_id" = OLD."id" AND "field" = 'result_file';
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."result_file" AND "entity" = 'Job' AND "field" = 'result_file' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_jobs_result_file_on_delete
CREATE TRIGGER "file_of_jobs_result_file_on_delete" AFTER DELETE ON "jobs" FOR EACH ROW WHEN OLD."result_file" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."result_file" AND "entity_id" = OLD."id" AND "field" = 'result_file';
END;
