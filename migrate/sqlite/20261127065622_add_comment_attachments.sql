-- add_comment_attachments, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_comment_attachments.

-- Create "comment_attachments" table
CREATE TABLE `comment_attachments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `file` text NULL,
  `caption` text NOT NULL DEFAULT '',
  `position` integer NOT NULL DEFAULT 0,
  `comment_id` integer NOT NULL,
  CONSTRAINT `comment_attachments_comments_attachments` FOREIGN KEY (`comment_id`) REFERENCES `comments` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "commentattachment_created_at_id" to table: "comment_attachments"
CREATE INDEX `commentattachment_created_at_id` ON `comment_attachments` (`created_at`, `id`);
-- Create index "commentattachment_position_id" to table: "comment_attachments"
CREATE INDEX `commentattachment_position_id` ON `comment_attachments` (`position`, `id`);
-- Create index "commentattachment_comment_id_position_id" to table: "comment_attachments"
CREATE INDEX `commentattachment_comment_id_position_id` ON `comment_attachments` (`comment_id`, `position`, `id`);
-- Make file_of_comment_attachments_file_on_insert
CREATE TRIGGER "file_of_comment_attachments_file_on_insert" AFTER INSERT ON "comment_attachments" FOR EACH ROW WHEN NEW."file" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."file" AND "entity" = 'CommentAttachment' AND "field" = 'file' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_comment_attachments_file_on_update
CREATE TRIGGER "file_of_comment_attachments_file_on_update" AFTER UPDATE ON "comment_attachments" FOR EACH ROW WHEN COALESCE(NEW."file", '') <> COALESCE(OLD."file", '') AND (NEW."file" LIKE '/api/files/%' OR OLD."file" LIKE '/api/files/%') BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."file" AND "entity_id" = OLD."id" AND "field" = 'file';
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."file" AND "entity" = 'CommentAttachment' AND "field" = 'file' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_comment_attachments_file_on_delete
CREATE TRIGGER "file_of_comment_attachments_file_on_delete" AFTER DELETE ON "comment_attachments" FOR EACH ROW WHEN OLD."file" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."file" AND "entity_id" = OLD."id" AND "field" = 'file';
END;
-- Make version_comment_attachments
CREATE TRIGGER "version_comment_attachments" AFTER UPDATE OF "created_at", "updated_at", "version", "file", "caption", "position", "comment_id" ON "comment_attachments" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "comment_attachments" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
