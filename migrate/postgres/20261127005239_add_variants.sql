-- add_variants, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_variants.

-- Modify "files" table
ALTER TABLE "files" ADD COLUMN "variant" character varying NULL COLLATE "C", ADD COLUMN "original_id" bigint NULL;
-- Add files_files_variants to files: new rows keep it from now on
ALTER TABLE "files" ADD
CONSTRAINT "files_files_variants" FOREIGN KEY ("original_id") REFERENCES "files" ("id") ON UPDATE NO ACTION ON DELETE RESTRICT NOT VALID;
