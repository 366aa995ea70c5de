-- list_likes_of_users, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase list_likes_of_users.

-- Create index "follow_follower_id_created_at_id" to table: "follows"
CREATE INDEX `follow_follower_id_created_at_id` ON `follows` (`follower_id`, `created_at`, `id`);
-- Create index "follow_followee_id_created_at_id" to table: "follows"
CREATE INDEX `follow_followee_id_created_at_id` ON `follows` (`followee_id`, `created_at`, `id`);
-- Create index "like_user_id_created_at_id" to table: "likes"
CREATE INDEX `like_user_id_created_at_id` ON `likes` (`user_id`, `created_at`, `id`);
-- Drop index "share_user_id" from table: "shares"
DROP INDEX `share_user_id`;
-- Create index "share_user_id_created_at_id" to table: "shares"
CREATE INDEX `share_user_id_created_at_id` ON `shares` (`user_id`, `created_at`, `id`);
