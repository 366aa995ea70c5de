-- pin_api_keys, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase pin_api_keys.

-- Modify "api_keys" table
ALTER TABLE "api_keys" ADD COLUMN "api_version" character varying NULL COLLATE "C";
