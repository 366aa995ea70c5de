-- text_ids_of_rows, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase text_ids_of_rows.

-- Add column "entity_text" to table: "changes"
ALTER TABLE `changes` ADD COLUMN `entity_text` text NULL;
-- Add column "entity_text" to table: "events"
ALTER TABLE `events` ADD COLUMN `entity_text` text NULL;
-- Add column "key_text" to table: "events"
ALTER TABLE `events` ADD COLUMN `key_text` text NULL;
-- Add column "entity_text" to table: "files"
ALTER TABLE `files` ADD COLUMN `entity_text` text NULL;
