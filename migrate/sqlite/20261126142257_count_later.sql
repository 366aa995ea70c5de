-- count_later, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase count_later.
-- entwine:long posts
-- entwine:long users

-- Drop trigger event_post_deleted_on_delete
DROP TRIGGER "event_post_deleted_on_delete";
-- Drop trigger event_post_deleted_on_update
DROP TRIGGER "event_post_deleted_on_update";
-- Drop trigger event_post_hidden_on_delete
DROP TRIGGER "event_post_hidden_on_delete";
-- Drop trigger event_post_hidden_on_update
DROP TRIGGER "event_post_hidden_on_update";
-- Drop trigger event_post_published_on_insert
DROP TRIGGER "event_post_published_on_insert";
-- Drop trigger event_post_published_on_update
DROP TRIGGER "event_post_published_on_update";
-- Drop trigger event_user_status_on_delete
DROP TRIGGER "event_user_status_on_delete";
-- Drop trigger event_user_status_on_update
DROP TRIGGER "event_user_status_on_update";
-- Drop trigger recount_users_on_delete
DROP TRIGGER "recount_users_on_delete";
-- Drop trigger recount_users_on_update
DROP TRIGGER "recount_users_on_update";
-- Drop trigger search_posts_on_delete
DROP TRIGGER "search_posts_on_delete";
-- Drop trigger search_posts_on_insert
DROP TRIGGER "search_posts_on_insert";
-- Drop trigger search_posts_on_update
DROP TRIGGER "search_posts_on_update";
-- Drop trigger search_posts_parts_on_delete
DROP TRIGGER "search_posts_parts_on_delete";
-- Drop trigger search_posts_parts_on_insert
DROP TRIGGER "search_posts_parts_on_insert";
-- Drop trigger search_posts_parts_on_update
DROP TRIGGER "search_posts_parts_on_update";
-- Drop trigger search_users_on_delete
DROP TRIGGER "search_users_on_delete";
-- Drop trigger search_users_on_insert
DROP TRIGGER "search_users_on_insert";
-- Drop trigger search_users_on_update
DROP TRIGGER "search_users_on_update";
-- Drop trigger search_users_parts_on_delete
DROP TRIGGER "search_users_parts_on_delete";
-- Drop trigger search_users_parts_on_insert
DROP TRIGGER "search_users_parts_on_insert";
-- Drop trigger search_users_parts_on_update
DROP TRIGGER "search_users_parts_on_update";
-- Drop trigger stamp_refresh_families_revoked_at
DROP TRIGGER "stamp_refresh_families_revoked_at";
-- Drop trigger stamp_reset_tokens_revoked_at
DROP TRIGGER "stamp_reset_tokens_revoked_at";
-- Drop trigger stamp_sessions_revoked_at
DROP TRIGGER "stamp_sessions_revoked_at";
-- Drop trigger stamp_verification_tokens_revoked_at
DROP TRIGGER "stamp_verification_tokens_revoked_at";
-- Drop trigger tally_follows_on_delete
DROP TRIGGER "tally_follows_on_delete";
-- Drop trigger tally_follows_on_insert
DROP TRIGGER "tally_follows_on_insert";
-- Drop trigger tally_follows_on_update
DROP TRIGGER "tally_follows_on_update";
-- Drop trigger tally_likes_on_delete
DROP TRIGGER "tally_likes_on_delete";
-- Drop trigger tally_likes_on_insert
DROP TRIGGER "tally_likes_on_insert";
-- Drop trigger tally_likes_on_update
DROP TRIGGER "tally_likes_on_update";
-- Drop trigger tally_posts_on_delete
DROP TRIGGER "tally_posts_on_delete";
-- Drop trigger tally_posts_on_insert
DROP TRIGGER "tally_posts_on_insert";
-- Drop trigger tally_posts_on_update
DROP TRIGGER "tally_posts_on_update";
-- Drop trigger version_posts
DROP TRIGGER "version_posts";
-- Drop trigger version_users
DROP TRIGGER "version_users";
-- Make recounts
CREATE TABLE "recounts" ("keepers" text NOT NULL, "keeper" bigint NOT NULL, "relation" text NOT NULL,
	"place" bigint NOT NULL, "away" boolean NOT NULL, "steps" bigint NOT NULL, PRIMARY KEY ("keepers", "keeper", "relation"));
-- Fill likes_count of the rows of posts that are there: it writes each, which takes long where there are many
UPDATE "posts" SET "likes_count" = (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND COALESCE((SELECT "child"."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = "child"."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = "child"."user_id" AND "keeper"."deleted_at" IS NULL)));
-- Fill followers_count of the rows of users that are there: it writes each, which takes long where there are many
UPDATE "users" SET "followers_count" = (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND COALESCE((SELECT "child"."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = "child"."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = "child"."follower_id" AND "keeper"."deleted_at" IS NULL)));
-- Fill following_count of the rows of users that are there: it writes each, which takes long where there are many
UPDATE "users" SET "following_count" = (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND COALESCE((SELECT "child"."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = "child"."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = "child"."followee_id" AND "keeper"."deleted_at" IS NULL)));
-- Make event_post_published_on_insert
CREATE TRIGGER "event_post_published_on_insert" AFTER INSERT ON "posts" FOR EACH ROW WHEN NEW.published BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.published', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_published_on_update
CREATE TRIGGER "event_post_published_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN NEW.published AND NEW.archived_at IS NULL AND NOT (OLD.published AND OLD.archived_at IS NULL) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.published', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_deleted_on_update
CREATE TRIGGER "event_post_deleted_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.deleted', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_deleted_on_delete
CREATE TRIGGER "event_post_deleted_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.deleted', 'Post', OLD."id", OLD."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
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
-- Make event_user_status_on_update
CREATE TRIGGER "event_user_status_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN NEW.is_active <> OLD.is_active OR NEW.role <> OLD.role OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'user.status', 'User', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_user_status_on_delete
CREATE TRIGGER "event_user_status_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'user.status', 'User', OLD."id", OLD."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make tally_posts_on_insert
CREATE TRIGGER "tally_posts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW WHEN NEW."category_id" IS NOT NULL AND (NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL) BEGIN
	UPDATE "categories" SET "posts_count" = "posts_count" + CASE WHEN NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = NEW."category_id";
END;
-- Make tally_posts_on_update
CREATE TRIGGER "tally_posts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN (CASE WHEN OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL THEN 1 ELSE 0 END) <> (CASE WHEN NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL THEN 1 ELSE 0 END) OR OLD."category_id" IS DISTINCT FROM NEW."category_id" BEGIN
	UPDATE "categories" SET "posts_count" = "posts_count" - CASE WHEN OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = OLD."category_id";
	UPDATE "categories" SET "posts_count" = "posts_count" + CASE WHEN NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = NEW."category_id";
END;
-- Make tally_posts_on_delete
CREATE TRIGGER "tally_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN OLD."category_id" IS NOT NULL AND (OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL) BEGIN
	UPDATE "categories" SET "posts_count" = "posts_count" - CASE WHEN OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = OLD."category_id";
END;
-- Make tally_likes_on_insert
CREATE TRIGGER "tally_likes_on_insert" AFTER INSERT ON "likes" FOR EACH ROW BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND COALESCE((SELECT NEW."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = NEW."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL));
END;
-- Make tally_likes_on_update
CREATE TRIGGER "tally_likes_on_update" AFTER UPDATE ON "likes" FOR EACH ROW WHEN OLD."post_id" IS DISTINCT FROM NEW."post_id" OR OLD."user_id" IS DISTINCT FROM NEW."user_id" BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND COALESCE((SELECT OLD."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND COALESCE((SELECT NEW."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = NEW."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL));
END;
-- Make tally_likes_on_delete
CREATE TRIGGER "tally_likes_on_delete" AFTER DELETE ON "likes" FOR EACH ROW BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND COALESCE((SELECT OLD."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL));
END;
-- Make tally_follows_on_insert
CREATE TRIGGER "tally_follows_on_insert" AFTER INSERT ON "follows" FOR EACH ROW BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND COALESCE((SELECT NEW."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = NEW."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND COALESCE((SELECT NEW."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = NEW."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL));
END;
-- Make tally_follows_on_update
CREATE TRIGGER "tally_follows_on_update" AFTER UPDATE ON "follows" FOR EACH ROW WHEN OLD."followee_id" IS DISTINCT FROM NEW."followee_id" OR OLD."follower_id" IS DISTINCT FROM NEW."follower_id" BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND COALESCE((SELECT OLD."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND COALESCE((SELECT NEW."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = NEW."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND COALESCE((SELECT OLD."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND COALESCE((SELECT NEW."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = NEW."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL));
END;
-- Make tally_follows_on_delete
CREATE TRIGGER "tally_follows_on_delete" AFTER DELETE ON "follows" FOR EACH ROW BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND COALESCE((SELECT OLD."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND COALESCE((SELECT OLD."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL));
END;
-- Make recount_users_on_update
CREATE TRIGGER "recount_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN (OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL) BEGIN
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'likes_post_id', CASE WHEN NEW."deleted_at" IS NULL THEN 9223372036854775807 ELSE 0 END, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away";
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'follows_followee_id', CASE WHEN NEW."deleted_at" IS NULL THEN 9223372036854775807 ELSE 0 END, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away";
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'follows_follower_id', CASE WHEN NEW."deleted_at" IS NULL THEN 9223372036854775807 ELSE 0 END, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away";
	INSERT OR IGNORE INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_object('keepers', 'users', 'keeper', NEW."id"), 'bulk', 'users ' || NEW."id", 0, 0, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make recount_users_on_delete
CREATE TRIGGER "recount_users_on_delete" BEFORE DELETE ON "users" FOR EACH ROW BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = OLD."id" AND COALESCE((SELECT "child"."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) WHERE "id" IN (SELECT "child"."post_id" FROM "likes" AS "child" WHERE "child"."user_id" = OLD."id" AND COALESCE((SELECT "child"."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL));
	UPDATE "users" SET "followers_count" = "followers_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = OLD."id" AND COALESCE((SELECT "child"."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) WHERE "id" IN (SELECT "child"."followee_id" FROM "follows" AS "child" WHERE "child"."follower_id" = OLD."id" AND COALESCE((SELECT "child"."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = OLD."id" AND COALESCE((SELECT "child"."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) WHERE "id" IN (SELECT "child"."follower_id" FROM "follows" AS "child" WHERE "child"."followee_id" = OLD."id" AND COALESCE((SELECT "child"."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL));
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = OLD."id";
END;
-- Make recount_likes_post_id
CREATE TRIGGER "recount_likes_post_id" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN NEW."keepers" = 'users' AND NEW."relation" = 'likes_post_id' BEGIN
	UPDATE "recounts" SET "place" = CASE WHEN NEW."away" THEN COALESCE((SELECT max("next"."key") FROM (SELECT "child"."post_id" AS "key" FROM "likes" AS "child" WHERE "child"."user_id" = NEW."keeper" AND "child"."post_id" > NEW."place" ORDER BY "child"."post_id" LIMIT 500) AS "next"), 9223372036854775807) ELSE COALESCE((SELECT min("next"."key") - 1 FROM (SELECT "child"."post_id" AS "key" FROM "likes" AS "child" WHERE "child"."user_id" = NEW."keeper" AND "child"."post_id" <= NEW."place" ORDER BY "child"."post_id" DESC LIMIT 500) AS "next"), 0) END WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id';
	UPDATE "posts" SET "likes_count" = "likes_count" + CASE WHEN NEW."away" THEN -1 ELSE 1 END * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = NEW."keeper") WHERE "id" IN (SELECT "child"."post_id" FROM "likes" AS "child" WHERE "child"."user_id" = NEW."keeper" AND "child"."post_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id') END AND "child"."post_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id') ELSE NEW."place" END);
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id' AND "place" = CASE WHEN "away" THEN 9223372036854775807 ELSE 0 END;
END;
-- Make recount_follows_followee_id
CREATE TRIGGER "recount_follows_followee_id" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN NEW."keepers" = 'users' AND NEW."relation" = 'follows_followee_id' BEGIN
	UPDATE "recounts" SET "place" = CASE WHEN NEW."away" THEN COALESCE((SELECT max("next"."key") FROM (SELECT "child"."followee_id" AS "key" FROM "follows" AS "child" WHERE "child"."follower_id" = NEW."keeper" AND "child"."followee_id" > NEW."place" ORDER BY "child"."followee_id" LIMIT 500) AS "next"), 9223372036854775807) ELSE COALESCE((SELECT min("next"."key") - 1 FROM (SELECT "child"."followee_id" AS "key" FROM "follows" AS "child" WHERE "child"."follower_id" = NEW."keeper" AND "child"."followee_id" <= NEW."place" ORDER BY "child"."followee_id" DESC LIMIT 500) AS "next"), 0) END WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id';
	UPDATE "users" SET "followers_count" = "followers_count" + CASE WHEN NEW."away" THEN -1 ELSE 1 END * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = NEW."keeper") WHERE "id" IN (SELECT "child"."followee_id" FROM "follows" AS "child" WHERE "child"."follower_id" = NEW."keeper" AND "child"."followee_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id') END AND "child"."followee_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id') ELSE NEW."place" END);
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id' AND "place" = CASE WHEN "away" THEN 9223372036854775807 ELSE 0 END;
END;
-- Make recount_follows_follower_id
CREATE TRIGGER "recount_follows_follower_id" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN NEW."keepers" = 'users' AND NEW."relation" = 'follows_follower_id' BEGIN
	UPDATE "recounts" SET "place" = CASE WHEN NEW."away" THEN COALESCE((SELECT max("next"."key") FROM (SELECT "child"."follower_id" AS "key" FROM "follows" AS "child" WHERE "child"."followee_id" = NEW."keeper" AND "child"."follower_id" > NEW."place" ORDER BY "child"."follower_id" LIMIT 500) AS "next"), 9223372036854775807) ELSE COALESCE((SELECT min("next"."key") - 1 FROM (SELECT "child"."follower_id" AS "key" FROM "follows" AS "child" WHERE "child"."followee_id" = NEW."keeper" AND "child"."follower_id" <= NEW."place" ORDER BY "child"."follower_id" DESC LIMIT 500) AS "next"), 0) END WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id';
	UPDATE "users" SET "following_count" = "following_count" + CASE WHEN NEW."away" THEN -1 ELSE 1 END * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = NEW."keeper") WHERE "id" IN (SELECT "child"."follower_id" FROM "follows" AS "child" WHERE "child"."followee_id" = NEW."keeper" AND "child"."follower_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id') END AND "child"."follower_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id') ELSE NEW."place" END);
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id' AND "place" = CASE WHEN "away" THEN 9223372036854775807 ELSE 0 END;
END;
-- Make stamp_refresh_families_revoked_at
CREATE TRIGGER "stamp_refresh_families_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL) BEGIN
	UPDATE "refresh_families" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make stamp_reset_tokens_revoked_at
CREATE TRIGGER "stamp_reset_tokens_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL OR OLD.email_fold <> OLD.email_fold) BEGIN
	UPDATE "reset_tokens" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make stamp_sessions_revoked_at
CREATE TRIGGER "stamp_sessions_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL) BEGIN
	UPDATE "sessions" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make stamp_verification_tokens_revoked_at
CREATE TRIGGER "stamp_verification_tokens_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL OR OLD.email_fold <> OLD.email_fold) BEGIN
	UPDATE "verification_tokens" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make version_posts
CREATE TRIGGER "version_posts" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "author_id", "category_id" ON "posts" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "posts" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_users
CREATE TRIGGER "version_users" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "email", "role", "age", "is_active", "salary" ON "users" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "users" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make search_posts_on_insert
CREATE TRIGGER "search_posts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_on_update
CREATE TRIGGER "search_posts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN OLD."title_fold" IS NOT NEW."title_fold" OR OLD."content_fold" IS NOT NEW."content_fold" BEGIN
	INSERT INTO "search_posts" ("search_posts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
	INSERT INTO "search_posts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_on_delete
CREATE TRIGGER "search_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts" ("search_posts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
END;
-- Make search_posts_parts_on_insert
CREATE TRIGGER "search_posts_parts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts_parts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_parts_on_update
CREATE TRIGGER "search_posts_parts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN OLD."title_fold" IS NOT NEW."title_fold" OR OLD."content_fold" IS NOT NEW."content_fold" BEGIN
	INSERT INTO "search_posts_parts" ("search_posts_parts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
	INSERT INTO "search_posts_parts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_parts_on_delete
CREATE TRIGGER "search_posts_parts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts_parts" ("search_posts_parts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
END;
-- Make search_users_on_insert
CREATE TRIGGER "search_users_on_insert" AFTER INSERT ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_on_update
CREATE TRIGGER "search_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."email_fold" IS NOT NEW."email_fold" BEGIN
	INSERT INTO "search_users" ("search_users", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
	INSERT INTO "search_users" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_on_delete
CREATE TRIGGER "search_users_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users" ("search_users", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
END;
-- Make search_users_parts_on_insert
CREATE TRIGGER "search_users_parts_on_insert" AFTER INSERT ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users_parts" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_parts_on_update
CREATE TRIGGER "search_users_parts_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."email_fold" IS NOT NEW."email_fold" BEGIN
	INSERT INTO "search_users_parts" ("search_users_parts", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
	INSERT INTO "search_users_parts" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_parts_on_delete
CREATE TRIGGER "search_users_parts_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users_parts" ("search_users_parts", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
END;
