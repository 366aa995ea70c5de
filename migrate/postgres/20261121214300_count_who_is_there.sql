-- Drop trigger tally_likes_on_update
DROP TRIGGER "tally_likes_on_update" ON "likes";
-- Make tally_likes_on_insert (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" = NEW."user_id" FOR SHARE;
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make tally_likes_on_update (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" = OLD."user_id" FOR SHARE;
	PERFORM 1 FROM "users" WHERE "id" = NEW."user_id" FOR SHARE;
	PERFORM 1 FROM "posts" WHERE "id" IN (OLD."post_id", NEW."post_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make tally_likes_on_update
CREATE TRIGGER "tally_likes_on_update" AFTER UPDATE ON "likes" FOR EACH ROW WHEN (OLD."post_id" IS DISTINCT FROM NEW."post_id" OR OLD."user_id" IS DISTINCT FROM NEW."user_id") EXECUTE FUNCTION "tally_likes_on_update"();
-- Make tally_likes_on_delete (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" = OLD."user_id" FOR SHARE;
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make tally_follows_on_insert (function)
CREATE OR REPLACE FUNCTION "tally_follows_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" IN (NEW."followee_id", NEW."follower_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make tally_follows_on_update (function)
CREATE OR REPLACE FUNCTION "tally_follows_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" IN (OLD."followee_id", NEW."followee_id", OLD."follower_id", NEW."follower_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make tally_follows_on_delete (function)
CREATE OR REPLACE FUNCTION "tally_follows_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" IN (OLD."followee_id", OLD."follower_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make recount_users_on_update (function)
CREATE OR REPLACE FUNCTION "recount_users_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = NEW."id") ORDER BY "id" FOR NO KEY UPDATE;
	PERFORM 1 FROM "users" WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = NEW."id" UNION SELECT "follower_id" FROM "follows" WHERE "followee_id" = NEW."id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" + (CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END) * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = NEW."id") WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = NEW."id");
	UPDATE "users" SET "followers_count" = "followers_count" + (CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = NEW."id") WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = NEW."id");
	UPDATE "users" SET "following_count" = "following_count" + (CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = NEW."id") WHERE "id" IN (SELECT "follower_id" FROM "follows" WHERE "followee_id" = NEW."id");
	RETURN NULL;
END $$;
-- Make recount_users_on_update
CREATE TRIGGER "recount_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN ((OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL)) EXECUTE FUNCTION "recount_users_on_update"();
-- Make recount_users_on_delete (function)
CREATE OR REPLACE FUNCTION "recount_users_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = OLD."id") ORDER BY "id" FOR NO KEY UPDATE;
	PERFORM 1 FROM "users" WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = OLD."id" UNION SELECT "follower_id" FROM "follows" WHERE "followee_id" = OLD."id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = OLD."id") WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = OLD."id");
	UPDATE "users" SET "followers_count" = "followers_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = OLD."id") WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = OLD."id");
	UPDATE "users" SET "following_count" = "following_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = OLD."id") WHERE "id" IN (SELECT "follower_id" FROM "follows" WHERE "followee_id" = OLD."id");
	RETURN OLD;
END $$;
-- Make recount_users_on_delete
CREATE TRIGGER "recount_users_on_delete" BEFORE DELETE ON "users" FOR EACH ROW WHEN (OLD."deleted_at" IS NULL) EXECUTE FUNCTION "recount_users_on_delete"();
-- Count those again of whom somebody has been deleted
UPDATE "posts" SET "likes_count" = (SELECT count(*) FROM "likes" AS "l" JOIN "users" AS "u" ON "u"."id" = "l"."user_id" WHERE "l"."post_id" = "posts"."id" AND "u"."deleted_at" IS NULL) WHERE "id" IN (SELECT "l"."post_id" FROM "likes" AS "l" JOIN "users" AS "u" ON "u"."id" = "l"."user_id" WHERE "u"."deleted_at" IS NOT NULL);
UPDATE "users" SET "followers_count" = (SELECT count(*) FROM "follows" AS "f" JOIN "users" AS "u" ON "u"."id" = "f"."follower_id" WHERE "f"."followee_id" = "users"."id" AND "u"."deleted_at" IS NULL) WHERE "id" IN (SELECT "f"."followee_id" FROM "follows" AS "f" JOIN "users" AS "u" ON "u"."id" = "f"."follower_id" WHERE "u"."deleted_at" IS NOT NULL);
UPDATE "users" SET "following_count" = (SELECT count(*) FROM "follows" AS "f" JOIN "users" AS "u" ON "u"."id" = "f"."followee_id" WHERE "f"."follower_id" = "users"."id" AND "u"."deleted_at" IS NULL) WHERE "id" IN (SELECT "f"."follower_id" FROM "follows" AS "f" JOIN "users" AS "u" ON "u"."id" = "f"."followee_id" WHERE "u"."deleted_at" IS NOT NULL);
