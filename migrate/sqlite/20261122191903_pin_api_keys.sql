-- pin_api_keys, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase pin_api_keys.

-- Add column "api_version" to table: "api_keys"
ALTER TABLE `api_keys` ADD COLUMN `api_version` text NULL;
