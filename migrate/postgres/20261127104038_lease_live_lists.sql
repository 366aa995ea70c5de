-- lease_live_lists, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase lease_live_lists.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "comments", "posts", "categories", "orders", "products", "users" IN ACCESS EXCLUSIVE MODE; END $$;
-- Drop trigger change_of_categories_on_delete
DROP TRIGGER "change_of_categories_on_delete" ON "categories";
-- Drop trigger change_of_categories_on_insert
DROP TRIGGER "change_of_categories_on_insert" ON "categories";
-- Drop trigger change_of_categories_on_update
DROP TRIGGER "change_of_categories_on_update" ON "categories";
-- Drop trigger change_of_orders_on_delete
DROP TRIGGER "change_of_orders_on_delete" ON "orders";
-- Drop trigger change_of_orders_on_insert
DROP TRIGGER "change_of_orders_on_insert" ON "orders";
-- Drop trigger change_of_orders_on_update
DROP TRIGGER "change_of_orders_on_update" ON "orders";
-- Drop trigger change_of_posts_on_delete
DROP TRIGGER "change_of_posts_on_delete" ON "posts";
-- Drop trigger change_of_posts_on_insert
DROP TRIGGER "change_of_posts_on_insert" ON "posts";
-- Drop trigger change_of_posts_on_update
DROP TRIGGER "change_of_posts_on_update" ON "posts";
-- Drop trigger change_of_products_on_delete
DROP TRIGGER "change_of_products_on_delete" ON "products";
-- Drop trigger change_of_products_on_insert
DROP TRIGGER "change_of_products_on_insert" ON "products";
-- Drop trigger change_of_products_on_update
DROP TRIGGER "change_of_products_on_update" ON "products";
-- Drop trigger change_of_users_on_delete
DROP TRIGGER "change_of_users_on_delete" ON "users";
-- Drop trigger change_of_users_on_insert
DROP TRIGGER "change_of_users_on_insert" ON "users";
-- Drop trigger change_of_users_on_update
DROP TRIGGER "change_of_users_on_update" ON "users";
-- Drop trigger event_comment_created_on_insert
DROP TRIGGER "event_comment_created_on_insert" ON "comments";
-- Drop trigger event_comment_deleted_on_delete
DROP TRIGGER "event_comment_deleted_on_delete" ON "comments";
-- Drop trigger event_comment_deleted_on_update
DROP TRIGGER "event_comment_deleted_on_update" ON "comments";
-- Drop trigger event_order_status_on_insert
DROP TRIGGER "event_order_status_on_insert" ON "orders";
-- Drop trigger event_order_status_on_update
DROP TRIGGER "event_order_status_on_update" ON "orders";
-- Drop trigger event_post_deleted_on_delete
DROP TRIGGER "event_post_deleted_on_delete" ON "posts";
-- Drop trigger event_post_deleted_on_update
DROP TRIGGER "event_post_deleted_on_update" ON "posts";
-- Drop trigger event_post_hidden_on_delete
DROP TRIGGER "event_post_hidden_on_delete" ON "posts";
-- Drop trigger event_post_hidden_on_update
DROP TRIGGER "event_post_hidden_on_update" ON "posts";
-- Drop trigger event_post_published_on_insert
DROP TRIGGER "event_post_published_on_insert" ON "posts";
-- Drop trigger event_post_published_on_update
DROP TRIGGER "event_post_published_on_update" ON "posts";
-- Drop trigger event_user_status_on_delete
DROP TRIGGER "event_user_status_on_delete" ON "users";
-- Drop trigger event_user_status_on_update
DROP TRIGGER "event_user_status_on_update" ON "users";
-- Make live_lease
DO $$ BEGIN
	CREATE SEQUENCE "live_lease";
	IF pg_sequence_last_value(pg_get_serial_sequence('"events"', 'id')::regclass) IS NOT NULL THEN
		PERFORM setval('"live_lease"', date_part('epoch', now() + interval '1 day')::bigint << 30);
	END IF;
END $$;
-- Make live_of_categories_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_categories_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Category', NEW."id", 'insert', NULL, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.categories', 'Category', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_categories_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_categories_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Category', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.categories', 'Category', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_categories_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_categories_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Category', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.categories', 'Category', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_comments_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'comment.created', 'Comment', NEW."id", NEW."post_id", NULL, now());
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_comments_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'comment.deleted', 'Comment', NEW."id", NEW."post_id", NULL, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_comments_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.deleted_at IS NULL THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'comment.deleted', 'Comment', OLD."id", OLD."post_id", NULL, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_invoices_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_invoices_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.invoices', 'Invoice', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_invoices_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_invoices_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.invoices', 'Invoice', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_invoices_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_invoices_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.invoices', 'Invoice', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_likes_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_likes_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.likes', 'Like', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_likes_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_likes_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.likes', 'Like', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_likes_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_likes_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.likes', 'Like', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_orders_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'order.status', 'Order', NEW."id", NEW."id", json_build_object('status', NEW."status")::text, now());
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'Order', NEW."id", 'insert', NULL, now());
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'status', NEW."status", 'total', NEW."total", 'expires_at', NEW."expires_at", 'paid_at', NEW."paid_at", 'closed_at', NEW."closed_at", 'user_id', NEW."user_id", 'currency', NEW."currency"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_orders_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.status <> OLD.status THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'order.status', 'Order', NEW."id", NEW."id", json_build_object('status', NEW."status")::text, now());
	END IF;
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'Order', NEW."id", 'update', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id")::text, now());
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id", 'currency', OLD."currency"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'status', NEW."status", 'total', NEW."total", 'expires_at', NEW."expires_at", 'paid_at', NEW."paid_at", 'closed_at', NEW."closed_at", 'user_id', NEW."user_id", 'currency', NEW."currency"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_orders_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'Order', OLD."id", 'delete', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id")::text, now());
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id", 'currency', OLD."currency"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_posts_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.published THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'post.published', 'Post', NEW."id", NEW."id", NULL, now());
	END IF;
	IF NEW."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Post', NEW."id", 'insert', NULL, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'published', NEW."published", 'published_at', NEW."published_at", 'archived_at', NEW."archived_at", 'author_id', NEW."author_id", 'category_id', NEW."category_id"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_posts_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.published AND NEW.archived_at IS NULL AND NOT (OLD.published AND OLD.archived_at IS NULL) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'post.published', 'Post', NEW."id", NEW."id", NULL, now());
	END IF;
	IF NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'post.deleted', 'Post', NEW."id", NEW."id", NULL, now());
	END IF;
	IF OLD.deleted_at IS NULL AND (NEW.deleted_at IS NOT NULL OR OLD.published AND OLD.archived_at IS NULL AND NOT (NEW.published AND NEW.archived_at IS NULL)) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'post.hidden', 'Post', NEW."id", NEW."id", NULL, now());
	END IF;
	IF NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Post', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'published', NEW."published", 'published_at', NEW."published_at", 'archived_at', NEW."archived_at", 'author_id', NEW."author_id", 'category_id', NEW."category_id"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_posts_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.deleted_at IS NULL THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'post.deleted', 'Post', OLD."id", OLD."id", NULL, now());
	END IF;
	IF OLD.deleted_at IS NULL THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'post.hidden', 'Post', OLD."id", OLD."id", NULL, now());
	END IF;
	IF OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Post', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_products_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Product', NEW."id", 'insert', NULL, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', NEW."in_stock", 'currency', NEW."currency"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_products_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Product', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock", 'currency', OLD."currency"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', NEW."in_stock", 'currency', NEW."currency"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_products_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'Product', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock", 'currency', OLD."currency"))::text, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_users_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_users_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'User', NEW."id", 'insert', NULL, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.users', 'User', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_users_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_users_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.is_active <> OLD.is_active OR NEW.role <> OLD.role OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'user.status', 'User', NEW."id", NEW."id", NULL, now());
	END IF;
	IF NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'User', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'role', OLD."role", 'age', OLD."age", 'is_active', OLD."is_active")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.users', 'User', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_users_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_users_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'user.status', 'User', OLD."id", OLD."id", NULL, now());
	IF OLD."deleted_at" IS NULL THEN
		INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'User', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'role', OLD."role", 'age', OLD."age", 'is_active', OLD."is_active")::text END, now());
	END IF;
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.users', 'User', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_recounts_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_recounts_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.recounts', 'Recount', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_recounts_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_recounts_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.recounts', 'Recount', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Make live_of_recounts_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_recounts_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_sequence_last_value('"live_lease"') >> 30 > date_part('epoch', now()) THEN
		INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
		VALUES (pg_current_xact_id()::text::bigint, 'live.recounts', 'Recount', 0, 0, NULL, now());
	END IF;
	RETURN NULL;
END $$;
-- Drop function change_of_categories_on_delete()
DROP FUNCTION change_of_categories_on_delete();
-- Drop function change_of_categories_on_insert()
DROP FUNCTION change_of_categories_on_insert();
-- Drop function change_of_categories_on_update()
DROP FUNCTION change_of_categories_on_update();
-- Drop function change_of_orders_on_delete()
DROP FUNCTION change_of_orders_on_delete();
-- Drop function change_of_orders_on_insert()
DROP FUNCTION change_of_orders_on_insert();
-- Drop function change_of_orders_on_update()
DROP FUNCTION change_of_orders_on_update();
-- Drop function change_of_posts_on_delete()
DROP FUNCTION change_of_posts_on_delete();
-- Drop function change_of_posts_on_insert()
DROP FUNCTION change_of_posts_on_insert();
-- Drop function change_of_posts_on_update()
DROP FUNCTION change_of_posts_on_update();
-- Drop function change_of_products_on_delete()
DROP FUNCTION change_of_products_on_delete();
-- Drop function change_of_products_on_insert()
DROP FUNCTION change_of_products_on_insert();
-- Drop function change_of_products_on_update()
DROP FUNCTION change_of_products_on_update();
-- Drop function change_of_users_on_delete()
DROP FUNCTION change_of_users_on_delete();
-- Drop function change_of_users_on_insert()
DROP FUNCTION change_of_users_on_insert();
-- Drop function change_of_users_on_update()
DROP FUNCTION change_of_users_on_update();
-- Drop function event_comment_created_on_insert()
DROP FUNCTION event_comment_created_on_insert();
-- Drop function event_comment_deleted_on_delete()
DROP FUNCTION event_comment_deleted_on_delete();
-- Drop function event_comment_deleted_on_update()
DROP FUNCTION event_comment_deleted_on_update();
-- Drop function event_order_status_on_insert()
DROP FUNCTION event_order_status_on_insert();
-- Drop function event_order_status_on_update()
DROP FUNCTION event_order_status_on_update();
-- Drop function event_post_deleted_on_delete()
DROP FUNCTION event_post_deleted_on_delete();
-- Drop function event_post_deleted_on_update()
DROP FUNCTION event_post_deleted_on_update();
-- Drop function event_post_hidden_on_delete()
DROP FUNCTION event_post_hidden_on_delete();
-- Drop function event_post_hidden_on_update()
DROP FUNCTION event_post_hidden_on_update();
-- Drop function event_post_published_on_insert()
DROP FUNCTION event_post_published_on_insert();
-- Drop function event_post_published_on_update()
DROP FUNCTION event_post_published_on_update();
-- Drop function event_user_status_on_delete()
DROP FUNCTION event_user_status_on_delete();
-- Drop function event_user_status_on_update()
DROP FUNCTION event_user_status_on_update();
