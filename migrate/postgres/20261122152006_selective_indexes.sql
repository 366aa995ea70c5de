-- selective_indexes, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase selective_indexes.

-- Create index "order_by_status" to table: "orders"
CREATE INDEX "order_by_status" ON "orders" ("status", "created_at", "id");
-- Create index "payment_by_status" to table: "payments"
CREATE INDEX "payment_by_status" ON "payments" ("status", "created_at", "id");
-- Drop index "product_category_created_at_id" from table: "products"
DROP INDEX "product_category_created_at_id";
-- Create index "product_by_category" to table: "products"
CREATE INDEX "product_by_category" ON "products" ("category", "created_at", "id", "deleted_at") WHERE (deleted_at IS NULL);
-- Create index "refund_by_status" to table: "refunds"
CREATE INDEX "refund_by_status" ON "refunds" ("status", "created_at", "id");
-- Create index "user_by_email" to table: "users"
CREATE INDEX "user_by_email" ON "users" ("email", "created_at", "id", "deleted_at") WHERE (deleted_at IS NULL);
-- Create index "user_by_name" to table: "users"
CREATE INDEX "user_by_name" ON "users" ("name", "created_at", "id", "deleted_at") WHERE (deleted_at IS NULL);
-- Create index "user_by_role" to table: "users"
CREATE INDEX "user_by_role" ON "users" ("role", "created_at", "id", "deleted_at") WHERE (deleted_at IS NULL);
