-- add_file_uploads, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_file_uploads.

-- Create "file_parts" table
CREATE TABLE `file_parts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `position` integer NULL,
  `size` integer NOT NULL,
  `name` text NOT NULL,
  `released_at` datetime NULL,
  `upload_id` integer NULL,
  CONSTRAINT `file_parts_file_uploads_stored_parts` FOREIGN KEY (`upload_id`) REFERENCES `file_uploads` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL
);
-- Create index "file_parts_name_key" to table: "file_parts"
CREATE UNIQUE INDEX `file_parts_name_key` ON `file_parts` (`name`);
-- Create index "filepart_upload_id_position" to table: "file_parts"
CREATE UNIQUE INDEX `filepart_upload_id_position` ON `file_parts` (`upload_id`, `position`);
-- Create index "filepart_released_at" to table: "file_parts"
CREATE INDEX `filepart_released_at` ON `file_parts` (`released_at`) WHERE released_at IS NOT NULL;
-- Create "file_uploads" table
CREATE TABLE `file_uploads` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `key` text NOT NULL,
  `owner` text NOT NULL,
  `entity` text NOT NULL,
  `field` text NOT NULL,
  `name` text NOT NULL,
  `sha256` text NULL,
  `length` integer NULL,
  `received` integer NOT NULL DEFAULT 0,
  `parts` integer NOT NULL DEFAULT 0,
  `complete` bool NOT NULL DEFAULT false,
  `expires_at` datetime NOT NULL
);
-- Create index "file_uploads_key_key" to table: "file_uploads"
CREATE UNIQUE INDEX `file_uploads_key_key` ON `file_uploads` (`key`);
-- Create index "fileupload_expires_at" to table: "file_uploads"
CREATE INDEX `fileupload_expires_at` ON `file_uploads` (`expires_at`);
-- Create index "fileupload_owner" to table: "file_uploads"
CREATE INDEX `fileupload_owner` ON `file_uploads` (`owner`);
