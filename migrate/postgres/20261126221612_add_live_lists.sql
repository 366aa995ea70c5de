-- add_live_lists, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_live_lists.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "comments", "likes", "posts", "categories", "invoices", "orders", "products", "users" IN ACCESS EXCLUSIVE MODE; END $$;
-- Make live_of_categories_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_categories_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.categories', 'Category', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_categories_on_insert
CREATE TRIGGER "live_of_categories_on_insert" AFTER INSERT ON "categories" FOR EACH ROW EXECUTE FUNCTION "live_of_categories_on_insert"();
-- Make live_of_categories_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_categories_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.categories', 'Category', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_categories_on_update
CREATE TRIGGER "live_of_categories_on_update" AFTER UPDATE ON "categories" FOR EACH ROW EXECUTE FUNCTION "live_of_categories_on_update"();
-- Make live_of_categories_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_categories_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.categories', 'Category', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_categories_on_delete
CREATE TRIGGER "live_of_categories_on_delete" AFTER DELETE ON "categories" FOR EACH ROW EXECUTE FUNCTION "live_of_categories_on_delete"();
-- Make live_of_comments_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_comments_on_insert
CREATE TRIGGER "live_of_comments_on_insert" AFTER INSERT ON "comments" FOR EACH ROW EXECUTE FUNCTION "live_of_comments_on_insert"();
-- Make live_of_comments_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"), 'new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_comments_on_update
CREATE TRIGGER "live_of_comments_on_update" AFTER UPDATE ON "comments" FOR EACH ROW EXECUTE FUNCTION "live_of_comments_on_update"();
-- Make live_of_comments_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_comments_on_delete
CREATE TRIGGER "live_of_comments_on_delete" AFTER DELETE ON "comments" FOR EACH ROW EXECUTE FUNCTION "live_of_comments_on_delete"();
-- Make live_of_invoices_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_invoices_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.invoices', 'Invoice', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_invoices_on_insert
CREATE TRIGGER "live_of_invoices_on_insert" AFTER INSERT ON "invoices" FOR EACH ROW EXECUTE FUNCTION "live_of_invoices_on_insert"();
-- Make live_of_invoices_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_invoices_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.invoices', 'Invoice', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_invoices_on_update
CREATE TRIGGER "live_of_invoices_on_update" AFTER UPDATE ON "invoices" FOR EACH ROW EXECUTE FUNCTION "live_of_invoices_on_update"();
-- Make live_of_invoices_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_invoices_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.invoices', 'Invoice', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_invoices_on_delete
CREATE TRIGGER "live_of_invoices_on_delete" AFTER DELETE ON "invoices" FOR EACH ROW EXECUTE FUNCTION "live_of_invoices_on_delete"();
-- Make live_of_likes_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_likes_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.likes', 'Like', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_likes_on_insert
CREATE TRIGGER "live_of_likes_on_insert" AFTER INSERT ON "likes" FOR EACH ROW EXECUTE FUNCTION "live_of_likes_on_insert"();
-- Make live_of_likes_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_likes_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.likes', 'Like', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_likes_on_update
CREATE TRIGGER "live_of_likes_on_update" AFTER UPDATE ON "likes" FOR EACH ROW EXECUTE FUNCTION "live_of_likes_on_update"();
-- Make live_of_likes_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_likes_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.likes', 'Like', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_likes_on_delete
CREATE TRIGGER "live_of_likes_on_delete" AFTER DELETE ON "likes" FOR EACH ROW EXECUTE FUNCTION "live_of_likes_on_delete"();
-- Make live_of_orders_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'status', NEW."status", 'total', NEW."total", 'expires_at', CASE WHEN NEW."expires_at" IS NOT NULL THEN 1 END, 'paid_at', CASE WHEN NEW."paid_at" IS NOT NULL THEN 1 END, 'closed_at', CASE WHEN NEW."closed_at" IS NOT NULL THEN 1 END, 'user_id', NEW."user_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_orders_on_insert
CREATE TRIGGER "live_of_orders_on_insert" AFTER INSERT ON "orders" FOR EACH ROW EXECUTE FUNCTION "live_of_orders_on_insert"();
-- Make live_of_orders_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'status', OLD."status", 'total', OLD."total", 'expires_at', CASE WHEN OLD."expires_at" IS NOT NULL THEN 1 END, 'paid_at', CASE WHEN OLD."paid_at" IS NOT NULL THEN 1 END, 'closed_at', CASE WHEN OLD."closed_at" IS NOT NULL THEN 1 END, 'user_id', OLD."user_id"), 'new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'status', NEW."status", 'total', NEW."total", 'expires_at', CASE WHEN NEW."expires_at" IS NOT NULL THEN 1 END, 'paid_at', CASE WHEN NEW."paid_at" IS NOT NULL THEN 1 END, 'closed_at', CASE WHEN NEW."closed_at" IS NOT NULL THEN 1 END, 'user_id', NEW."user_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_orders_on_update
CREATE TRIGGER "live_of_orders_on_update" AFTER UPDATE ON "orders" FOR EACH ROW EXECUTE FUNCTION "live_of_orders_on_update"();
-- Make live_of_orders_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'status', OLD."status", 'total', OLD."total", 'expires_at', CASE WHEN OLD."expires_at" IS NOT NULL THEN 1 END, 'paid_at', CASE WHEN OLD."paid_at" IS NOT NULL THEN 1 END, 'closed_at', CASE WHEN OLD."closed_at" IS NOT NULL THEN 1 END, 'user_id', OLD."user_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_orders_on_delete
CREATE TRIGGER "live_of_orders_on_delete" AFTER DELETE ON "orders" FOR EACH ROW EXECUTE FUNCTION "live_of_orders_on_delete"();
-- Make live_of_posts_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'published', NEW."published", 'published_at', CASE WHEN NEW."published_at" IS NOT NULL THEN 1 END, 'archived_at', CASE WHEN NEW."archived_at" IS NOT NULL THEN 1 END, 'author_id', NEW."author_id", 'category_id', NEW."category_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_posts_on_insert
CREATE TRIGGER "live_of_posts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW EXECUTE FUNCTION "live_of_posts_on_insert"();
-- Make live_of_posts_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', CASE WHEN OLD."published_at" IS NOT NULL THEN 1 END, 'archived_at', CASE WHEN OLD."archived_at" IS NOT NULL THEN 1 END, 'author_id', OLD."author_id", 'category_id', OLD."category_id"), 'new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'published', NEW."published", 'published_at', CASE WHEN NEW."published_at" IS NOT NULL THEN 1 END, 'archived_at', CASE WHEN NEW."archived_at" IS NOT NULL THEN 1 END, 'author_id', NEW."author_id", 'category_id', NEW."category_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_posts_on_update
CREATE TRIGGER "live_of_posts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW EXECUTE FUNCTION "live_of_posts_on_update"();
-- Make live_of_posts_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', CASE WHEN OLD."published_at" IS NOT NULL THEN 1 END, 'archived_at', CASE WHEN OLD."archived_at" IS NOT NULL THEN 1 END, 'author_id', OLD."author_id", 'category_id', OLD."category_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_posts_on_delete
CREATE TRIGGER "live_of_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW EXECUTE FUNCTION "live_of_posts_on_delete"();
-- Make live_of_products_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', NEW."in_stock"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_products_on_insert
CREATE TRIGGER "live_of_products_on_insert" AFTER INSERT ON "products" FOR EACH ROW EXECUTE FUNCTION "live_of_products_on_insert"();
-- Make live_of_products_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock"), 'new', json_build_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', NEW."in_stock"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_products_on_update
CREATE TRIGGER "live_of_products_on_update" AFTER UPDATE ON "products" FOR EACH ROW EXECUTE FUNCTION "live_of_products_on_update"();
-- Make live_of_products_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_products_on_delete
CREATE TRIGGER "live_of_products_on_delete" AFTER DELETE ON "products" FOR EACH ROW EXECUTE FUNCTION "live_of_products_on_delete"();
-- Make live_of_users_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_users_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.users', 'User', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_users_on_insert
CREATE TRIGGER "live_of_users_on_insert" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION "live_of_users_on_insert"();
-- Make live_of_users_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_users_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.users', 'User', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_users_on_update
CREATE TRIGGER "live_of_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW EXECUTE FUNCTION "live_of_users_on_update"();
-- Make live_of_users_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_users_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.users', 'User', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_users_on_delete
CREATE TRIGGER "live_of_users_on_delete" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "live_of_users_on_delete"();
-- Make live_of_recounts_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_recounts_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.recounts', 'Recount', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_recounts_on_insert
CREATE TRIGGER "live_of_recounts_on_insert" AFTER INSERT ON "recounts" FOR EACH ROW EXECUTE FUNCTION "live_of_recounts_on_insert"();
-- Make live_of_recounts_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_recounts_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.recounts', 'Recount', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_recounts_on_update
CREATE TRIGGER "live_of_recounts_on_update" AFTER UPDATE ON "recounts" FOR EACH ROW EXECUTE FUNCTION "live_of_recounts_on_update"();
-- Make live_of_recounts_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_recounts_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.recounts', 'Recount', 0, 0, NULL, now());
	RETURN NULL;
END $$;
-- Make live_of_recounts_on_delete
CREATE TRIGGER "live_of_recounts_on_delete" AFTER DELETE ON "recounts" FOR EACH ROW EXECUTE FUNCTION "live_of_recounts_on_delete"();
