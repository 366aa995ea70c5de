-- enum_values, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase enum_values.

-- Drop trigger event_job_progress_on_insert
DROP TRIGGER "event_job_progress_on_insert";
-- Drop trigger event_job_progress_on_update
DROP TRIGGER "event_job_progress_on_update";
-- Drop trigger event_order_status_on_insert
DROP TRIGGER "event_order_status_on_insert";
-- Drop trigger event_order_status_on_update
DROP TRIGGER "event_order_status_on_update";
-- Drop trigger event_payment_status_on_update
DROP TRIGGER "event_payment_status_on_update";
-- Drop trigger event_user_status_on_delete
DROP TRIGGER "event_user_status_on_delete";
-- Drop trigger event_user_status_on_update
DROP TRIGGER "event_user_status_on_update";
-- Drop trigger recount_users_on_delete
DROP TRIGGER "recount_users_on_delete";
-- Drop trigger recount_users_on_update
DROP TRIGGER "recount_users_on_update";
-- Drop trigger search_users_on_delete
DROP TRIGGER "search_users_on_delete";
-- Drop trigger search_users_on_insert
DROP TRIGGER "search_users_on_insert";
-- Drop trigger search_users_on_update
DROP TRIGGER "search_users_on_update";
-- Drop trigger stamp_refresh_families_revoked_at
DROP TRIGGER "stamp_refresh_families_revoked_at";
-- Drop trigger stamp_reset_tokens_revoked_at
DROP TRIGGER "stamp_reset_tokens_revoked_at";
-- Drop trigger stamp_sessions_revoked_at
DROP TRIGGER "stamp_sessions_revoked_at";
-- Drop trigger tally_follows_on_delete
DROP TRIGGER "tally_follows_on_delete";
-- Drop trigger tally_follows_on_insert
DROP TRIGGER "tally_follows_on_insert";
-- Drop trigger tally_follows_on_update
DROP TRIGGER "tally_follows_on_update";
-- Drop trigger tally_likes_on_delete
DROP TRIGGER "tally_likes_on_delete";
-- Drop trigger tally_likes_on_insert
DROP TRIGGER "tally_likes_on_insert";
-- Drop trigger tally_likes_on_update
DROP TRIGGER "tally_likes_on_update";
-- Drop trigger tally_refunds_on_delete
DROP TRIGGER "tally_refunds_on_delete";
-- Drop trigger tally_refunds_on_insert
DROP TRIGGER "tally_refunds_on_insert";
-- Drop trigger tally_refunds_on_update
DROP TRIGGER "tally_refunds_on_update";
-- Ask first: jobs: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first
CALL entwine_refuse('jobs: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first', 'SELECT CAST("jobs"."id" AS text) FROM "jobs" WHERE NOT (("status" IN (''queued'', ''running'', ''retrying'', ''succeeded'', ''failed'', ''cancelled''))) ORDER BY "jobs"."id" LIMIT 6');
-- Ask first: orders: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first
CALL entwine_refuse('orders: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first', 'SELECT CAST("orders"."id" AS text) FROM "orders" WHERE NOT (("status" IN (''pending'', ''processing'', ''paid'', ''partially_refunded'', ''refunded'', ''cancelled'', ''expired''))) ORDER BY "orders"."id" LIMIT 6');
-- Ask first: payments: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first
CALL entwine_refuse('payments: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first', 'SELECT CAST("payments"."id" AS text) FROM "payments" WHERE NOT (("status" IN (''processing'', ''succeeded'', ''failed''))) ORDER BY "payments"."id" LIMIT 6');
-- Ask first: refunds: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first
CALL entwine_refuse('refunds: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first', 'SELECT CAST("refunds"."id" AS text) FROM "refunds" WHERE NOT (("status" IN (''processing'', ''succeeded'', ''failed''))) ORDER BY "refunds"."id" LIMIT 6');
-- Ask first: sandbox_charges: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first
CALL entwine_refuse('sandbox_charges: status of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first', 'SELECT CAST("sandbox_charges"."id" AS text) FROM "sandbox_charges" WHERE NOT (("status" IN (''succeeded'', ''failed'', ''canceled''))) ORDER BY "sandbox_charges"."id" LIMIT 6');
-- Ask first: sessions: mode of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first
CALL entwine_refuse('sessions: mode of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first', 'SELECT CAST("sessions"."id" AS text) FROM "sessions" WHERE NOT (("mode" IN (''session'', ''cookie''))) ORDER BY "sessions"."id" LIMIT 6');
-- Ask first: users: role of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first
CALL entwine_refuse('users: role of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first', 'SELECT CAST("users"."id" AS text) FROM "users" WHERE NOT (("role" IN (''user'', ''admin'', ''editor'', ''developer'', ''senior_developer'', ''lead_developer'', ''moderator''))) ORDER BY "users"."id" LIMIT 6');
-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_jobs" table
CREATE TABLE `new_jobs` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `kind` text NOT NULL,
  `status` text NOT NULL DEFAULT 'queued',
  `progress` real NOT NULL DEFAULT 0,
  `attempts` integer NOT NULL DEFAULT 0,
  `max_attempts` integer NOT NULL DEFAULT 10,
  `error` text NULL,
  `run_at` datetime NOT NULL,
  `started_at` datetime NULL,
  `finished_at` datetime NULL,
  `args` json NOT NULL,
  `queue` text NOT NULL DEFAULT 'default',
  `unique_key` text NULL,
  `tick` datetime NULL,
  `fence` integer NOT NULL DEFAULT 0,
  `lease_until` datetime NULL,
  `generation` integer NOT NULL DEFAULT 0,
  `rung_at` datetime NULL,
  `ring_at` datetime NOT NULL,
  `epoch` text NULL,
  `result_url` text NULL,
  `result_type` text NULL,
  `result_name` text NULL,
  `result_size` integer NULL,
  `result_until` datetime NULL,
  `traceparent` text NULL,
  `user_id` integer NULL,
  `key_id` integer NULL,
  CONSTRAINT `jobs_api_keys_key` FOREIGN KEY (`key_id`) REFERENCES `api_keys` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT `jobs_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT `jobs_status_values` CHECK ("status" IN ('queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'))
);
-- Copy rows from old table "jobs" to new temporary table "new_jobs"
INSERT INTO `new_jobs` (`id`, `created_at`, `updated_at`, `kind`, `status`, `progress`, `attempts`, `max_attempts`, `error`, `run_at`, `started_at`, `finished_at`, `args`, `queue`, `unique_key`, `tick`, `fence`, `lease_until`, `generation`, `rung_at`, `ring_at`, `epoch`, `result_url`, `result_type`, `result_name`, `result_size`, `result_until`, `traceparent`, `user_id`, `key_id`) SELECT `id`, `created_at`, `updated_at`, `kind`, `status`, `progress`, `attempts`, `max_attempts`, `error`, `run_at`, `started_at`, `finished_at`, `args`, `queue`, `unique_key`, `tick`, `fence`, `lease_until`, `generation`, `rung_at`, `ring_at`, `epoch`, `result_url`, `result_type`, `result_name`, `result_size`, `result_until`, `traceparent`, `user_id`, `key_id` FROM `jobs`;
-- Drop "jobs" table after copying rows
DROP TABLE `jobs`;
-- Rename temporary table "new_jobs" to "jobs"
ALTER TABLE `new_jobs` RENAME TO `jobs`;
-- Create index "job_created_at_id" to table: "jobs"
CREATE INDEX `job_created_at_id` ON `jobs` (`created_at`, `id`);
-- Create index "job_user_id_created_at_id" to table: "jobs"
CREATE INDEX `job_user_id_created_at_id` ON `jobs` (`user_id`, `created_at`, `id`);
-- Create index "job_key_id" to table: "jobs"
CREATE INDEX `job_key_id` ON `jobs` (`key_id`);
-- Create index "job_ring_at" to table: "jobs"
CREATE INDEX `job_ring_at` ON `jobs` (`ring_at`) WHERE finished_at IS NULL;
-- Create index "job_epoch" to table: "jobs"
CREATE INDEX `job_epoch` ON `jobs` (`epoch`) WHERE finished_at IS NULL AND epoch IS NOT NULL;
-- Create index "job_kind_unique_key" to table: "jobs"
CREATE UNIQUE INDEX `job_kind_unique_key` ON `jobs` (`kind`, `unique_key`) WHERE finished_at IS NULL;
-- Create index "job_kind_tick" to table: "jobs"
CREATE UNIQUE INDEX `job_kind_tick` ON `jobs` (`kind`, `tick`) WHERE tick IS NOT NULL;
-- Create index "job_finished_at" to table: "jobs"
CREATE INDEX `job_finished_at` ON `jobs` (`finished_at`) WHERE finished_at IS NOT NULL;
-- Create index "job_result_until" to table: "jobs"
CREATE INDEX `job_result_until` ON `jobs` (`result_until`) WHERE result_until IS NOT NULL;
-- Create "new_orders" table
CREATE TABLE `new_orders` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `status` text NOT NULL DEFAULT 'pending',
  `total` integer NOT NULL,
  `currency` text NOT NULL,
  `expires_at` datetime NULL,
  `paid_at` datetime NULL,
  `closed_at` datetime NULL,
  `user_id` integer NULL,
  CONSTRAINT `orders_users_orders` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT `orders_status_values` CHECK ("status" IN ('pending', 'processing', 'paid', 'partially_refunded', 'refunded', 'cancelled', 'expired')),
  CONSTRAINT `orders_total` CHECK (total >= 0)
);
-- Copy rows from old table "orders" to new temporary table "new_orders"
INSERT INTO `new_orders` (`id`, `created_at`, `updated_at`, `version`, `status`, `total`, `currency`, `expires_at`, `paid_at`, `closed_at`, `user_id`) SELECT `id`, `created_at`, `updated_at`, `version`, `status`, `total`, `currency`, `expires_at`, `paid_at`, `closed_at`, `user_id` FROM `orders`;
-- Drop "orders" table after copying rows
DROP TABLE `orders`;
-- Rename temporary table "new_orders" to "orders"
ALTER TABLE `new_orders` RENAME TO `orders`;
-- Create index "order_created_at_id" to table: "orders"
CREATE INDEX `order_created_at_id` ON `orders` (`created_at`, `id`);
-- Create index "order_user_id_created_at_id" to table: "orders"
CREATE INDEX `order_user_id_created_at_id` ON `orders` (`user_id`, `created_at`, `id`);
-- Create index "order_paid_at" to table: "orders"
CREATE INDEX `order_paid_at` ON `orders` (`paid_at`);
-- Create index "order_expires_at" to table: "orders"
CREATE INDEX `order_expires_at` ON `orders` (`expires_at`) WHERE status = 'pending';
-- Create "new_payments" table
CREATE TABLE `new_payments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `status` text NOT NULL DEFAULT 'processing',
  `amount` integer NOT NULL,
  `amount_refunded` integer NOT NULL DEFAULT 0,
  `currency` text NOT NULL,
  `gateway` text NOT NULL,
  `gateway_reference` text NULL,
  `request_key` text NULL,
  `failure` text NULL,
  `captured_at` datetime NULL,
  `order_id` integer NULL,
  `user_id` integer NULL,
  CONSTRAINT `payments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT `payments_orders_payments` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON UPDATE NO ACTION ON DELETE RESTRICT,
  CONSTRAINT `payments_amount` CHECK (amount > 0),
  CONSTRAINT `payments_captured` CHECK (status = 'succeeded' OR captured_at IS NULL),
  CONSTRAINT `payments_captured_at` CHECK (status <> 'succeeded' OR captured_at IS NOT NULL),
  CONSTRAINT `payments_refunds_least` CHECK (amount_refunded >= 0),
  CONSTRAINT `payments_refunds_most` CHECK (amount_refunded <= amount),
  CONSTRAINT `payments_status_values` CHECK ("status" IN ('processing', 'succeeded', 'failed'))
);
-- Copy rows from old table "payments" to new temporary table "new_payments"
INSERT INTO `new_payments` (`id`, `created_at`, `updated_at`, `version`, `status`, `amount`, `amount_refunded`, `currency`, `gateway`, `gateway_reference`, `request_key`, `failure`, `captured_at`, `order_id`, `user_id`) SELECT `id`, `created_at`, `updated_at`, `version`, `status`, `amount`, `amount_refunded`, `currency`, `gateway`, `gateway_reference`, `request_key`, `failure`, `captured_at`, `order_id`, `user_id` FROM `payments`;
-- Drop "payments" table after copying rows
DROP TABLE `payments`;
-- Rename temporary table "new_payments" to "payments"
ALTER TABLE `new_payments` RENAME TO `payments`;
-- Create index "payments_request_key_key" to table: "payments"
CREATE UNIQUE INDEX `payments_request_key_key` ON `payments` (`request_key`);
-- Create index "payment_created_at_id" to table: "payments"
CREATE INDEX `payment_created_at_id` ON `payments` (`created_at`, `id`);
-- Create index "payment_user_id_created_at_id" to table: "payments"
CREATE INDEX `payment_user_id_created_at_id` ON `payments` (`user_id`, `created_at`, `id`);
-- Create index "payment_order_id_created_at_id" to table: "payments"
CREATE INDEX `payment_order_id_created_at_id` ON `payments` (`order_id`, `created_at`, `id`);
-- Create index "payment_order_captured" to table: "payments"
CREATE UNIQUE INDEX `payment_order_captured` ON `payments` (`order_id`) WHERE status <> 'failed';
-- Create index "payment_updated_at" to table: "payments"
CREATE INDEX `payment_updated_at` ON `payments` (`updated_at`) WHERE status = 'processing';
-- Create index "payment_captured_at" to table: "payments"
CREATE INDEX `payment_captured_at` ON `payments` (`captured_at`);
-- Create index "payment_gateway_gateway_reference" to table: "payments"
CREATE UNIQUE INDEX `payment_gateway_gateway_reference` ON `payments` (`gateway`, `gateway_reference`);
-- Create "new_refunds" table
CREATE TABLE `new_refunds` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `status` text NOT NULL DEFAULT 'processing',
  `amount` integer NOT NULL,
  `currency` text NOT NULL,
  `reason` text NULL,
  `restock` bool NOT NULL DEFAULT false,
  `request_key` text NULL,
  `gateway_reference` text NULL,
  `failure` text NULL,
  `refunded_at` datetime NULL,
  `payment_id` integer NOT NULL,
  CONSTRAINT `refunds_payments_refunds` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON UPDATE NO ACTION ON DELETE RESTRICT,
  CONSTRAINT `refunds_amount` CHECK (amount > 0),
  CONSTRAINT `refunds_status_values` CHECK ("status" IN ('processing', 'succeeded', 'failed'))
);
-- Copy rows from old table "refunds" to new temporary table "new_refunds"
INSERT INTO `new_refunds` (`id`, `created_at`, `updated_at`, `version`, `status`, `amount`, `currency`, `reason`, `restock`, `request_key`, `gateway_reference`, `failure`, `refunded_at`, `payment_id`) SELECT `id`, `created_at`, `updated_at`, `version`, `status`, `amount`, `currency`, `reason`, `restock`, `request_key`, `gateway_reference`, `failure`, `refunded_at`, `payment_id` FROM `refunds`;
-- Drop "refunds" table after copying rows
DROP TABLE `refunds`;
-- Rename temporary table "new_refunds" to "refunds"
ALTER TABLE `new_refunds` RENAME TO `refunds`;
-- Create index "refunds_request_key_key" to table: "refunds"
CREATE UNIQUE INDEX `refunds_request_key_key` ON `refunds` (`request_key`);
-- Create index "refund_created_at_id" to table: "refunds"
CREATE INDEX `refund_created_at_id` ON `refunds` (`created_at`, `id`);
-- Create index "refund_payment_id_created_at_id" to table: "refunds"
CREATE INDEX `refund_payment_id_created_at_id` ON `refunds` (`payment_id`, `created_at`, `id`);
-- Create index "refund_refunded_at" to table: "refunds"
CREATE INDEX `refund_refunded_at` ON `refunds` (`refunded_at`);
-- Create index "refund_updated_at" to table: "refunds"
CREATE INDEX `refund_updated_at` ON `refunds` (`updated_at`) WHERE status = 'processing';
-- Create "new_sandbox_charges" table
CREATE TABLE `new_sandbox_charges` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `idempotency_key` text NOT NULL,
  `charge_key` text NULL,
  `amount` integer NOT NULL,
  `currency` text NOT NULL,
  `status` text NOT NULL,
  `reason` text NOT NULL DEFAULT '',
  `settles_at` datetime NOT NULL,
  CONSTRAINT `sandbox_charges_amount` CHECK (amount >= 0),
  CONSTRAINT `sandbox_charges_status_values` CHECK ("status" IN ('succeeded', 'failed', 'canceled'))
);
-- Copy rows from old table "sandbox_charges" to new temporary table "new_sandbox_charges"
INSERT INTO `new_sandbox_charges` (`id`, `created_at`, `idempotency_key`, `charge_key`, `amount`, `currency`, `status`, `reason`, `settles_at`) SELECT `id`, `created_at`, `idempotency_key`, `charge_key`, `amount`, `currency`, `status`, `reason`, `settles_at` FROM `sandbox_charges`;
-- Drop "sandbox_charges" table after copying rows
DROP TABLE `sandbox_charges`;
-- Rename temporary table "new_sandbox_charges" to "sandbox_charges"
ALTER TABLE `new_sandbox_charges` RENAME TO `sandbox_charges`;
-- Create index "sandbox_charges_idempotency_key_key" to table: "sandbox_charges"
CREATE UNIQUE INDEX `sandbox_charges_idempotency_key_key` ON `sandbox_charges` (`idempotency_key`);
-- Create index "sandboxcharge_charge_key" to table: "sandbox_charges"
CREATE INDEX `sandboxcharge_charge_key` ON `sandbox_charges` (`charge_key`);
-- Create "new_sessions" table
CREATE TABLE `new_sessions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `sid` text NOT NULL,
  `mode` text NOT NULL,
  `secret_hash` blob NULL,
  `expires_at` datetime NOT NULL,
  `revoked_at` datetime NULL,
  `user_agent` text NOT NULL DEFAULT '',
  `address` text NOT NULL DEFAULT '',
  `user_id` integer NOT NULL,
  CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `sessions_mode_values` CHECK ("mode" IN ('session', 'cookie'))
);
-- Copy rows from old table "sessions" to new temporary table "new_sessions"
INSERT INTO `new_sessions` (`id`, `created_at`, `sid`, `mode`, `secret_hash`, `expires_at`, `revoked_at`, `user_agent`, `address`, `user_id`) SELECT `id`, `created_at`, `sid`, `mode`, `secret_hash`, `expires_at`, `revoked_at`, `user_agent`, `address`, `user_id` FROM `sessions`;
-- Drop "sessions" table after copying rows
DROP TABLE `sessions`;
-- Rename temporary table "new_sessions" to "sessions"
ALTER TABLE `new_sessions` RENAME TO `sessions`;
-- Create index "sessions_sid_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_sid_key` ON `sessions` (`sid`);
-- Create index "session_secret_hash" to table: "sessions"
CREATE UNIQUE INDEX `session_secret_hash` ON `sessions` (`secret_hash`);
-- Create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- Create "new_users" table
CREATE TABLE `new_users` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `name` text NOT NULL,
  `email` text NOT NULL,
  `role` text NOT NULL DEFAULT 'user',
  `age` integer NULL,
  `is_active` bool NOT NULL DEFAULT true,
  `salary` real NULL,
  `followers_count` integer NOT NULL DEFAULT 0,
  `following_count` integer NOT NULL DEFAULT 0,
  `name_fold` text NULL,
  `email_fold` text NULL,
  CONSTRAINT `users_role_values` CHECK ("role" IN ('user', 'admin', 'editor', 'developer', 'senior_developer', 'lead_developer', 'moderator'))
);
-- Copy rows from old table "users" to new temporary table "new_users"
INSERT INTO `new_users` (`id`, `created_at`, `updated_at`, `version`, `deleted_at`, `deleted_with`, `name`, `email`, `role`, `age`, `is_active`, `salary`, `followers_count`, `following_count`, `name_fold`, `email_fold`) SELECT `id`, `created_at`, `updated_at`, `version`, `deleted_at`, `deleted_with`, `name`, `email`, `role`, `age`, `is_active`, `salary`, `followers_count`, `following_count`, `name_fold`, `email_fold` FROM `users`;
-- Drop "users" table after copying rows
DROP TABLE `users`;
-- Rename temporary table "new_users" to "users"
ALTER TABLE `new_users` RENAME TO `users`;
-- Create index "user_created_at_id" to table: "users"
CREATE INDEX `user_created_at_id` ON `users` (`created_at`, `id`);
-- Create index "user_deleted_at" to table: "users"
CREATE INDEX `user_deleted_at` ON `users` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "user_email_fold" to table: "users"
CREATE UNIQUE INDEX `user_email_fold` ON `users` (`email_fold`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
-- Make event_job_progress_on_insert
CREATE TRIGGER "event_job_progress_on_insert" AFTER INSERT ON "jobs" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'job.progress', 'Job', NEW."id", NEW."id", json_object('status', NEW."status"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_job_progress_on_update
CREATE TRIGGER "event_job_progress_on_update" AFTER UPDATE ON "jobs" FOR EACH ROW WHEN NEW.status <> OLD.status OR NEW.progress <> OLD.progress BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'job.progress', 'Job', NEW."id", NEW."id", json_object('status', NEW."status"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_order_status_on_insert
CREATE TRIGGER "event_order_status_on_insert" AFTER INSERT ON "orders" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'order.status', 'Order', NEW."id", NEW."id", json_object('status', NEW."status"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_order_status_on_update
CREATE TRIGGER "event_order_status_on_update" AFTER UPDATE ON "orders" FOR EACH ROW WHEN NEW.status <> OLD.status BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'order.status', 'Order', NEW."id", NEW."id", json_object('status', NEW."status"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_payment_status_on_update
CREATE TRIGGER "event_payment_status_on_update" AFTER UPDATE ON "payments" FOR EACH ROW WHEN NEW.status <> OLD.status BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'payment.status', 'Payment', NEW."id", NEW."id", json_object('status', NEW."status"), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_user_status_on_update
CREATE TRIGGER "event_user_status_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN NEW.is_active <> OLD.is_active OR NEW.role <> OLD.role OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'user.status', 'User', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_user_status_on_delete
CREATE TRIGGER "event_user_status_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'user.status', 'User', OLD."id", OLD."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make tally_refunds_on_insert
CREATE TRIGGER "tally_refunds_on_insert" AFTER INSERT ON "refunds" FOR EACH ROW WHEN (NEW.status <> 'failed') BEGIN
	UPDATE "payments" SET "amount_refunded" = "amount_refunded" + CASE WHEN NEW.status <> 'failed' THEN NEW."amount" ELSE 0 END WHERE "id" = NEW."payment_id";
END;
-- Make tally_refunds_on_update
CREATE TRIGGER "tally_refunds_on_update" AFTER UPDATE ON "refunds" FOR EACH ROW WHEN (CASE WHEN OLD.status <> 'failed' THEN OLD."amount" ELSE 0 END) <> (CASE WHEN NEW.status <> 'failed' THEN NEW."amount" ELSE 0 END) OR OLD."payment_id" IS DISTINCT FROM NEW."payment_id" BEGIN
	UPDATE "payments" SET "amount_refunded" = "amount_refunded" - CASE WHEN OLD.status <> 'failed' THEN OLD."amount" ELSE 0 END WHERE "id" = OLD."payment_id";
	UPDATE "payments" SET "amount_refunded" = "amount_refunded" + CASE WHEN NEW.status <> 'failed' THEN NEW."amount" ELSE 0 END WHERE "id" = NEW."payment_id";
END;
-- Make tally_refunds_on_delete
CREATE TRIGGER "tally_refunds_on_delete" AFTER DELETE ON "refunds" FOR EACH ROW WHEN (OLD.status <> 'failed') BEGIN
	UPDATE "payments" SET "amount_refunded" = "amount_refunded" - CASE WHEN OLD.status <> 'failed' THEN OLD."amount" ELSE 0 END WHERE "id" = OLD."payment_id";
END;
-- Make tally_likes_on_insert
CREATE TRIGGER "tally_likes_on_insert" AFTER INSERT ON "likes" FOR EACH ROW BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL);
END;
-- Make tally_likes_on_update
CREATE TRIGGER "tally_likes_on_update" AFTER UPDATE ON "likes" FOR EACH ROW WHEN OLD."post_id" IS DISTINCT FROM NEW."post_id" OR OLD."user_id" IS DISTINCT FROM NEW."user_id" BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."user_id" AND "keeper"."deleted_at" IS NULL);
END;
-- Make tally_likes_on_delete
CREATE TRIGGER "tally_likes_on_delete" AFTER DELETE ON "likes" FOR EACH ROW BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."user_id" AND "keeper"."deleted_at" IS NULL);
END;
-- Make tally_follows_on_insert
CREATE TRIGGER "tally_follows_on_insert" AFTER INSERT ON "follows" FOR EACH ROW BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL);
END;
-- Make tally_follows_on_update
CREATE TRIGGER "tally_follows_on_update" AFTER UPDATE ON "follows" FOR EACH ROW WHEN OLD."followee_id" IS DISTINCT FROM NEW."followee_id" OR OLD."follower_id" IS DISTINCT FROM NEW."follower_id" BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = NEW."followee_id" AND "keeper"."deleted_at" IS NULL);
END;
-- Make tally_follows_on_delete
CREATE TRIGGER "tally_follows_on_delete" AFTER DELETE ON "follows" FOR EACH ROW BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."follower_id" AND "keeper"."deleted_at" IS NULL);
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id" AND EXISTS (SELECT 1 FROM "users" AS "keeper" WHERE "keeper"."id" = OLD."followee_id" AND "keeper"."deleted_at" IS NULL);
END;
-- Make recount_users_on_update
CREATE TRIGGER "recount_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN (OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL) BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" + (CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END) * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = NEW."id") WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = NEW."id");
	UPDATE "users" SET "followers_count" = "followers_count" + (CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = NEW."id") WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = NEW."id");
	UPDATE "users" SET "following_count" = "following_count" + (CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = NEW."id") WHERE "id" IN (SELECT "follower_id" FROM "follows" WHERE "followee_id" = NEW."id");
END;
-- Make recount_users_on_delete
CREATE TRIGGER "recount_users_on_delete" BEFORE DELETE ON "users" FOR EACH ROW WHEN OLD."deleted_at" IS NULL BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "likes" AS "child" WHERE "child"."post_id" = "posts"."id" AND "child"."user_id" = OLD."id") WHERE "id" IN (SELECT "post_id" FROM "likes" WHERE "user_id" = OLD."id");
	UPDATE "users" SET "followers_count" = "followers_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."followee_id" = "users"."id" AND "child"."follower_id" = OLD."id") WHERE "id" IN (SELECT "followee_id" FROM "follows" WHERE "follower_id" = OLD."id");
	UPDATE "users" SET "following_count" = "following_count" + (-1) * (SELECT COALESCE(sum(1), 0) FROM "follows" AS "child" WHERE "child"."follower_id" = "users"."id" AND "child"."followee_id" = OLD."id") WHERE "id" IN (SELECT "follower_id" FROM "follows" WHERE "followee_id" = OLD."id");
END;
-- Make stamp_refresh_families_revoked_at
CREATE TRIGGER "stamp_refresh_families_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL) BEGIN
	UPDATE "refresh_families" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make stamp_reset_tokens_revoked_at
CREATE TRIGGER "stamp_reset_tokens_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL OR OLD.email_fold <> OLD.email_fold) BEGIN
	UPDATE "reset_tokens" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make stamp_sessions_revoked_at
CREATE TRIGGER "stamp_sessions_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL) BEGIN
	UPDATE "sessions" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make search_users_on_insert
CREATE TRIGGER "search_users_on_insert" AFTER INSERT ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_on_update
CREATE TRIGGER "search_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."email_fold" IS NOT NEW."email_fold" BEGIN
	INSERT INTO "search_users" ("search_users", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
	INSERT INTO "search_users" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_on_delete
CREATE TRIGGER "search_users_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users" ("search_users", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
END;
