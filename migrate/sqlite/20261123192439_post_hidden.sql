-- post_hidden, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase post_hidden.

-- Make event_post_hidden_on_update
CREATE TRIGGER "event_post_hidden_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN OLD.deleted_at IS NULL AND (NEW.deleted_at IS NOT NULL OR OLD.published AND OLD.archived_at IS NULL AND NOT (NEW.published AND NEW.archived_at IS NULL)) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.hidden', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_hidden_on_delete
CREATE TRIGGER "event_post_hidden_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.hidden', 'Post', OLD."id", OLD."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
