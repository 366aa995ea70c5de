-- count_later, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase count_later.
-- Each statement takes effect on its own. What was interrupted goes on.
-- atlas:txmode none

-- Fill likes_count of the rows of posts that are there, in batches
CALL entwine_backfill('posts', '"likes_count" = (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND COALESCE((SELECT "child"."post_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = ''users'' AND "recount"."relation" = ''likes_post_id'' AND "recount"."keeper" = "child"."user_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = "child"."user_id" AND "keeper"."deleted_at" IS NULL)))', '');
-- Fill followers_count of the rows of users that are there, in batches
CALL entwine_backfill('users', '"followers_count" = (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND COALESCE((SELECT "child"."followee_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = ''users'' AND "recount"."relation" = ''follows_followee_id'' AND "recount"."keeper" = "child"."follower_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = "child"."follower_id" AND "keeper"."deleted_at" IS NULL)))', '');
-- Fill following_count of the rows of users that are there, in batches
CALL entwine_backfill('users', '"following_count" = (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND COALESCE((SELECT "child"."follower_id" > "recount"."place" FROM "recounts" AS "recount" WHERE "recount"."keepers" = ''users'' AND "recount"."relation" = ''follows_follower_id'' AND "recount"."keeper" = "child"."followee_id"), EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = "child"."followee_id" AND "keeper"."deleted_at" IS NULL)))', '');
-- The backfill has ended
CREATE OR REPLACE TRIGGER event_post_deleted_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL))) EXECUTE FUNCTION event_post_deleted_on_update();
-- The backfill has ended
CREATE OR REPLACE TRIGGER event_post_hidden_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND ((new.deleted_at IS NOT NULL) OR (old.published AND (old.archived_at IS NULL) AND (NOT (new.published AND (new.archived_at IS NULL))))))) EXECUTE FUNCTION event_post_hidden_on_update();
-- The backfill has ended
CREATE OR REPLACE TRIGGER event_post_published_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN ((new.published AND (new.archived_at IS NULL) AND (NOT (old.published AND (old.archived_at IS NULL))))) EXECUTE FUNCTION event_post_published_on_update();
-- The backfill has ended
CREATE OR REPLACE TRIGGER event_user_status_on_update AFTER UPDATE ON "users" FOR EACH ROW WHEN (((new.is_active <> old.is_active) OR ((new.role)::text <> (old.role)::text) OR ((new.deleted_at IS NULL) <> (old.deleted_at IS NULL)))) EXECUTE FUNCTION event_user_status_on_update();
-- The backfill has ended
CREATE OR REPLACE TRIGGER recount_users_on_update AFTER UPDATE ON "users" FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION recount_users_on_update();
-- The backfill has ended
CREATE OR REPLACE TRIGGER stamp_refresh_families_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL))))) EXECUTE FUNCTION stamp_refresh_families_revoked_at();
-- The backfill has ended
CREATE OR REPLACE TRIGGER stamp_reset_tokens_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL) OR ((new.email_fold)::text <> (old.email_fold)::text)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL) OR ((old.email_fold)::text <> (old.email_fold)::text))))) EXECUTE FUNCTION stamp_reset_tokens_revoked_at();
-- The backfill has ended
CREATE OR REPLACE TRIGGER stamp_sessions_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL))))) EXECUTE FUNCTION stamp_sessions_revoked_at();
-- The backfill has ended
CREATE OR REPLACE TRIGGER stamp_verification_tokens_revoked_at AFTER UPDATE ON "users" FOR EACH ROW WHEN ((((NOT new.is_active) OR (new.deleted_at IS NOT NULL) OR ((new.email_fold)::text <> (old.email_fold)::text)) AND (NOT ((NOT old.is_active) OR (old.deleted_at IS NOT NULL) OR ((old.email_fold)::text <> (old.email_fold)::text))))) EXECUTE FUNCTION stamp_verification_tokens_revoked_at();
-- The backfill has ended
CREATE OR REPLACE TRIGGER tally_posts_on_update AFTER UPDATE ON "posts" FOR EACH ROW WHEN (((
        CASE
            WHEN (old.published AND (old.archived_at IS NULL) AND (old.deleted_at IS NULL)) THEN 1
            ELSE 0
        END <>
        CASE
            WHEN (new.published AND (new.archived_at IS NULL) AND (new.deleted_at IS NULL)) THEN 1
            ELSE 0
        END) OR (old.category_id IS DISTINCT FROM new.category_id))) EXECUTE FUNCTION tally_posts_on_update();
