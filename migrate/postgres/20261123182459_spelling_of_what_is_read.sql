-- spelling_of_what_is_read, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase spelling_of_what_is_read.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "posts", "products", "users" IN ACCESS EXCLUSIVE MODE; END $$;
-- Drop trigger search_posts_words_on_delete
DROP TRIGGER "search_posts_words_on_delete" ON "posts";
-- Drop trigger search_posts_words_on_insert
DROP TRIGGER "search_posts_words_on_insert" ON "posts";
-- Drop trigger search_posts_words_on_update
DROP TRIGGER "search_posts_words_on_update" ON "posts";
-- Drop trigger search_products_words_on_delete
DROP TRIGGER "search_products_words_on_delete" ON "products";
-- Drop trigger search_products_words_on_insert
DROP TRIGGER "search_products_words_on_insert" ON "products";
-- Drop trigger search_products_words_on_update
DROP TRIGGER "search_products_words_on_update" ON "products";
-- Drop trigger search_users_words_on_delete
DROP TRIGGER "search_users_words_on_delete" ON "users";
-- Drop trigger search_users_words_on_insert
DROP TRIGGER "search_users_words_on_insert" ON "users";
-- Drop trigger search_users_words_on_update
DROP TRIGGER "search_users_words_on_update" ON "users";
-- Drop table search_posts_words
DROP TABLE "search_posts_words";
-- Drop table search_products_words
DROP TABLE "search_products_words";
-- Drop table search_users_words
DROP TABLE "search_users_words";
