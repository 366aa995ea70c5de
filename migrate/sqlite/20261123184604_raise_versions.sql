-- raise_versions, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase raise_versions.

-- Make version_api_keys
CREATE TRIGGER "version_api_keys" AFTER UPDATE OF "created_at", "updated_at", "version", "client_name", "prefix", "secret_hash", "permissions", "expires_at", "revoked_at", "api_version", "creator_id" ON "api_keys" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "api_keys" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_cart_items
CREATE TRIGGER "version_cart_items" AFTER UPDATE OF "created_at", "updated_at", "version", "quantity", "price_seen", "currency_seen", "product_id", "user_id" ON "cart_items" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "cart_items" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_categories
CREATE TRIGGER "version_categories" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "title", "description" ON "categories" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "categories" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_comments
CREATE TRIGGER "version_comments" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "text", "post_id", "author_id" ON "comments" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "comments" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_orders
CREATE TRIGGER "version_orders" AFTER UPDATE OF "created_at", "updated_at", "version", "status", "total", "currency", "expires_at", "paid_at", "closed_at", "user_id" ON "orders" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "orders" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_payments
CREATE TRIGGER "version_payments" AFTER UPDATE OF "created_at", "updated_at", "version", "status", "amount", "currency", "gateway", "gateway_reference", "request_key", "failure", "captured_at", "order_id", "user_id" ON "payments" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "payments" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_posts
CREATE TRIGGER "version_posts" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "author_id", "category_id" ON "posts" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "posts" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_products
CREATE TRIGGER "version_products" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "description", "category", "price", "currency", "stock", "in_stock", "tags" ON "products" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "products" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_profiles
CREATE TRIGGER "version_profiles" AFTER UPDATE OF "created_at", "updated_at", "version", "bio", "avatar", "website", "user_id" ON "profiles" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "profiles" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_refunds
CREATE TRIGGER "version_refunds" AFTER UPDATE OF "created_at", "updated_at", "version", "status", "amount", "currency", "reason", "restock", "request_key", "gateway_reference", "failure", "refunded_at", "payment_id" ON "refunds" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "refunds" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_reviews
CREATE TRIGGER "version_reviews" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "rating", "text", "product_id", "author_id" ON "reviews" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "reviews" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_users
CREATE TRIGGER "version_users" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "email", "role", "age", "is_active", "salary" ON "users" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "users" SET "version" = "version" + 1 WHERE "id" = NEW."id";
END;
