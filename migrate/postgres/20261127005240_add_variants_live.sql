-- add_variants, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_variants.
-- Each statement takes effect on its own. What was interrupted goes on.
-- atlas:txmode none

-- Ask first: files: no two rows may have the same original_id, variant: change or remove all but one of these
CALL entwine_refuse('files: no two rows may have the same original_id, variant: change or remove all but one of these', 'SELECT string_agg(CAST("id" AS text), '', '' ORDER BY "id") || '' ('' || CAST("original_id" AS text) || '' '' || CAST("variant" AS text) || '')'' FROM "files" WHERE "original_id" IS NOT NULL AND "variant" IS NOT NULL GROUP BY "original_id", "variant" HAVING count(*) > 1 ORDER BY 1 LIMIT 6');
-- Ask first: files: original_id of these rows names a row that is not there
CALL entwine_refuse('files: original_id of these rows names a row that is not there', 'SELECT CAST("files"."id" AS text) FROM "files" WHERE "original_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "files" AS "other" WHERE "other"."id" = "files"."original_id") ORDER BY "files"."id" LIMIT 6');
-- Create index "file_created_at_next" to table: "files"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "file_created_at_next" ON "files" ("created_at") WHERE ((entity_id IS NULL) AND (original_id IS NULL));
-- Drop index file_created_at
DROP INDEX CONCURRENTLY IF EXISTS "file_created_at";
-- It takes the place of the one before it
ALTER INDEX "file_created_at_next" RENAME TO "file_created_at";
-- Create index "file_original_id_variant" to table: "files"
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "file_original_id_variant" ON "files" ("original_id", "variant");
-- See that all rows of files keep files_files_variants
ALTER TABLE "files" VALIDATE CONSTRAINT "files_files_variants";
