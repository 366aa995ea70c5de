-- add_pictures, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_pictures.

-- Modify "files" table
ALTER TABLE "files" ADD COLUMN "width" bigint NULL, ADD COLUMN "height" bigint NULL, ADD COLUMN "blur_hash" character varying NULL COLLATE "C";
