-- hold_keepers, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase hold_keepers.

-- Make tally_follows_on_delete (function). What it counts stays as it was: no row is counted anew.
CREATE OR REPLACE FUNCTION "tally_follows_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM "users" WHERE "id" IN (OLD."follower_id", OLD."followee_id") ORDER BY "id" FOR KEY SHARE;
	PERFORM 1 FROM "users" WHERE "id" IN (OLD."followee_id", OLD."follower_id") ORDER BY "id" FOR NO KEY UPDATE;
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND COALESCE((SELECT OLD."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_followee_id' AND "recount"."keeper" = OLD."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL));
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND COALESCE((SELECT OLD."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = 'users' AND "recount"."relation" = 'follows_follower_id' AND "recount"."keeper" = OLD."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL));
	RETURN NULL;
END $$;
