-- follow_changes, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase follow_changes.

-- Create "changes" table
CREATE TABLE `changes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `xid` integer NOT NULL DEFAULT 0,
  `entity` text NOT NULL,
  `entity_id` integer NOT NULL,
  `kind` text NOT NULL,
  `before` text NULL,
  `created_at` datetime NOT NULL
);
-- Create index "change_entity_xid_id" to table: "changes"
CREATE INDEX `change_entity_xid_id` ON `changes` (`entity`, `xid`, `id`);
-- Make change_of_categories_on_insert
CREATE TRIGGER "change_of_categories_on_insert" AFTER INSERT ON "categories" FOR EACH ROW WHEN NEW."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Category', NEW."id", 'insert', NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_categories_on_update
CREATE TRIGGER "change_of_categories_on_update" AFTER UPDATE ON "categories" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Category', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with") END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_categories_on_delete
CREATE TRIGGER "change_of_categories_on_delete" AFTER DELETE ON "categories" FOR EACH ROW WHEN OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Category', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with") END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_orders_on_insert
CREATE TRIGGER "change_of_orders_on_insert" AFTER INSERT ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Order', NEW."id", 'insert', NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_orders_on_update
CREATE TRIGGER "change_of_orders_on_update" AFTER UPDATE ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Order', NEW."id", 'update', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_orders_on_delete
CREATE TRIGGER "change_of_orders_on_delete" AFTER DELETE ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Order', OLD."id", 'delete', json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'status', OLD."status", 'total', OLD."total", 'expires_at', OLD."expires_at", 'paid_at', OLD."paid_at", 'closed_at', OLD."closed_at", 'user_id', OLD."user_id"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_posts_on_insert
CREATE TRIGGER "change_of_posts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW WHEN NEW."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Post', NEW."id", 'insert', NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_posts_on_update
CREATE TRIGGER "change_of_posts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Post', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', json(CASE WHEN OLD."published" THEN 'true' WHEN NOT OLD."published" THEN 'false' ELSE 'null' END), 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id") END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_posts_on_delete
CREATE TRIGGER "change_of_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Post', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'published', json(CASE WHEN OLD."published" THEN 'true' WHEN NOT OLD."published" THEN 'false' ELSE 'null' END), 'published_at', OLD."published_at", 'archived_at', OLD."archived_at", 'author_id', OLD."author_id", 'category_id', OLD."category_id") END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_products_on_insert
CREATE TRIGGER "change_of_products_on_insert" AFTER INSERT ON "products" FOR EACH ROW WHEN NEW."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Product', NEW."id", 'insert', NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_products_on_update
CREATE TRIGGER "change_of_products_on_update" AFTER UPDATE ON "products" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Product', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', json(CASE WHEN OLD."in_stock" THEN 'true' WHEN NOT OLD."in_stock" THEN 'false' ELSE 'null' END)) END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_products_on_delete
CREATE TRIGGER "change_of_products_on_delete" AFTER DELETE ON "products" FOR EACH ROW WHEN OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'Product', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'price', OLD."price", 'stock', OLD."stock", 'in_stock', json(CASE WHEN OLD."in_stock" THEN 'true' WHEN NOT OLD."in_stock" THEN 'false' ELSE 'null' END)) END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_users_on_insert
CREATE TRIGGER "change_of_users_on_insert" AFTER INSERT ON "users" FOR EACH ROW WHEN NEW."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'User', NEW."id", 'insert', NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_users_on_update
CREATE TRIGGER "change_of_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'User', NEW."id", CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END, CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'role', OLD."role", 'age', OLD."age", 'is_active', json(CASE WHEN OLD."is_active" THEN 'true' WHEN NOT OLD."is_active" THEN 'false' ELSE 'null' END)) END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make change_of_users_on_delete
CREATE TRIGGER "change_of_users_on_delete" AFTER DELETE ON "users" FOR EACH ROW WHEN OLD."deleted_at" IS NULL BEGIN
	INSERT INTO "changes" ("xid", "entity", "entity_id", "kind", "before", "created_at")
	VALUES (0, 'User', OLD."id", 'delete', CASE WHEN OLD."deleted_at" IS NULL THEN json_object('id', OLD."id", 'created_at', OLD."created_at", 'updated_at', OLD."updated_at", 'deleted_at', OLD."deleted_at", 'deleted_with', OLD."deleted_with", 'role', OLD."role", 'age', OLD."age", 'is_active', json(CASE WHEN OLD."is_active" THEN 'true' WHEN NOT OLD."is_active" THEN 'false' ELSE 'null' END)) END, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
