-- add_files, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_files.

-- Create "blobs" table
CREATE TABLE `blobs` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `owner` text NOT NULL,
  `sha256` text NOT NULL,
  `name` text NOT NULL,
  `size` integer NOT NULL
);
-- Create index "blobs_name_key" to table: "blobs"
CREATE UNIQUE INDEX `blobs_name_key` ON `blobs` (`name`);
-- Create index "blob_owner_sha256" to table: "blobs"
CREATE UNIQUE INDEX `blob_owner_sha256` ON `blobs` (`owner`, `sha256`);
-- Create "files" table
CREATE TABLE `files` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `address` text NOT NULL,
  `entity` text NOT NULL,
  `field` text NOT NULL,
  `entity_id` integer NULL,
  `user_id` integer NULL,
  `api_key_id` integer NULL,
  `name` text NOT NULL,
  `media_type` text NOT NULL,
  `released_at` datetime NULL,
  `blob_id` integer NOT NULL,
  CONSTRAINT `files_blobs_files` FOREIGN KEY (`blob_id`) REFERENCES `blobs` (`id`) ON UPDATE NO ACTION ON DELETE RESTRICT
);
-- Create index "files_address_key" to table: "files"
CREATE UNIQUE INDEX `files_address_key` ON `files` (`address`);
-- Create index "file_released_at" to table: "files"
CREATE INDEX `file_released_at` ON `files` (`released_at`) WHERE released_at IS NOT NULL;
-- Create index "file_created_at" to table: "files"
CREATE INDEX `file_created_at` ON `files` (`created_at`) WHERE entity_id IS NULL;
-- Create index "file_blob_id" to table: "files"
CREATE INDEX `file_blob_id` ON `files` (`blob_id`);
-- Make file_of_profiles_avatar_on_insert
CREATE TRIGGER "file_of_profiles_avatar_on_insert" AFTER INSERT ON "profiles" FOR EACH ROW WHEN NEW."avatar" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."avatar" AND "entity" = 'Profile' AND "field" = 'avatar' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_profiles_avatar_on_update
CREATE TRIGGER "file_of_profiles_avatar_on_update" AFTER UPDATE ON "profiles" FOR EACH ROW WHEN COALESCE(NEW."avatar", '') <> COALESCE(OLD."avatar", '') AND (NEW."avatar" LIKE '/api/files/%' OR OLD."avatar" LIKE '/api/files/%') BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."avatar" AND "entity_id" = OLD."id" AND "field" = 'avatar';
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."avatar" AND "entity" = 'Profile' AND "field" = 'avatar' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_profiles_avatar_on_delete
CREATE TRIGGER "file_of_profiles_avatar_on_delete" AFTER DELETE ON "profiles" FOR EACH ROW WHEN OLD."avatar" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."avatar" AND "entity_id" = OLD."id" AND "field" = 'avatar';
END;
