-- spelling_of_what_is_read, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase spelling_of_what_is_read.
-- Each statement takes effect on its own. What was interrupted goes on.
-- atlas:txmode none

-- Drop index search_posts_words_alike
DROP INDEX CONCURRENTLY IF EXISTS "search_posts_words_alike";
-- Drop index search_posts_words_word
DROP INDEX CONCURRENTLY IF EXISTS "search_posts_words_word";
-- Drop index search_products_words_alike
DROP INDEX CONCURRENTLY IF EXISTS "search_products_words_alike";
-- Drop index search_products_words_word
DROP INDEX CONCURRENTLY IF EXISTS "search_products_words_word";
-- Drop index search_users_words_alike
DROP INDEX CONCURRENTLY IF EXISTS "search_users_words_alike";
-- Drop index search_users_words_word
DROP INDEX CONCURRENTLY IF EXISTS "search_users_words_word";
-- Drop function search_posts_words_forget(text[])
DROP FUNCTION search_posts_words_forget(text[]);
-- Drop function search_posts_words_on_delete()
DROP FUNCTION search_posts_words_on_delete();
-- Drop function search_posts_words_on_insert()
DROP FUNCTION search_posts_words_on_insert();
-- Drop function search_posts_words_on_update()
DROP FUNCTION search_posts_words_on_update();
-- Drop function search_products_words_forget(text[])
DROP FUNCTION search_products_words_forget(text[]);
-- Drop function search_products_words_on_delete()
DROP FUNCTION search_products_words_on_delete();
-- Drop function search_products_words_on_insert()
DROP FUNCTION search_products_words_on_insert();
-- Drop function search_products_words_on_update()
DROP FUNCTION search_products_words_on_update();
-- Drop function search_users_words_forget(text[])
DROP FUNCTION search_users_words_forget(text[]);
-- Drop function search_users_words_on_delete()
DROP FUNCTION search_users_words_on_delete();
-- Drop function search_users_words_on_insert()
DROP FUNCTION search_users_words_on_insert();
-- Drop function search_users_words_on_update()
DROP FUNCTION search_users_words_on_update();
