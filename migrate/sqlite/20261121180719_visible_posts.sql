-- Drop trigger event_post_published_on_update
DROP TRIGGER "event_post_published_on_update";
-- Create index "post_published_at_id_author_id" to table: "posts"
CREATE INDEX `post_published_at_id_author_id` ON `posts` (`published_at`, `id`, `author_id`) WHERE published AND archived_at IS NULL AND deleted_at IS NULL;
-- Make event_post_published_on_update
CREATE TRIGGER "event_post_published_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN NEW.published AND NEW.archived_at IS NULL AND NOT (OLD.published AND OLD.archived_at IS NULL) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.published', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
