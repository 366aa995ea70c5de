-- Drop trigger recount_users_on_delete
DROP TRIGGER "recount_users_on_delete" ON "users";
-- Make RECOUNT_USERS_ON_DELETE (function)
CREATE OR REPLACE FUNCTION "RECOUNT_USERS_ON_DELETE"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = OLD."id") ORDER BY "id" FOR NO KEY UPDATE;
	PERFORM 1 FROM "users" WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = OLD."id" UNION SELECT "follower_id" FROM "follows" WHERE "followee_id" = OLD."id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "likes_count" = "likes_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = OLD."id") WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = OLD."id") AND EXISTS (SELECT 1 FROM "users" AS "owner" WHERE "owner"."id" = "posts"."author_id");
	UPDATE "users" SET "followers_count" = "followers_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = OLD."id") WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = OLD."id");
	UPDATE "users" SET "following_count" = "following_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = OLD."id") WHERE "id" IN (SELECT "follower_id" FROM "follows" WHERE "followee_id" = OLD."id");
	RETURN NULL;
END $$;
-- Make RECOUNT_USERS_ON_DELETE
CREATE TRIGGER "RECOUNT_USERS_ON_DELETE" AFTER DELETE ON "users" FOR EACH ROW WHEN (OLD."deleted_at" IS NULL) EXECUTE FUNCTION "RECOUNT_USERS_ON_DELETE"();
-- Make search_posts_words_forget
CREATE OR REPLACE FUNCTION "search_posts_words_forget"("gone" text[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	DELETE FROM "search_posts_words" WHERE "word" = ANY (ARRAY(
		SELECT "rare"."word" FROM (
			SELECT "word" FROM unnest("gone") AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]'
			EXCEPT SELECT unnest(tsvector_to_array("newest"."search_document")) FROM (SELECT "search_document" FROM "posts" ORDER BY "id" DESC LIMIT 100) AS "newest"
		) AS "rare" WHERE NOT EXISTS (SELECT 1 FROM "posts" AS "row" WHERE "row"."search_document" @@ ('''' || replace(replace("rare"."word", '\', '\\'), '''', '''''') || '''')::tsquery)));
END $$;
-- Make search_posts_words_on_update (function)
CREATE OR REPLACE FUNCTION "search_posts_words_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_posts_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_posts_words" AS "known" WHERE "known"."word" = "w"."word");
	PERFORM "search_posts_words_forget"(ARRAY(SELECT unnest(tsvector_to_array(OLD."search_document")) EXCEPT SELECT unnest(tsvector_to_array(NEW."search_document"))));
	RETURN NULL;
END $$;
-- Make search_posts_words_on_delete (function)
CREATE OR REPLACE FUNCTION "search_posts_words_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "search_posts_words_forget"(ARRAY(SELECT DISTINCT unnest(tsvector_to_array("search_document")) FROM "removed"));
	RETURN NULL;
END $$;
-- Make search_posts_words_on_delete
CREATE TRIGGER "search_posts_words_on_delete" AFTER DELETE ON "posts" REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "search_posts_words_on_delete"();
-- Make search_products_words_forget
CREATE OR REPLACE FUNCTION "search_products_words_forget"("gone" text[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	DELETE FROM "search_products_words" WHERE "word" = ANY (ARRAY(
		SELECT "rare"."word" FROM (
			SELECT "word" FROM unnest("gone") AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]'
			EXCEPT SELECT unnest(tsvector_to_array("newest"."search_document")) FROM (SELECT "search_document" FROM "products" ORDER BY "id" DESC LIMIT 100) AS "newest"
		) AS "rare" WHERE NOT EXISTS (SELECT 1 FROM "products" AS "row" WHERE "row"."search_document" @@ ('''' || replace(replace("rare"."word", '\', '\\'), '''', '''''') || '''')::tsquery)));
END $$;
-- Make search_products_words_on_update (function)
CREATE OR REPLACE FUNCTION "search_products_words_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_products_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_products_words" AS "known" WHERE "known"."word" = "w"."word");
	PERFORM "search_products_words_forget"(ARRAY(SELECT unnest(tsvector_to_array(OLD."search_document")) EXCEPT SELECT unnest(tsvector_to_array(NEW."search_document"))));
	RETURN NULL;
END $$;
-- Make search_products_words_on_delete (function)
CREATE OR REPLACE FUNCTION "search_products_words_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "search_products_words_forget"(ARRAY(SELECT DISTINCT unnest(tsvector_to_array("search_document")) FROM "removed"));
	RETURN NULL;
END $$;
-- Make search_products_words_on_delete
CREATE TRIGGER "search_products_words_on_delete" AFTER DELETE ON "products" REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "search_products_words_on_delete"();
-- Make search_users_words_forget
CREATE OR REPLACE FUNCTION "search_users_words_forget"("gone" text[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	DELETE FROM "search_users_words" WHERE "word" = ANY (ARRAY(
		SELECT "rare"."word" FROM (
			SELECT "word" FROM unnest("gone") AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]'
			EXCEPT SELECT unnest(tsvector_to_array("newest"."search_document")) FROM (SELECT "search_document" FROM "users" ORDER BY "id" DESC LIMIT 100) AS "newest"
		) AS "rare" WHERE NOT EXISTS (SELECT 1 FROM "users" AS "row" WHERE "row"."search_document" @@ ('''' || replace(replace("rare"."word", '\', '\\'), '''', '''''') || '''')::tsquery)));
END $$;
-- Make search_users_words_on_update (function)
CREATE OR REPLACE FUNCTION "search_users_words_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_users_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_users_words" AS "known" WHERE "known"."word" = "w"."word");
	PERFORM "search_users_words_forget"(ARRAY(SELECT unnest(tsvector_to_array(OLD."search_document")) EXCEPT SELECT unnest(tsvector_to_array(NEW."search_document"))));
	RETURN NULL;
END $$;
-- Make search_users_words_on_delete (function)
CREATE OR REPLACE FUNCTION "search_users_words_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "search_users_words_forget"(ARRAY(SELECT DISTINCT unnest(tsvector_to_array("search_document")) FROM "removed"));
	RETURN NULL;
END $$;
-- Make search_users_words_on_delete
CREATE TRIGGER "search_users_words_on_delete" AFTER DELETE ON "users" REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "search_users_words_on_delete"();
-- Drop function recount_users_on_delete()
DROP FUNCTION recount_users_on_delete();
