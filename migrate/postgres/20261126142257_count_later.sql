-- count_later, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase count_later.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "follows", "likes", "posts", "users" IN ACCESS EXCLUSIVE MODE; END $$;
-- Drop trigger recount_users_alone
DROP TRIGGER "recount_users_alone" ON "users";
-- Drop trigger recount_users_with_follows
DROP TRIGGER "recount_users_with_follows" ON "follows";
-- Drop trigger recount_users_with_likes
DROP TRIGGER "recount_users_with_likes" ON "likes";
-- Drop trigger recount_users_with_posts
DROP TRIGGER "recount_users_with_posts" ON "posts";
-- Drop trigger RECOUNT_USERS_ON_DELETE
DROP TRIGGER "RECOUNT_USERS_ON_DELETE" ON "users";
-- Make recounts
CREATE TABLE "recounts" ("keepers" text NOT NULL, "keeper" bigint NOT NULL, "relation" text NOT NULL,
	"place" bigint NOT NULL, "away" boolean NOT NULL, "steps" bigint NOT NULL, PRIMARY KEY ("keepers", "keeper", "relation"));
-- Make tally_likes_on_insert (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (NEW."post_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND COALESCE((SELECT NEW."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = NEW."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL));
	RETURN NULL;
END $$;
-- Make tally_likes_on_update (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (OLD."post_id", NEW."post_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND COALESCE((SELECT OLD."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND COALESCE((SELECT NEW."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = NEW."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL));
	RETURN NULL;
END $$;
-- Make tally_likes_on_delete (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (OLD."post_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND COALESCE((SELECT OLD."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL));
	RETURN NULL;
END $$;
-- Make tally_follows_on_insert (function)
CREATE OR REPLACE FUNCTION "tally_follows_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" IN (NEW."followee_id", NEW."follower_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND COALESCE((SELECT NEW."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = NEW."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND COALESCE((SELECT NEW."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = NEW."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL));
	RETURN NULL;
END $$;
-- Make tally_follows_on_update (function)
CREATE OR REPLACE FUNCTION "tally_follows_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" IN (OLD."followee_id", NEW."followee_id", OLD."follower_id", NEW."follower_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND COALESCE((SELECT OLD."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND COALESCE((SELECT NEW."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = NEW."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND COALESCE((SELECT OLD."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND COALESCE((SELECT NEW."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = NEW."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL));
	RETURN NULL;
END $$;
-- Make tally_follows_on_delete (function)
CREATE OR REPLACE FUNCTION "tally_follows_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" IN (OLD."followee_id", OLD."follower_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND COALESCE((SELECT OLD."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND COALESCE((SELECT OLD."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL));
	RETURN NULL;
END $$;
-- Make recount_users_on_update (function)
CREATE OR REPLACE FUNCTION "recount_users_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'likes_post_id', CASE WHEN NEW."deleted_at" IS NULL THEN 9223372036854775807 ELSE 0 END, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away";
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'follows_followee_id', CASE WHEN NEW."deleted_at" IS NULL THEN 9223372036854775807 ELSE 0 END, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away";
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'follows_follower_id', CASE WHEN NEW."deleted_at" IS NULL THEN 9223372036854775807 ELSE 0 END, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away";
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'users', 'keeper', NEW."id")::jsonb, 'bulk', 'users ' || NEW."id", 0, 0, now(), now(), now(), now())
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make RECOUNT_USERS_ON_DELETE (function)
CREATE OR REPLACE FUNCTION "RECOUNT_USERS_ON_DELETE"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "child"."post_id" FROM "likes" AS "child" WHERE "child"."user_id" = OLD."id" AND COALESCE((SELECT "child"."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) ORDER BY "id" FOR NO KEY UPDATE;
	PERFORM 1 FROM "users" WHERE "id" IN (SELECT "child"."followee_id" FROM "follows" AS "child" WHERE "child"."follower_id" = OLD."id" AND COALESCE((SELECT "child"."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL) UNION SELECT "child"."follower_id" FROM "follows" AS "child" WHERE "child"."followee_id" = OLD."id" AND COALESCE((SELECT "child"."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = OLD."id" AND COALESCE((SELECT "child"."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) WHERE "id" IN (SELECT "child"."post_id" FROM "likes" AS "child" WHERE "child"."user_id" = OLD."id" AND COALESCE((SELECT "child"."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'likes_post_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) AND EXISTS (SELECT 1 FROM "users" AS "owner" WHERE "owner"."id" = "posts"."author_id");
	UPDATE "users" SET "followers_count" = "followers_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = OLD."id" AND COALESCE((SELECT "child"."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) WHERE "id" IN (SELECT "child"."followee_id" FROM "follows" AS "child" WHERE "child"."follower_id" = OLD."id" AND COALESCE((SELECT "child"."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = OLD."id" AND COALESCE((SELECT "child"."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL)) WHERE "id" IN (SELECT "child"."follower_id" FROM "follows" AS "child" WHERE "child"."followee_id" = OLD."id" AND COALESCE((SELECT "child"."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."id"), OLD."deleted_at" IS NULL));
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = OLD."id";
	RETURN NULL;
END $$;
-- Make RECOUNT_USERS_ON_DELETE
CREATE TRIGGER "RECOUNT_USERS_ON_DELETE" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "RECOUNT_USERS_ON_DELETE"();
-- Make recount_likes_post_id (function)
CREATE OR REPLACE FUNCTION "recount_likes_post_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "recounts" SET "place" = CASE WHEN NEW."away" THEN COALESCE((SELECT max("next"."key") FROM (SELECT "child"."post_id" AS "key" FROM "likes" AS "child" WHERE "child"."user_id" = NEW."keeper" AND "child"."post_id" > NEW."place" ORDER BY "child"."post_id" LIMIT 500) AS "next"), 9223372036854775807) ELSE COALESCE((SELECT min("next"."key") - 1 FROM (SELECT "child"."post_id" AS "key" FROM "likes" AS "child" WHERE "child"."user_id" = NEW."keeper" AND "child"."post_id" <= NEW."place" ORDER BY "child"."post_id" DESC LIMIT 500) AS "next"), 0) END WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id';
	PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "child"."post_id" FROM "likes" AS "child" WHERE "child"."user_id" = NEW."keeper" AND "child"."post_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id') END AND "child"."post_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id') ELSE NEW."place" END) ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" + CASE WHEN NEW."away" THEN -1 ELSE 1 END * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = NEW."keeper") WHERE "id" IN (SELECT "child"."post_id" FROM "likes" AS "child" WHERE "child"."user_id" = NEW."keeper" AND "child"."post_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id') END AND "child"."post_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id') ELSE NEW."place" END);
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'likes_post_id' AND "place" = CASE WHEN "away" THEN 9223372036854775807 ELSE 0 END;
	RETURN NULL;
END $$;
-- Make recount_likes_post_id
CREATE TRIGGER "recount_likes_post_id" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN (NEW."keepers" = 'users' AND NEW."relation" = 'likes_post_id') EXECUTE FUNCTION "recount_likes_post_id"();
-- Make recount_follows_followee_id (function)
CREATE OR REPLACE FUNCTION "recount_follows_followee_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "recounts" SET "place" = CASE WHEN NEW."away" THEN COALESCE((SELECT max("next"."key") FROM (SELECT "child"."followee_id" AS "key" FROM "follows" AS "child" WHERE "child"."follower_id" = NEW."keeper" AND "child"."followee_id" > NEW."place" ORDER BY "child"."followee_id" LIMIT 500) AS "next"), 9223372036854775807) ELSE COALESCE((SELECT min("next"."key") - 1 FROM (SELECT "child"."followee_id" AS "key" FROM "follows" AS "child" WHERE "child"."follower_id" = NEW."keeper" AND "child"."followee_id" <= NEW."place" ORDER BY "child"."followee_id" DESC LIMIT 500) AS "next"), 0) END WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id';
	PERFORM 1 FROM "users" WHERE "id" IN (SELECT "child"."followee_id" FROM "follows" AS "child" WHERE "child"."follower_id" = NEW."keeper" AND "child"."followee_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id') END AND "child"."followee_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id') ELSE NEW."place" END) ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" + CASE WHEN NEW."away" THEN -1 ELSE 1 END * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = NEW."keeper") WHERE "id" IN (SELECT "child"."followee_id" FROM "follows" AS "child" WHERE "child"."follower_id" = NEW."keeper" AND "child"."followee_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id') END AND "child"."followee_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id') ELSE NEW."place" END);
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_followee_id' AND "place" = CASE WHEN "away" THEN 9223372036854775807 ELSE 0 END;
	RETURN NULL;
END $$;
-- Make recount_follows_followee_id
CREATE TRIGGER "recount_follows_followee_id" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN (NEW."keepers" = 'users' AND NEW."relation" = 'follows_followee_id') EXECUTE FUNCTION "recount_follows_followee_id"();
-- Make recount_follows_follower_id (function)
CREATE OR REPLACE FUNCTION "recount_follows_follower_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "recounts" SET "place" = CASE WHEN NEW."away" THEN COALESCE((SELECT max("next"."key") FROM (SELECT "child"."follower_id" AS "key" FROM "follows" AS "child" WHERE "child"."followee_id" = NEW."keeper" AND "child"."follower_id" > NEW."place" ORDER BY "child"."follower_id" LIMIT 500) AS "next"), 9223372036854775807) ELSE COALESCE((SELECT min("next"."key") - 1 FROM (SELECT "child"."follower_id" AS "key" FROM "follows" AS "child" WHERE "child"."followee_id" = NEW."keeper" AND "child"."follower_id" <= NEW."place" ORDER BY "child"."follower_id" DESC LIMIT 500) AS "next"), 0) END WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id';
	PERFORM 1 FROM "users" WHERE "id" IN (SELECT "child"."follower_id" FROM "follows" AS "child" WHERE "child"."followee_id" = NEW."keeper" AND "child"."follower_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id') END AND "child"."follower_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id') ELSE NEW."place" END) ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "following_count" = "following_count" + CASE WHEN NEW."away" THEN -1 ELSE 1 END * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = NEW."keeper") WHERE "id" IN (SELECT "child"."follower_id" FROM "follows" AS "child" WHERE "child"."followee_id" = NEW."keeper" AND "child"."follower_id" > CASE WHEN NEW."away" THEN NEW."place" ELSE (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id') END AND "child"."follower_id" <= CASE WHEN NEW."away" THEN (SELECT "place" FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id') ELSE NEW."place" END);
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'follows_follower_id' AND "place" = CASE WHEN "away" THEN 9223372036854775807 ELSE 0 END;
	RETURN NULL;
END $$;
-- Make recount_follows_follower_id
CREATE TRIGGER "recount_follows_follower_id" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN (NEW."keepers" = 'users' AND NEW."relation" = 'follows_follower_id') EXECUTE FUNCTION "recount_follows_follower_id"();
-- Drop function recount_users_alone()
DROP FUNCTION recount_users_alone();
-- Drop function recount_users_with_follows()
DROP FUNCTION recount_users_with_follows();
-- Drop function recount_users_with_likes()
DROP FUNCTION recount_users_with_likes();
-- Drop function recount_users_with_posts()
DROP FUNCTION recount_users_with_posts();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER event_post_deleted_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL)))) EXECUTE FUNCTION event_post_deleted_on_update();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER event_post_hidden_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND (((old.deleted_at IS NULL) AND ((new.deleted_at IS NOT NULL) OR (old.published AND (old.archived_at IS NULL) AND (NOT (new.published AND (new.archived_at IS NULL)))))))) EXECUTE FUNCTION event_post_hidden_on_update();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER event_post_published_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND ((new.published AND (new.archived_at IS NULL) AND (NOT (old.published AND (old.archived_at IS NULL)))))) EXECUTE FUNCTION event_post_published_on_update();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER event_user_status_on_update AFTER UPDATE ON "users" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND (((new.is_active <> old.is_active) OR ((new.role)::text <> (old.role)::text) OR ((new.deleted_at IS NULL) <> (old.deleted_at IS NULL))))) EXECUTE FUNCTION event_user_status_on_update();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER recount_users_on_update AFTER UPDATE ON "users" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)))) EXECUTE FUNCTION recount_users_on_update();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER stamp_refresh_families_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL)))))) EXECUTE FUNCTION stamp_refresh_families_revoked_at();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER stamp_reset_tokens_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL) OR ((new.email_fold)::text <> (old.email_fold)::text)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL) OR ((old.email_fold)::text <> (old.email_fold)::text)))))) EXECUTE FUNCTION stamp_reset_tokens_revoked_at();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER stamp_sessions_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL)))))) EXECUTE FUNCTION stamp_sessions_revoked_at();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER stamp_verification_tokens_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL) OR ((new.email_fold)::text <> (old.email_fold)::text)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL) OR ((old.email_fold)::text <> (old.email_fold)::text)))))) EXECUTE FUNCTION stamp_verification_tokens_revoked_at();
-- It passes over what the backfill writes
CREATE OR REPLACE TRIGGER tally_posts_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN (current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND (((
        CASE
            WHEN (old.published AND (old.archived_at IS NULL) AND (old.deleted_at IS NULL)) THEN 1
            ELSE 0
        END <>
        CASE
            WHEN (new.published AND (new.archived_at IS NULL) AND (new.deleted_at IS NULL)) THEN 1
            ELSE 0
        END) OR (old.category_id IS DISTINCT FROM new.category_id)))) EXECUTE FUNCTION tally_posts_on_update();
