-- text_ids_of_rows, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase text_ids_of_rows.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "changes", "events", "files" IN ACCESS EXCLUSIVE MODE; END $$;
-- Modify "changes" table
ALTER TABLE "changes" ADD COLUMN "entity_text" character varying NULL COLLATE "C";
-- Modify "events" table
ALTER TABLE "events" ADD COLUMN "entity_text" character varying NULL COLLATE "C", ADD COLUMN "key_text" character varying NULL COLLATE "C";
-- Modify "files" table
ALTER TABLE "files" ADD COLUMN "entity_text" character varying NULL COLLATE "C";
