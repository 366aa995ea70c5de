-- parts_of_texts, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase parts_of_texts.

-- Drop index search_posts_title_fold
DROP INDEX IF EXISTS "search_posts_title_fold";
-- Drop index search_products_name_fold
DROP INDEX IF EXISTS "search_products_name_fold";
-- Drop index search_users_name_fold
DROP INDEX IF EXISTS "search_users_name_fold";
-- Make search_posts_parts
CREATE INDEX "search_posts_parts" ON "posts" USING gin ("title_fold" gin_trgm_ops, "content_fold" gin_trgm_ops);
-- Make search_products_parts
CREATE INDEX "search_products_parts" ON "products" USING gin ("name_fold" gin_trgm_ops, "description_fold" gin_trgm_ops);
-- Make search_users_parts
CREATE INDEX "search_users_parts" ON "users" USING gin ("name_fold" gin_trgm_ops, "email_fold" gin_trgm_ops);
