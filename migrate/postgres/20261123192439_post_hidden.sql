-- post_hidden, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase post_hidden.

-- Make event_post_hidden_on_update (function)
CREATE OR REPLACE FUNCTION "event_post_hidden_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'post.hidden', 'Post', NEW."id", NEW."id", NULL, now());
	RETURN NULL;
END $$;
-- Make event_post_hidden_on_update
CREATE TRIGGER "event_post_hidden_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND (NEW.deleted_at IS NOT NULL OR OLD.published AND OLD.archived_at IS NULL AND NOT (NEW.published AND NEW.archived_at IS NULL))) EXECUTE FUNCTION "event_post_hidden_on_update"();
-- Make event_post_hidden_on_delete (function)
CREATE OR REPLACE FUNCTION "event_post_hidden_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'post.hidden', 'Post', OLD."id", OLD."id", NULL, now());
	RETURN NULL;
END $$;
-- Make event_post_hidden_on_delete
CREATE TRIGGER "event_post_hidden_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION "event_post_hidden_on_delete"();
