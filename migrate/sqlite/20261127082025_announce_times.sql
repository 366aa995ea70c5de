-- announce_times, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase announce_times.

-- Drop trigger live_of_comments_on_delete
DROP TRIGGER "live_of_comments_on_delete";
-- Drop trigger live_of_comments_on_insert
DROP TRIGGER "live_of_comments_on_insert";
-- Drop trigger live_of_comments_on_update
DROP TRIGGER "live_of_comments_on_update";
-- Drop trigger live_of_orders_on_delete
DROP TRIGGER "live_of_orders_on_delete";
-- Drop trigger live_of_orders_on_insert
DROP TRIGGER "live_of_orders_on_insert";
-- Drop trigger live_of_orders_on_update
DROP TRIGGER "live_of_orders_on_update";
-- Drop trigger live_of_posts_on_delete
DROP TRIGGER "live_of_posts_on_delete";
-- Drop trigger live_of_posts_on_insert
DROP TRIGGER "live_of_posts_on_insert";
-- Drop trigger live_of_posts_on_update
DROP TRIGGER "live_of_posts_on_update";
-- Drop trigger live_of_products_on_delete
DROP TRIGGER "live_of_products_on_delete";
-- Drop trigger live_of_products_on_insert
DROP TRIGGER "live_of_products_on_insert";
-- Drop trigger live_of_products_on_update
DROP TRIGGER "live_of_products_on_update";
-- Make live_of_comments_on_insert
CREATE TRIGGER "live_of_comments_on_insert" AFTER INSERT ON "comments" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.comments', 'Comment', 0, 0, json_object('new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_comments_on_update
CREATE TRIGGER "live_of_comments_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "text", "post_id", "author_id" ON "comments" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.comments', 'Comment', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"), 'new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_comments_on_delete
CREATE TRIGGER "live_of_comments_on_delete" AFTER DELETE ON "comments" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.comments', 'Comment', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_orders_on_insert
CREATE TRIGGER "live_of_orders_on_insert" AFTER INSERT ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.orders', 'Order', 0, 0, json_object('new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'status', NEW."status", 'total', NEW."total", 'expires_at', NEW."expires_at", 'paid_at', NEW."paid_at", 'closed_at', NEW."closed_at", 'user_id', NEW."user_id", 'currency', NEW."currency")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_orders_on_update
CREATE TRIGGER "live_of_orders_on_update" AFTER UPDATE OF "created_at", "updated_at", "status", "total", "currency", "expires_at", "paid_at", "closed_at", "user_id" ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.orders', 'Order', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id", 'currency', OLD."currency"), 'new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'status', NEW."status", 'total', NEW."total", 'expires_at', NEW."expires_at", 'paid_at', NEW."paid_at", 'closed_at', NEW."closed_at", 'user_id', NEW."user_id", 'currency', NEW."currency")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_orders_on_delete
CREATE TRIGGER "live_of_orders_on_delete" AFTER DELETE ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.orders', 'Order', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id", 'currency', OLD."currency")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_posts_on_insert
CREATE TRIGGER "live_of_posts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.posts', 'Post', 0, 0, json_object('new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'published', json(CASE WHEN NEW."published" THEN 'true' WHEN NOT NEW."published" THEN 'false' ELSE 'null' END), 'published_at', NEW."published_at", 'archived_at', NEW."archived_at", 'author_id', NEW."author_id", 'category_id', NEW."category_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_posts_on_update
CREATE TRIGGER "live_of_posts_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "likes_count", "shares_count", "author_id", "category_id", "title_fold", "content_fold" ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.posts', 'Post', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', json(CASE WHEN OLD."published" THEN 'true' WHEN NOT OLD."published" THEN 'false' ELSE 'null' END), 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id"), 'new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'published', json(CASE WHEN NEW."published" THEN 'true' WHEN NOT NEW."published" THEN 'false' ELSE 'null' END), 'published_at', NEW."published_at", 'archived_at', NEW."archived_at", 'author_id', NEW."author_id", 'category_id', NEW."category_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_posts_on_delete
CREATE TRIGGER "live_of_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.posts', 'Post', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', json(CASE WHEN OLD."published" THEN 'true' WHEN NOT OLD."published" THEN 'false' ELSE 'null' END), 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_products_on_insert
CREATE TRIGGER "live_of_products_on_insert" AFTER INSERT ON "products" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.products', 'Product', 0, 0, json_object('new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', json(CASE WHEN NEW."in_stock" THEN 'true' WHEN NOT NEW."in_stock" THEN 'false' ELSE 'null' END), 'currency', NEW."currency")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_products_on_update
CREATE TRIGGER "live_of_products_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "description", "category", "price", "currency", "stock", "in_stock", "tags", "reviews_count", "rating_sum", "rating", "name_fold", "description_fold" ON "products" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.products', 'Product', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', json(CASE WHEN OLD."in_stock" THEN 'true' WHEN NOT OLD."in_stock" THEN 'false' ELSE 'null' END), 'currency', OLD."currency"), 'new', json_object('id', NEW."id", 'created_at', NEW."created_at", 'updated_at', NEW."updated_at", 'deleted_at', NEW."deleted_at", 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', json(CASE WHEN NEW."in_stock" THEN 'true' WHEN NOT NEW."in_stock" THEN 'false' ELSE 'null' END), 'currency', NEW."currency")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_products_on_delete
CREATE TRIGGER "live_of_products_on_delete" AFTER DELETE ON "products" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.products', 'Product', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', json(CASE WHEN OLD."in_stock" THEN 'true' WHEN NOT OLD."in_stock" THEN 'false' ELSE 'null' END), 'currency', OLD."currency")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
