-- add_variants, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_variants.

-- Drop trigger file_of_profiles_avatar_on_delete
DROP TRIGGER "file_of_profiles_avatar_on_delete";
-- Drop trigger file_of_profiles_avatar_on_insert
DROP TRIGGER "file_of_profiles_avatar_on_insert";
-- Drop trigger file_of_profiles_avatar_on_update
DROP TRIGGER "file_of_profiles_avatar_on_update";
-- Add column "variant" to table: "files"
ALTER TABLE `files` ADD COLUMN `variant` text NULL;
-- Add column "original_id" to table: "files"
ALTER TABLE `files` ADD COLUMN `original_id` integer NULL;
-- Ask first: files: no two rows may have the same original_id, variant: change or remove all but one of these
CALL entwine_refuse('files: no two rows may have the same original_id, variant: change or remove all but one of these', 'SELECT group_concat("id", '', '') || '' ('' || CAST("original_id" AS text) || '' '' || CAST("variant" AS text) || '')'' FROM "files" WHERE "original_id" IS NOT NULL AND "variant" IS NOT NULL GROUP BY "original_id", "variant" HAVING count(*) > 1 ORDER BY 1 LIMIT 6');
-- Ask first: files: original_id of these rows names a row that is not there
CALL entwine_refuse('files: original_id of these rows names a row that is not there', 'SELECT CAST("files"."id" AS text) FROM "files" WHERE "original_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "files" AS "other" WHERE "other"."id" = "files"."original_id") ORDER BY "files"."id" LIMIT 6');
-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_files" table
CREATE TABLE `new_files` (
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
  `width` integer NULL,
  `height` integer NULL,
  `blur_hash` text NULL,
  `variant` text NULL,
  `released_at` datetime NULL,
  `blob_id` integer NOT NULL,
  `original_id` integer NULL,
  CONSTRAINT `files_files_variants` FOREIGN KEY (`original_id`) REFERENCES `files` (`id`) ON UPDATE NO ACTION ON DELETE RESTRICT,
  CONSTRAINT `files_blobs_files` FOREIGN KEY (`blob_id`) REFERENCES `blobs` (`id`) ON UPDATE NO ACTION ON DELETE RESTRICT
);
-- Go on with the ids of "files"
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_files', seq FROM sqlite_sequence WHERE name = 'files';
-- Copy rows from old table "files" to new temporary table "new_files"
INSERT INTO `new_files` (`id`, `created_at`, `address`, `entity`, `field`, `entity_id`, `user_id`, `api_key_id`, `name`, `media_type`, `width`, `height`, `blur_hash`, `variant`, `released_at`, `blob_id`, `original_id`) SELECT `id`, `created_at`, `address`, `entity`, `field`, `entity_id`, `user_id`, `api_key_id`, `name`, `media_type`, `width`, `height`, `blur_hash`, `variant`, `released_at`, `blob_id`, `original_id` FROM `files`;
-- Drop "files" table after copying rows
DROP TABLE `files`;
-- Rename temporary table "new_files" to "files"
ALTER TABLE `new_files` RENAME TO `files`;
-- Create index "files_address_key" to table: "files"
CREATE UNIQUE INDEX `files_address_key` ON `files` (`address`);
-- Create index "file_released_at" to table: "files"
CREATE INDEX `file_released_at` ON `files` (`released_at`) WHERE released_at IS NOT NULL;
-- Create index "file_created_at" to table: "files"
CREATE INDEX `file_created_at` ON `files` (`created_at`) WHERE entity_id IS NULL AND original_id IS NULL;
-- Create index "file_original_id_variant" to table: "files"
CREATE UNIQUE INDEX `file_original_id_variant` ON `files` (`original_id`, `variant`);
-- Create index "file_blob_id" to table: "files"
CREATE INDEX `file_blob_id` ON `files` (`blob_id`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
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
