-- announce_times, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase announce_times.

-- Make live_of_comments_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_comments_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_comments_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_comments_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.comments', 'Comment', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_orders_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'status', NEW."status", 'total', NEW."total", 'expires_at', NEW."expires_at", 'paid_at', NEW."paid_at", 'closed_at', NEW."closed_at", 'user_id', NEW."user_id", 'currency', NEW."currency"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_orders_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id", 'currency', OLD."currency"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'status', NEW."status", 'total', NEW."total", 'expires_at', NEW."expires_at", 'paid_at', NEW."paid_at", 'closed_at', NEW."closed_at", 'user_id', NEW."user_id", 'currency', NEW."currency"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_orders_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_orders_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.orders', 'Order', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id", 'currency', OLD."currency"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_posts_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'published', NEW."published", 'published_at', NEW."published_at", 'archived_at', NEW."archived_at", 'author_id', NEW."author_id", 'category_id', NEW."category_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_posts_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'published', NEW."published", 'published_at', NEW."published_at", 'archived_at', NEW."archived_at", 'author_id', NEW."author_id", 'category_id', NEW."category_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_posts_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_posts_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.posts', 'Post', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', OLD."published", 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_products_on_insert (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', NEW."in_stock", 'currency', NEW."currency"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_products_on_update (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock", 'currency', OLD."currency"), 'new', json_build_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', NEW."in_stock", 'currency', NEW."currency"))::text, now());
	RETURN NULL;
END $$;
-- Make live_of_products_on_delete (function)
CREATE OR REPLACE FUNCTION "live_of_products_on_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (pg_current_xact_id()::text::bigint, 'live.products', 'Product', 0, 0, json_build_object('old', json_build_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', OLD."in_stock", 'currency', OLD."currency"))::text, now());
	RETURN NULL;
END $$;
