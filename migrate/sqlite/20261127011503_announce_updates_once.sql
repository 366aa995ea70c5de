-- announce_updates_once, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase announce_updates_once.

-- Drop trigger change_of_categories_on_update
DROP TRIGGER "change_of_categories_on_update";
-- Drop trigger change_of_orders_on_update
DROP TRIGGER "change_of_orders_on_update";
-- Drop trigger change_of_posts_on_update
DROP TRIGGER "change_of_posts_on_update";
-- Drop trigger change_of_products_on_update
DROP TRIGGER "change_of_products_on_update";
-- Drop trigger change_of_users_on_update
DROP TRIGGER "change_of_users_on_update";
-- Drop trigger event_comment_deleted_on_update
DROP TRIGGER "event_comment_deleted_on_update";
-- Drop trigger event_order_status_on_update
DROP TRIGGER "event_order_status_on_update";
-- Drop trigger event_payment_status_on_update
DROP TRIGGER "event_payment_status_on_update";
-- Drop trigger event_post_deleted_on_update
DROP TRIGGER "event_post_deleted_on_update";
-- Drop trigger event_post_hidden_on_update
DROP TRIGGER "event_post_hidden_on_update";
-- Drop trigger event_post_published_on_update
DROP TRIGGER "event_post_published_on_update";
-- Drop trigger event_user_status_on_update
DROP TRIGGER "event_user_status_on_update";
-- Drop trigger live_of_categories_on_update
DROP TRIGGER "live_of_categories_on_update";
-- Drop trigger live_of_comments_on_update
DROP TRIGGER "live_of_comments_on_update";
-- Drop trigger live_of_orders_on_update
DROP TRIGGER "live_of_orders_on_update";
-- Drop trigger live_of_posts_on_update
DROP TRIGGER "live_of_posts_on_update";
-- Drop trigger live_of_products_on_update
DROP TRIGGER "live_of_products_on_update";
-- Drop trigger live_of_users_on_update
DROP TRIGGER "live_of_users_on_update";
-- Drop trigger version_api_keys
DROP TRIGGER "version_api_keys";
-- Drop trigger version_cart_items
DROP TRIGGER "version_cart_items";
-- Drop trigger version_categories
DROP TRIGGER "version_categories";
-- Drop trigger version_comments
DROP TRIGGER "version_comments";
-- Drop trigger version_orders
DROP TRIGGER "version_orders";
-- Drop trigger version_payments
DROP TRIGGER "version_payments";
-- Drop trigger version_posts
DROP TRIGGER "version_posts";
-- Drop trigger version_products
DROP TRIGGER "version_products";
-- Drop trigger version_profiles
DROP TRIGGER "version_profiles";
-- Drop trigger version_refunds
DROP TRIGGER "version_refunds";
-- Drop trigger version_reviews
DROP TRIGGER "version_reviews";
-- Drop trigger version_users
DROP TRIGGER "version_users";
-- Make change_of_categories_on_update
CREATE TRIGGER "change_of_categories_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "title", "description", "posts_count", "name_fold" ON "categories" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Category', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with") END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_comment_deleted_on_update
CREATE TRIGGER "event_comment_deleted_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "text", "post_id", "author_id" ON "comments" FOR EACH ROW WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'comment.deleted', 'Comment', NEW."id", NEW."post_id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_order_status_on_update
CREATE TRIGGER "event_order_status_on_update" AFTER UPDATE OF "created_at", "updated_at", "status", "total", "currency", "expires_at", "paid_at", "closed_at", "user_id" ON "orders" FOR EACH ROW WHEN NEW.status <> OLD.status BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'order.status', 'Order', NEW."id", NEW."id", json_object('status', NEW."status"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_orders_on_update
CREATE TRIGGER "change_of_orders_on_update" AFTER UPDATE OF "created_at", "updated_at", "status", "total", "currency", "expires_at", "paid_at", "closed_at", "user_id" ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Order', NEW."id", 'update', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_payment_status_on_update
CREATE TRIGGER "event_payment_status_on_update" AFTER UPDATE OF "created_at", "updated_at", "status", "amount", "amount_refunded", "currency", "gateway", "gateway_reference", "request_key", "failure", "captured_at", "order_id", "user_id" ON "payments" FOR EACH ROW WHEN NEW.status <> OLD.status BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'payment.status', 'Payment', NEW."id", NEW."id", json_object('status', NEW."status"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_published_on_update
CREATE TRIGGER "event_post_published_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "likes_count", "shares_count", "author_id", "category_id", "title_fold", "content_fold" ON "posts" FOR EACH ROW WHEN NEW.published AND NEW.archived_at IS NULL AND NOT (OLD.published AND OLD.archived_at IS NULL) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.published', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_deleted_on_update
CREATE TRIGGER "event_post_deleted_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "likes_count", "shares_count", "author_id", "category_id", "title_fold", "content_fold" ON "posts" FOR EACH ROW WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.deleted', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_hidden_on_update
CREATE TRIGGER "event_post_hidden_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "likes_count", "shares_count", "author_id", "category_id", "title_fold", "content_fold" ON "posts" FOR EACH ROW WHEN OLD.deleted_at IS NULL AND (NEW.deleted_at IS NOT NULL OR OLD.published AND OLD.archived_at IS NULL AND NOT (NEW.published AND NEW.archived_at IS NULL)) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.hidden', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_posts_on_update
CREATE TRIGGER "change_of_posts_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "likes_count", "shares_count", "author_id", "category_id", "title_fold", "content_fold" ON "posts" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Post', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', json(CASE WHEN OLD."published" THEN 'true' WHEN NOT OLD."published" THEN 'false' ELSE 'null' END), 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id") END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_products_on_update
CREATE TRIGGER "change_of_products_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "description", "category", "price", "currency", "stock", "in_stock", "tags", "reviews_count", "rating_sum", "rating", "name_fold", "description_fold" ON "products" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Product', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', json(CASE WHEN OLD."in_stock" THEN 'true' WHEN NOT OLD."in_stock" THEN 'false' ELSE 'null' END)) END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_user_status_on_update
CREATE TRIGGER "event_user_status_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "email", "role", "age", "is_active", "salary", "followers_count", "following_count", "name_fold", "email_fold" ON "users" FOR EACH ROW WHEN NEW.is_active <> OLD.is_active OR NEW.role <> OLD.role OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'user.status', 'User', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_users_on_update
CREATE TRIGGER "change_of_users_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "email", "role", "age", "is_active", "salary", "followers_count", "following_count", "name_fold", "email_fold" ON "users" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'User', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'role', OLD."role", 'age', OLD."age", 'is_active', json(CASE WHEN OLD."is_active" THEN 'true' WHEN NOT OLD."is_active" THEN 'false' ELSE 'null' END)) END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_categories_on_update
CREATE TRIGGER "live_of_categories_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "title", "description", "posts_count", "name_fold" ON "categories" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.categories', 'Category', 0, 0, NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_comments_on_update
CREATE TRIGGER "live_of_comments_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "text", "post_id", "author_id" ON "comments" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.comments', 'Comment', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'post_id', OLD."post_id", 'author_id', OLD."author_id"), 'new', json_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'post_id', NEW."post_id", 'author_id', NEW."author_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_orders_on_update
CREATE TRIGGER "live_of_orders_on_update" AFTER UPDATE OF "created_at", "updated_at", "status", "total", "currency", "expires_at", "paid_at", "closed_at", "user_id" ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.orders', 'Order', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'status', OLD."status", 'total', OLD."total", 'expires_at', CASE WHEN OLD."expires_at" IS NOT NULL THEN 1 END, 'paid_at', CASE WHEN OLD."paid_at" IS NOT NULL THEN 1 END, 'closed_at', CASE WHEN OLD."closed_at" IS NOT NULL THEN 1 END, 'user_id', OLD."user_id"), 'new', json_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'status', NEW."status", 'total', NEW."total", 'expires_at', CASE WHEN NEW."expires_at" IS NOT NULL THEN 1 END, 'paid_at', CASE WHEN NEW."paid_at" IS NOT NULL THEN 1 END, 'closed_at', CASE WHEN NEW."closed_at" IS NOT NULL THEN 1 END, 'user_id', NEW."user_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_posts_on_update
CREATE TRIGGER "live_of_posts_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "likes_count", "shares_count", "author_id", "category_id", "title_fold", "content_fold" ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.posts', 'Post', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'published', json(CASE WHEN OLD."published" THEN 'true' WHEN NOT OLD."published" THEN 'false' ELSE 'null' END), 'published_at', CASE WHEN OLD."published_at" IS NOT NULL THEN 1 END, 'archived_at', CASE WHEN OLD."archived_at" IS NOT NULL THEN 1 END, 'author_id', OLD."author_id", 'category_id', OLD."category_id"), 'new', json_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'published', json(CASE WHEN NEW."published" THEN 'true' WHEN NOT NEW."published" THEN 'false' ELSE 'null' END), 'published_at', CASE WHEN NEW."published_at" IS NOT NULL THEN 1 END, 'archived_at', CASE WHEN NEW."archived_at" IS NOT NULL THEN 1 END, 'author_id', NEW."author_id", 'category_id', NEW."category_id")), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_products_on_update
CREATE TRIGGER "live_of_products_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "description", "category", "price", "currency", "stock", "in_stock", "tags", "reviews_count", "rating_sum", "rating", "name_fold", "description_fold" ON "products" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.products', 'Product', 0, 0, json_object('old', json_object('id', OLD."id", 'created_at', CASE WHEN OLD."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN OLD."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN OLD."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', json(CASE WHEN OLD."in_stock" THEN 'true' WHEN NOT OLD."in_stock" THEN 'false' ELSE 'null' END)), 'new', json_object('id', NEW."id", 'created_at', CASE WHEN NEW."created_at" IS NOT NULL THEN 1 END, 'updated_at', CASE WHEN NEW."updated_at" IS NOT NULL THEN 1 END, 'deleted_at', CASE WHEN NEW."deleted_at" IS NOT NULL THEN 1 END, 'deleted_with', NEW."deleted_with", 'price', NEW."price", 'stock', NEW."stock", 'in_stock', json(CASE WHEN NEW."in_stock" THEN 'true' WHEN NOT NEW."in_stock" THEN 'false' ELSE 'null' END))), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make live_of_users_on_update
CREATE TRIGGER "live_of_users_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "name", "email", "role", "age", "is_active", "salary", "followers_count", "following_count", "name_fold", "email_fold" ON "users" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'live.users', 'User', 0, 0, NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make version_api_keys
CREATE TRIGGER "version_api_keys" AFTER UPDATE OF "created_at", "updated_at", "version", "client_name", "prefix", "secret_hash", "permissions", "expires_at", "revoked_at", "api_version", "creator_id" ON "api_keys" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "api_keys" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_cart_items
CREATE TRIGGER "version_cart_items" AFTER UPDATE OF "created_at", "updated_at", "version", "quantity", "price_seen", "currency_seen", "product_id", "user_id" ON "cart_items" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "cart_items" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_categories
CREATE TRIGGER "version_categories" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "title", "description" ON "categories" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "categories" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_comments
CREATE TRIGGER "version_comments" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "text", "post_id", "author_id" ON "comments" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "comments" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_orders
CREATE TRIGGER "version_orders" AFTER UPDATE OF "created_at", "updated_at", "version", "status", "total", "currency", "expires_at", "paid_at", "closed_at", "user_id" ON "orders" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "orders" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_payments
CREATE TRIGGER "version_payments" AFTER UPDATE OF "created_at", "updated_at", "version", "status", "amount", "currency", "gateway", "gateway_reference", "request_key", "failure", "captured_at", "order_id", "user_id" ON "payments" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "payments" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_posts
CREATE TRIGGER "version_posts" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "author_id", "category_id" ON "posts" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "posts" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_products
CREATE TRIGGER "version_products" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "description", "category", "price", "currency", "stock", "in_stock", "tags" ON "products" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "products" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_profiles
CREATE TRIGGER "version_profiles" AFTER UPDATE OF "created_at", "updated_at", "version", "bio", "avatar", "website", "user_id" ON "profiles" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "profiles" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_refunds
CREATE TRIGGER "version_refunds" AFTER UPDATE OF "created_at", "updated_at", "version", "status", "amount", "currency", "reason", "restock", "request_key", "gateway_reference", "failure", "refunded_at", "payment_id" ON "refunds" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "refunds" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_reviews
CREATE TRIGGER "version_reviews" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "rating", "text", "product_id", "author_id" ON "reviews" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "reviews" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_users
CREATE TRIGGER "version_users" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "email", "role", "age", "is_active", "salary" ON "users" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "users" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
