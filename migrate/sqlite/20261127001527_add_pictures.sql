-- add_pictures, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_pictures.

-- Add column "width" to table: "files"
ALTER TABLE `files` ADD COLUMN `width` integer NULL;
-- Add column "height" to table: "files"
ALTER TABLE `files` ADD COLUMN `height` integer NULL;
-- Add column "blur_hash" to table: "files"
ALTER TABLE `files` ADD COLUMN `blur_hash` text NULL;
