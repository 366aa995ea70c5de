-- count_and_scan_files, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase count_and_scan_files.

-- Add column "tenant" to table: "blobs"
ALTER TABLE `blobs` ADD COLUMN `tenant` integer NULL;
-- Create index "blob_tenant" to table: "blobs"
CREATE INDEX `blob_tenant` ON `blobs` (`tenant`) WHERE tenant IS NOT NULL;
-- Add column "tenant" to table: "file_uploads"
ALTER TABLE `file_uploads` ADD COLUMN `tenant` integer NULL;
-- Add column "scanned_at" to table: "files"
ALTER TABLE `files` ADD COLUMN `scanned_at` datetime NULL;
-- Add column "scan_at" to table: "files"
ALTER TABLE `files` ADD COLUMN `scan_at` datetime NULL;
-- Add column "threat" to table: "files"
ALTER TABLE `files` ADD COLUMN `threat` text NULL;
-- Create index "file_scanned_at_created_at" to table: "files"
CREATE INDEX `file_scanned_at_created_at` ON `files` (`scanned_at`, `created_at`) WHERE scanned_at IS NULL AND original_id IS NULL;
-- Create "file_usages" table
CREATE TABLE `file_usages` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `holder` text NOT NULL,
  `bytes` integer NOT NULL
);
-- Create index "file_usages_holder_key" to table: "file_usages"
CREATE UNIQUE INDEX `file_usages_holder_key` ON `file_usages` (`holder`);
