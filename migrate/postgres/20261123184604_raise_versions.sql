-- raise_versions, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase raise_versions.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "api_keys", "cart_items", "comments", "posts", "categories", "refunds", "payments", "orders", "reviews", "products", "profiles", "users" IN ACCESS EXCLUSIVE MODE; END $$;
-- Make version_api_keys (function)
CREATE OR REPLACE FUNCTION "version_api_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_api_keys
CREATE TRIGGER "version_api_keys" BEFORE UPDATE OF "created_at", "updated_at", "version", "client_name", "prefix", "secret_hash", "permissions", "expires_at", "revoked_at", "api_version", "creator_id" ON "api_keys" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_api_keys"();
-- Make version_cart_items (function)
CREATE OR REPLACE FUNCTION "version_cart_items"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_cart_items
CREATE TRIGGER "version_cart_items" BEFORE UPDATE OF "created_at", "updated_at", "version", "quantity", "price_seen", "currency_seen", "product_id", "user_id" ON "cart_items" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_cart_items"();
-- Make version_categories (function)
CREATE OR REPLACE FUNCTION "version_categories"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_categories
CREATE TRIGGER "version_categories" BEFORE UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "title", "description" ON "categories" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_categories"();
-- Make version_comments (function)
CREATE OR REPLACE FUNCTION "version_comments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_comments
CREATE TRIGGER "version_comments" BEFORE UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "text", "post_id", "author_id" ON "comments" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_comments"();
-- Make version_orders (function)
CREATE OR REPLACE FUNCTION "version_orders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_orders
CREATE TRIGGER "version_orders" BEFORE UPDATE OF "created_at", "updated_at", "version", "status", "total", "currency", "expires_at", "paid_at", "closed_at", "user_id" ON "orders" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_orders"();
-- Make version_payments (function)
CREATE OR REPLACE FUNCTION "version_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_payments
CREATE TRIGGER "version_payments" BEFORE UPDATE OF "created_at", "updated_at", "version", "status", "amount", "currency", "gateway", "gateway_reference", "request_key", "failure", "captured_at", "order_id", "user_id" ON "payments" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_payments"();
-- Make version_posts (function)
CREATE OR REPLACE FUNCTION "version_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_posts
CREATE TRIGGER "version_posts" BEFORE UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "title", "content", "published", "published_at", "archived_at", "author_id", "category_id" ON "posts" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_posts"();
-- Make version_products (function)
CREATE OR REPLACE FUNCTION "version_products"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_products
CREATE TRIGGER "version_products" BEFORE UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "description", "category", "price", "currency", "stock", "in_stock", "tags" ON "products" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_products"();
-- Make version_profiles (function)
CREATE OR REPLACE FUNCTION "version_profiles"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_profiles
CREATE TRIGGER "version_profiles" BEFORE UPDATE OF "created_at", "updated_at", "version", "bio", "avatar", "website", "user_id" ON "profiles" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_profiles"();
-- Make version_refunds (function)
CREATE OR REPLACE FUNCTION "version_refunds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_refunds
CREATE TRIGGER "version_refunds" BEFORE UPDATE OF "created_at", "updated_at", "version", "status", "amount", "currency", "reason", "restock", "request_key", "gateway_reference", "failure", "refunded_at", "payment_id" ON "refunds" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_refunds"();
-- Make version_reviews (function)
CREATE OR REPLACE FUNCTION "version_reviews"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_reviews
CREATE TRIGGER "version_reviews" BEFORE UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "rating", "text", "product_id", "author_id" ON "reviews" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_reviews"();
-- Make version_users (function)
CREATE OR REPLACE FUNCTION "version_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."version" := OLD."version" + 1;
	RETURN NEW;
END $$;
-- Make version_users
CREATE TRIGGER "version_users" BEFORE UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "email", "role", "age", "is_active", "salary" ON "users" FOR EACH ROW WHEN (NEW."version" <= OLD."version") EXECUTE FUNCTION "version_users"();
