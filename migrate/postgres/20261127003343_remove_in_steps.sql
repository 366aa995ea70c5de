-- remove_in_steps, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase remove_in_steps.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "comments", "posts", "categories", "reviews", "products", "users" IN ACCESS EXCLUSIVE MODE; END $$;
-- Make remove_categories_on_update (function)
CREATE OR REPLACE FUNCTION "remove_categories_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'categories' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('categories', NEW."id", 'with_', 0, TRUE, 0);
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'categories', 'keeper', NEW."id")::jsonb, 'bulk', 'categories ' || NEW."id", 0, 0, now(), now(), now(), now())
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make remove_categories_on_update
CREATE TRIGGER "remove_categories_on_update" AFTER UPDATE ON "categories" FOR EACH ROW WHEN (NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0) EXECUTE FUNCTION "remove_categories_on_update"();
-- Make remove_categories_on_delete (function)
CREATE OR REPLACE FUNCTION "remove_categories_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'categories' AND "keeper" = OLD."id";
	RETURN NULL;
END $$;
-- Make remove_categories_on_delete
CREATE TRIGGER "remove_categories_on_delete" AFTER DELETE ON "categories" FOR EACH ROW WHEN (OLD."deleted_with" = 0) EXECUTE FUNCTION "remove_categories_on_delete"();
-- Make remove_comments_on_update (function)
CREATE OR REPLACE FUNCTION "remove_comments_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'comments' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('comments', NEW."id", 'with_', 0, TRUE, 0);
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'comments', 'keeper', NEW."id")::jsonb, 'bulk', 'comments ' || NEW."id", 0, 0, now(), now(), now(), now())
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make remove_comments_on_update
CREATE TRIGGER "remove_comments_on_update" AFTER UPDATE ON "comments" FOR EACH ROW WHEN (NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0) EXECUTE FUNCTION "remove_comments_on_update"();
-- Make remove_comments_on_delete (function)
CREATE OR REPLACE FUNCTION "remove_comments_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'comments' AND "keeper" = OLD."id";
	RETURN NULL;
END $$;
-- Make remove_comments_on_delete
CREATE TRIGGER "remove_comments_on_delete" AFTER DELETE ON "comments" FOR EACH ROW WHEN (OLD."deleted_with" = 0) EXECUTE FUNCTION "remove_comments_on_delete"();
-- Make remove_posts_on_update (function)
CREATE OR REPLACE FUNCTION "remove_posts_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'posts' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('posts', NEW."id", 'with_', 0, TRUE, 0);
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'posts', 'keeper', NEW."id")::jsonb, 'bulk', 'posts ' || NEW."id", 0, 0, now(), now(), now(), now())
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make remove_posts_on_update
CREATE TRIGGER "remove_posts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN (NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0) EXECUTE FUNCTION "remove_posts_on_update"();
-- Make remove_posts_on_delete (function)
CREATE OR REPLACE FUNCTION "remove_posts_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'posts' AND "keeper" = OLD."id";
	RETURN NULL;
END $$;
-- Make remove_posts_on_delete
CREATE TRIGGER "remove_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN (OLD."deleted_with" = 0) EXECUTE FUNCTION "remove_posts_on_delete"();
-- Make remove_products_on_update (function)
CREATE OR REPLACE FUNCTION "remove_products_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'products' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('products', NEW."id", 'with_', 0, TRUE, 0);
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'products', 'keeper', NEW."id")::jsonb, 'bulk', 'products ' || NEW."id", 0, 0, now(), now(), now(), now())
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make remove_products_on_update
CREATE TRIGGER "remove_products_on_update" AFTER UPDATE ON "products" FOR EACH ROW WHEN (NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0) EXECUTE FUNCTION "remove_products_on_update"();
-- Make remove_products_on_delete (function)
CREATE OR REPLACE FUNCTION "remove_products_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'products' AND "keeper" = OLD."id";
	RETURN NULL;
END $$;
-- Make remove_products_on_delete
CREATE TRIGGER "remove_products_on_delete" AFTER DELETE ON "products" FOR EACH ROW WHEN (OLD."deleted_with" = 0) EXECUTE FUNCTION "remove_products_on_delete"();
-- Make remove_reviews_on_update (function)
CREATE OR REPLACE FUNCTION "remove_reviews_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'reviews' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('reviews', NEW."id", 'with_', 0, TRUE, 0);
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'reviews', 'keeper', NEW."id")::jsonb, 'bulk', 'reviews ' || NEW."id", 0, 0, now(), now(), now(), now())
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make remove_reviews_on_update
CREATE TRIGGER "remove_reviews_on_update" AFTER UPDATE ON "reviews" FOR EACH ROW WHEN (NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0) EXECUTE FUNCTION "remove_reviews_on_update"();
-- Make remove_reviews_on_delete (function)
CREATE OR REPLACE FUNCTION "remove_reviews_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'reviews' AND "keeper" = OLD."id";
	RETURN NULL;
END $$;
-- Make remove_reviews_on_delete
CREATE TRIGGER "remove_reviews_on_delete" AFTER DELETE ON "reviews" FOR EACH ROW WHEN (OLD."deleted_with" = 0) EXECUTE FUNCTION "remove_reviews_on_delete"();
-- Make remove_users_on_update (function)
CREATE OR REPLACE FUNCTION "remove_users_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('users', NEW."id", 'with_', 0, TRUE, 0);
	UPDATE "users" SET "email_fold" = NULL WHERE "id" = NEW."id";
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'users', 'keeper', NEW."id")::jsonb, 'bulk', 'users ' || NEW."id", 0, 0, now(), now(), now(), now())
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make remove_users_on_update
CREATE TRIGGER "remove_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0) EXECUTE FUNCTION "remove_users_on_update"();
