-- Make tally_likes_on_insert (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make tally_likes_on_update (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (OLD."post_id", NEW."post_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make tally_likes_on_delete (function)
CREATE OR REPLACE FUNCTION "tally_likes_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL);
	RETURN NULL;
END $$;
-- Make recount_users_alone (function)
CREATE OR REPLACE FUNCTION "recount_users_alone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtext('recount_users'));
	RETURN NULL;
END $$;
-- Make recount_users_alone
CREATE TRIGGER "recount_users_alone" BEFORE UPDATE OF "deleted_at" OR DELETE ON "users" FOR EACH STATEMENT EXECUTE FUNCTION "recount_users_alone"();
-- Make recount_users_with_likes (function)
CREATE OR REPLACE FUNCTION "recount_users_with_likes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock_shared(hashtext('recount_users'));
	RETURN NULL;
END $$;
-- Make recount_users_with_likes
CREATE TRIGGER "recount_users_with_likes" BEFORE INSERT OR UPDATE OR DELETE ON "likes" FOR EACH STATEMENT EXECUTE FUNCTION "recount_users_with_likes"();
-- Make recount_users_with_posts (function)
CREATE OR REPLACE FUNCTION "recount_users_with_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock_shared(hashtext('recount_users'));
	RETURN NULL;
END $$;
-- Make recount_users_with_posts
CREATE TRIGGER "recount_users_with_posts" BEFORE DELETE ON "posts" FOR EACH STATEMENT EXECUTE FUNCTION "recount_users_with_posts"();
-- Make recount_users_with_follows (function)
CREATE OR REPLACE FUNCTION "recount_users_with_follows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock_shared(hashtext('recount_users'));
	RETURN NULL;
END $$;
-- Make recount_users_with_follows
CREATE TRIGGER "recount_users_with_follows" BEFORE INSERT OR UPDATE OR DELETE ON "follows" FOR EACH STATEMENT EXECUTE FUNCTION "recount_users_with_follows"();
