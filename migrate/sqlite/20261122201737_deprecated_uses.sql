-- deprecated_uses, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase deprecated_uses.

-- Create "deprecated_uses" table
CREATE TABLE `deprecated_uses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `identity` text NOT NULL,
  `day` text NOT NULL,
  `kind` text NOT NULL,
  `name` text NOT NULL,
  `api_key_id` integer NULL,
  `user_id` integer NULL,
  `agent` text NOT NULL,
  `requests` integer NOT NULL DEFAULT 0,
  CONSTRAINT `deprecated_uses_kind_values` CHECK ("kind" IN ('version', 'operation', 'field'))
);
-- Create index "deprecated_uses_identity_key" to table: "deprecated_uses"
CREATE UNIQUE INDEX `deprecated_uses_identity_key` ON `deprecated_uses` (`identity`);
-- Create index "deprecateduse_created_at_id" to table: "deprecated_uses"
CREATE INDEX `deprecateduse_created_at_id` ON `deprecated_uses` (`created_at`, `id`);
-- Create index "deprecateduse_day_id" to table: "deprecated_uses"
CREATE INDEX `deprecateduse_day_id` ON `deprecated_uses` (`day`, `id`);
