-- delete_in_steps, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase delete_in_steps.

-- Make cascade_users_on_update (function)
CREATE OR REPLACE FUNCTION "cascade_users_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'with_posts', 0, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away", "place" = 0;
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'with_comments', 0, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away", "place" = 0;
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'with_reviews', 0, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away", "place" = 0;
	UPDATE "recounts" SET "steps" = "steps" + 1 WHERE "keepers" = 'users' AND "keeper" = NEW."id" AND "relation" IN ('with_posts', 'with_comments', 'with_reviews');
	INSERT INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	SELECT 'recount', 'queued', 0, 0, 1000000, json_build_object('keepers', 'users', 'keeper', NEW."id")::jsonb, 'bulk', 'users ' || NEW."id", 0, 0, now(), now(), now(), now() WHERE EXISTS (SELECT 1 FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."id" AND "relation" IN ('with_posts', 'with_comments', 'with_reviews'))
	ON CONFLICT ("kind", "unique_key") WHERE "finished_at" IS NULL DO UPDATE SET "kind" = 'recount';
	RETURN NULL;
END $$;
-- Make cascade_users_on_update
CREATE TRIGGER "cascade_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN ((OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL) AND OLD."deleted_with" IS NULL AND NEW."deleted_with" IS NULL) EXECUTE FUNCTION "cascade_users_on_update"();
-- Make recount_with_posts (function)
CREATE OR REPLACE FUNCTION "recount_with_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "id" FROM "posts" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "posts" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "posts" SET "deleted_at" = (SELECT "deleted_at" FROM "users" WHERE "id" = NEW."keeper"), "deleted_with" = NEW."keeper", "updated_at" = now() WHERE "id" IN (SELECT "id" FROM "posts" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "posts" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_at" IS NULL AND NEW."away";
	UPDATE "posts" SET "deleted_at" = NULL, "deleted_with" = NULL, "updated_at" = now() WHERE "id" IN (SELECT "id" FROM "posts" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "posts" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_with" = NEW."keeper" AND NOT (NEW."away");
	UPDATE "recounts" SET "place" = COALESCE((SELECT "id" FROM "posts" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "posts" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 1 OFFSET 499), 9223372036854775807) WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_posts';
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_posts' AND "place" = 9223372036854775807;
	RETURN NULL;
END $$;
-- Make recount_with_posts
CREATE TRIGGER "recount_with_posts" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN (NEW."keepers" = 'users' AND NEW."relation" = 'with_posts') EXECUTE FUNCTION "recount_with_posts"();
-- Make recount_with_comments (function)
CREATE OR REPLACE FUNCTION "recount_with_comments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "comments" WHERE "id" IN (SELECT "id" FROM "comments" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "comments" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "comments" SET "deleted_at" = (SELECT "deleted_at" FROM "users" WHERE "id" = NEW."keeper"), "deleted_with" = NEW."keeper", "updated_at" = now() WHERE "id" IN (SELECT "id" FROM "comments" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "comments" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_at" IS NULL AND NEW."away";
	UPDATE "comments" SET "deleted_at" = NULL, "deleted_with" = NULL, "updated_at" = now() WHERE "id" IN (SELECT "id" FROM "comments" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "comments" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_with" = NEW."keeper" AND NOT (NEW."away");
	UPDATE "recounts" SET "place" = COALESCE((SELECT "id" FROM "comments" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "comments" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 1 OFFSET 499), 9223372036854775807) WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_comments';
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_comments' AND "place" = 9223372036854775807;
	RETURN NULL;
END $$;
-- Make recount_with_comments
CREATE TRIGGER "recount_with_comments" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN (NEW."keepers" = 'users' AND NEW."relation" = 'with_comments') EXECUTE FUNCTION "recount_with_comments"();
-- Make recount_with_reviews (function)
CREATE OR REPLACE FUNCTION "recount_with_reviews"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "reviews" WHERE "id" IN (SELECT "id" FROM "reviews" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "reviews" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "reviews" SET "deleted_at" = (SELECT "deleted_at" FROM "users" WHERE "id" = NEW."keeper"), "deleted_with" = NEW."keeper", "updated_at" = now() WHERE "id" IN (SELECT "id" FROM "reviews" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "reviews" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_at" IS NULL AND NEW."away";
	UPDATE "reviews" SET "deleted_at" = NULL, "deleted_with" = NULL, "updated_at" = now() WHERE "id" IN (SELECT "id" FROM "reviews" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "reviews" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_with" = NEW."keeper" AND NOT (NEW."away");
	UPDATE "recounts" SET "place" = COALESCE((SELECT "id" FROM "reviews" WHERE "author_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "reviews" AS "reached" WHERE "reached"."id" = NEW."place"), '-infinity'), NEW."place") ORDER BY "created_at", "id" LIMIT 1 OFFSET 499), 9223372036854775807) WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_reviews';
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_reviews' AND "place" = 9223372036854775807;
	RETURN NULL;
END $$;
-- Make recount_with_reviews
CREATE TRIGGER "recount_with_reviews" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN (NEW."keepers" = 'users' AND NEW."relation" = 'with_reviews') EXECUTE FUNCTION "recount_with_reviews"();
