-- Create "api_keys" table
CREATE TABLE `api_keys` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `client_name` text NOT NULL,
  `prefix` text NOT NULL,
  `secret_hash` blob NOT NULL,
  `permissions` json NOT NULL,
  `expires_at` datetime NULL,
  `revoked_at` datetime NULL,
  `last_used_at` datetime NULL,
  `client_name_fold` text NULL,
  `creator_id` integer NULL,
  CONSTRAINT `api_keys_users_creator` FOREIGN KEY (`creator_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL
);
-- Create index "api_keys_prefix_key" to table: "api_keys"
CREATE UNIQUE INDEX `api_keys_prefix_key` ON `api_keys` (`prefix`);
-- Create index "apikey_created_at_id" to table: "api_keys"
CREATE INDEX `apikey_created_at_id` ON `api_keys` (`created_at`, `id`);
-- Create index "apikey_creator_id" to table: "api_keys"
CREATE INDEX `apikey_creator_id` ON `api_keys` (`creator_id`);
-- Create "cart_items" table
CREATE TABLE `cart_items` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `quantity` integer NOT NULL DEFAULT 1,
  `price_seen` integer NULL,
  `product_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `cart_items_users_cart_items` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `cart_items_products_cart_items` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `cart_items_quantity` CHECK (quantity >= 1)
);
-- Create index "cartitem_created_at_id" to table: "cart_items"
CREATE INDEX `cartitem_created_at_id` ON `cart_items` (`created_at`, `id`);
-- Create index "cartitem_user_id_product_id" to table: "cart_items"
CREATE UNIQUE INDEX `cartitem_user_id_product_id` ON `cart_items` (`user_id`, `product_id`);
-- Create index "cartitem_user_id_created_at_id" to table: "cart_items"
CREATE INDEX `cartitem_user_id_created_at_id` ON `cart_items` (`user_id`, `created_at`, `id`);
-- Create index "cartitem_product_id" to table: "cart_items"
CREATE INDEX `cartitem_product_id` ON `cart_items` (`product_id`);
-- Create "categories" table
CREATE TABLE `categories` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `name` text NOT NULL,
  `title` text NULL,
  `description` text NULL,
  `posts_count` integer NOT NULL DEFAULT 0,
  `name_fold` text NULL
);
-- Create index "category_created_at_id" to table: "categories"
CREATE INDEX `category_created_at_id` ON `categories` (`created_at`, `id`);
-- Create index "category_deleted_at" to table: "categories"
CREATE INDEX `category_deleted_at` ON `categories` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "category_name" to table: "categories"
CREATE UNIQUE INDEX `category_name` ON `categories` (`name`) WHERE deleted_at IS NULL;
-- Create "comments" table
CREATE TABLE `comments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `text` text NOT NULL,
  `post_id` integer NOT NULL,
  `author_id` integer NOT NULL,
  CONSTRAINT `comments_users_comments` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `comments_posts_comments` FOREIGN KEY (`post_id`) REFERENCES `posts` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "comment_created_at_id" to table: "comments"
CREATE INDEX `comment_created_at_id` ON `comments` (`created_at`, `id`);
-- Create index "comment_deleted_at" to table: "comments"
CREATE INDEX `comment_deleted_at` ON `comments` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "comment_post_id_created_at_id" to table: "comments"
CREATE INDEX `comment_post_id_created_at_id` ON `comments` (`post_id`, `created_at`, `id`);
-- Create index "comment_author_id_created_at_id" to table: "comments"
CREATE INDEX `comment_author_id_created_at_id` ON `comments` (`author_id`, `created_at`, `id`);
-- Create "credentials" table
CREATE TABLE `credentials` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `password_hash` text NULL,
  `password_changed_at` datetime NULL,
  `totp_secret` blob NULL,
  `totp_enabled` bool NOT NULL DEFAULT false,
  `totp_last_step` integer NOT NULL DEFAULT 0,
  `totp_pending` blob NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `credentials_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `credentials_totp` CHECK (totp_enabled <= (totp_secret IS NOT NULL))
);
-- Create index "credential_user_id" to table: "credentials"
CREATE UNIQUE INDEX `credential_user_id` ON `credentials` (`user_id`);
-- Create "emails" table
CREATE TABLE `emails` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `message_id` text NOT NULL,
  `sender` text NOT NULL,
  `recipient` text NOT NULL,
  `subject` text NOT NULL,
  `text` text NOT NULL,
  `html` text NULL,
  `recipient_fold` text NULL,
  `subject_fold` text NULL
);
-- Create index "emails_message_id_key" to table: "emails"
CREATE UNIQUE INDEX `emails_message_id_key` ON `emails` (`message_id`);
-- Create index "email_created_at_id" to table: "emails"
CREATE INDEX `email_created_at_id` ON `emails` (`created_at`, `id`);
-- Create "events" table
CREATE TABLE `events` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `xid` integer NOT NULL DEFAULT 0,
  `topic` text NOT NULL,
  `entity` text NOT NULL,
  `entity_id` integer NOT NULL,
  `key` integer NOT NULL,
  `payload` text NULL,
  `created_at` datetime NOT NULL
);
-- Create index "event_xid_id" to table: "events"
CREATE INDEX `event_xid_id` ON `events` (`xid`, `id`);
-- Create "external_identities" table
CREATE TABLE `external_identities` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `issuer` text NOT NULL,
  `subject` text NOT NULL,
  `email` text NULL,
  `last_used_at` datetime NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `external_identities_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "externalidentity_issuer_subject" to table: "external_identities"
CREATE UNIQUE INDEX `externalidentity_issuer_subject` ON `external_identities` (`issuer`, `subject`);
-- Create index "externalidentity_user_id" to table: "external_identities"
CREATE INDEX `externalidentity_user_id` ON `external_identities` (`user_id`);
-- Create "external_logins" table
CREATE TABLE `external_logins` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `state_hash` blob NOT NULL,
  `browser_hash` blob NOT NULL,
  `nonce` text NOT NULL,
  `verifier` blob NOT NULL,
  `return_to` text NOT NULL DEFAULT '',
  `expires_at` datetime NOT NULL
);
-- Create index "external_logins_state_hash_key" to table: "external_logins"
CREATE UNIQUE INDEX `external_logins_state_hash_key` ON `external_logins` (`state_hash`);
-- Create index "externallogin_expires_at" to table: "external_logins"
CREATE INDEX `externallogin_expires_at` ON `external_logins` (`expires_at`);
-- Create "follows" table
CREATE TABLE `follows` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `follower_id` integer NOT NULL,
  `followee_id` integer NOT NULL,
  CONSTRAINT `follows_users_followee` FOREIGN KEY (`followee_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `follows_users_follower` FOREIGN KEY (`follower_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `follows_not_oneself` CHECK (follower_id <> followee_id)
);
-- Create index "follow_follower_id_followee_id" to table: "follows"
CREATE UNIQUE INDEX `follow_follower_id_followee_id` ON `follows` (`follower_id`, `followee_id`);
-- Create index "follow_followee_id_follower_id" to table: "follows"
CREATE INDEX `follow_followee_id_follower_id` ON `follows` (`followee_id`, `follower_id`);
-- Create "handoffs" table
CREATE TABLE `handoffs` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `code_hash` blob NOT NULL,
  `expires_at` datetime NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `handoffs_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "handoffs_code_hash_key" to table: "handoffs"
CREATE UNIQUE INDEX `handoffs_code_hash_key` ON `handoffs` (`code_hash`);
-- Create index "handoff_user_id" to table: "handoffs"
CREATE INDEX `handoff_user_id` ON `handoffs` (`user_id`);
-- Create index "handoff_expires_at" to table: "handoffs"
CREATE INDEX `handoff_expires_at` ON `handoffs` (`expires_at`);
-- Create "idempotency_records" table
CREATE TABLE `idempotency_records` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `key_hash` blob NOT NULL,
  `fingerprint` blob NOT NULL,
  `status` integer NULL,
  `headers` json NULL,
  `body` blob NULL,
  `expires_at` datetime NOT NULL
);
-- Create index "idempotency_records_key_hash_key" to table: "idempotency_records"
CREATE UNIQUE INDEX `idempotency_records_key_hash_key` ON `idempotency_records` (`key_hash`);
-- Create index "idempotencyrecord_expires_at" to table: "idempotency_records"
CREATE INDEX `idempotencyrecord_expires_at` ON `idempotency_records` (`expires_at`);
-- Create "invoices" table
CREATE TABLE `invoices` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `number` integer NOT NULL,
  `customer_name` text NOT NULL,
  `customer_email` text NOT NULL,
  `lines` json NOT NULL,
  `subtotal` integer NOT NULL,
  `total` integer NOT NULL,
  `currency` text NOT NULL,
  `user_id` integer NULL,
  `order_id` integer NOT NULL,
  CONSTRAINT `invoices_orders_invoice` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON UPDATE NO ACTION ON DELETE RESTRICT,
  CONSTRAINT `invoices_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL
);
-- Create index "invoices_number_key" to table: "invoices"
CREATE UNIQUE INDEX `invoices_number_key` ON `invoices` (`number`);
-- Create index "invoices_order_id_key" to table: "invoices"
CREATE UNIQUE INDEX `invoices_order_id_key` ON `invoices` (`order_id`);
-- Create index "invoice_user_id" to table: "invoices"
CREATE INDEX `invoice_user_id` ON `invoices` (`user_id`);
-- Create "job_chunks" table
CREATE TABLE `job_chunks` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `fence` integer NOT NULL,
  `position` integer NOT NULL,
  `data` blob NOT NULL,
  `job_id` integer NOT NULL,
  CONSTRAINT `job_chunks_jobs_chunks` FOREIGN KEY (`job_id`) REFERENCES `jobs` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "jobchunk_job_id_fence_position" to table: "job_chunks"
CREATE UNIQUE INDEX `jobchunk_job_id_fence_position` ON `job_chunks` (`job_id`, `fence`, `position`);
-- Create "jobs" table
CREATE TABLE `jobs` (
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
  `result_type` text NULL,
  `result_name` text NULL,
  `result_size` integer NULL,
  `result_until` datetime NULL,
  `user_id` integer NULL,
  `key_id` integer NULL,
  CONSTRAINT `jobs_api_keys_key` FOREIGN KEY (`key_id`) REFERENCES `api_keys` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT `jobs_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL
);
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
-- Create "likes" table
CREATE TABLE `likes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `user_id` integer NOT NULL,
  `post_id` integer NOT NULL,
  CONSTRAINT `likes_posts_likes` FOREIGN KEY (`post_id`) REFERENCES `posts` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `likes_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "like_user_id_post_id" to table: "likes"
CREATE UNIQUE INDEX `like_user_id_post_id` ON `likes` (`user_id`, `post_id`);
-- Create index "like_post_id_created_at_id" to table: "likes"
CREATE INDEX `like_post_id_created_at_id` ON `likes` (`post_id`, `created_at`, `id`);
-- Create "login_failures" table
CREATE TABLE `login_failures` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `account_hash` blob NOT NULL,
  `address` text NOT NULL
);
-- Create index "loginfailure_account_hash_address_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_account_hash_address_created_at` ON `login_failures` (`account_hash`, `address`, `created_at`);
-- Create index "loginfailure_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_created_at` ON `login_failures` (`created_at`);
-- Create "order_items" table
CREATE TABLE `order_items` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `name` text NOT NULL,
  `price` integer NOT NULL,
  `quantity` integer NOT NULL,
  `total` integer NOT NULL,
  `currency` text NOT NULL,
  `order_id` integer NOT NULL,
  `product_id` integer NULL,
  CONSTRAINT `order_items_products_order_items` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT `order_items_orders_items` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `order_items_quantity` CHECK (quantity >= 1),
  CONSTRAINT `order_items_total` CHECK (total = (price * quantity))
);
-- Create index "orderitem_created_at_id" to table: "order_items"
CREATE INDEX `orderitem_created_at_id` ON `order_items` (`created_at`, `id`);
-- Create index "orderitem_order_id_created_at_id" to table: "order_items"
CREATE INDEX `orderitem_order_id_created_at_id` ON `order_items` (`order_id`, `created_at`, `id`);
-- Create index "orderitem_product_id_order_id" to table: "order_items"
CREATE INDEX `orderitem_product_id_order_id` ON `order_items` (`product_id`, `order_id`);
-- Create "orders" table
CREATE TABLE `orders` (
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
  CONSTRAINT `orders_total` CHECK (total >= 0)
);
-- Create index "order_created_at_id" to table: "orders"
CREATE INDEX `order_created_at_id` ON `orders` (`created_at`, `id`);
-- Create index "order_user_id_created_at_id" to table: "orders"
CREATE INDEX `order_user_id_created_at_id` ON `orders` (`user_id`, `created_at`, `id`);
-- Create index "order_paid_at" to table: "orders"
CREATE INDEX `order_paid_at` ON `orders` (`paid_at`);
-- Create index "order_expires_at" to table: "orders"
CREATE INDEX `order_expires_at` ON `orders` (`expires_at`) WHERE status = 'pending';
-- Create "payments" table
CREATE TABLE `payments` (
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
  CONSTRAINT `payments_refunds_most` CHECK (amount_refunded <= amount)
);
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
-- Create "posts" table
CREATE TABLE `posts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `title` text NOT NULL,
  `content` text NOT NULL,
  `published` bool NOT NULL DEFAULT false,
  `published_at` datetime NULL,
  `archived_at` datetime NULL,
  `likes_count` integer NOT NULL DEFAULT 0,
  `shares_count` integer NOT NULL DEFAULT 0,
  `title_fold` text NULL,
  `content_fold` text NULL,
  `category_id` integer NULL,
  `author_id` integer NOT NULL,
  CONSTRAINT `posts_users_posts` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `posts_categories_posts` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON UPDATE NO ACTION ON DELETE SET NULL,
  CONSTRAINT `posts_published_at` CHECK (published = (published_at IS NOT NULL))
);
-- Create index "post_created_at_id" to table: "posts"
CREATE INDEX `post_created_at_id` ON `posts` (`created_at`, `id`);
-- Create index "post_deleted_at" to table: "posts"
CREATE INDEX `post_deleted_at` ON `posts` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "post_author_id_created_at_id" to table: "posts"
CREATE INDEX `post_author_id_created_at_id` ON `posts` (`author_id`, `created_at`, `id`);
-- Create index "post_category_id_created_at_id" to table: "posts"
CREATE INDEX `post_category_id_created_at_id` ON `posts` (`category_id`, `created_at`, `id`);
-- Create index "post_author_id_published_at_id" to table: "posts"
CREATE INDEX `post_author_id_published_at_id` ON `posts` (`author_id`, `published_at`, `id`) WHERE published AND archived_at IS NULL AND deleted_at IS NULL;
-- Create "products" table
CREATE TABLE `products` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `name` text NOT NULL,
  `description` text NOT NULL DEFAULT '',
  `category` text NULL,
  `price` integer NOT NULL,
  `currency` text NOT NULL DEFAULT 'USD',
  `stock` integer NULL,
  `in_stock` bool NOT NULL DEFAULT true,
  `tags` json NOT NULL,
  `reviews_count` integer NOT NULL DEFAULT 0,
  `rating_sum` integer NOT NULL DEFAULT 0,
  `rating` real NULL,
  `name_fold` text NULL,
  `description_fold` text NULL,
  CONSTRAINT `products_in_stock` CHECK (in_stock = (stock > 0)),
  CONSTRAINT `products_price` CHECK (price >= 0),
  CONSTRAINT `products_stock` CHECK (stock >= 0)
);
-- Create index "product_created_at_id" to table: "products"
CREATE INDEX `product_created_at_id` ON `products` (`created_at`, `id`);
-- Create index "product_deleted_at" to table: "products"
CREATE INDEX `product_deleted_at` ON `products` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "product_category_created_at_id" to table: "products"
CREATE INDEX `product_category_created_at_id` ON `products` (`category`, `created_at`, `id`);
-- Create index "product_price_id" to table: "products"
CREATE INDEX `product_price_id` ON `products` (`price`, `id`);
-- Create index "product_tags" to table: "products"
CREATE INDEX `product_tags` ON `products` (`tags`);
-- Create "profiles" table
CREATE TABLE `profiles` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `bio` text NULL,
  `avatar` text NULL,
  `website` text NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `profiles_users_profile` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "profiles_user_id_key" to table: "profiles"
CREATE UNIQUE INDEX `profiles_user_id_key` ON `profiles` (`user_id`);
-- Create "recovery_codes" table
CREATE TABLE `recovery_codes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `code_hash` blob NOT NULL,
  `used_at` datetime NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `recovery_codes_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "recoverycode_user_id_code_hash" to table: "recovery_codes"
CREATE UNIQUE INDEX `recoverycode_user_id_code_hash` ON `recovery_codes` (`user_id`, `code_hash`);
-- Create "refresh_families" table
CREATE TABLE `refresh_families` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `sid` text NOT NULL,
  `counter` integer NOT NULL DEFAULT 0,
  `rotated_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `revoked_at` datetime NULL,
  `revoked_for` text NULL,
  `user_agent` text NOT NULL DEFAULT '',
  `address` text NOT NULL DEFAULT '',
  `user_id` integer NOT NULL,
  CONSTRAINT `refresh_families_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "refresh_families_sid_key" to table: "refresh_families"
CREATE UNIQUE INDEX `refresh_families_sid_key` ON `refresh_families` (`sid`);
-- Create index "refreshfamily_user_id" to table: "refresh_families"
CREATE INDEX `refreshfamily_user_id` ON `refresh_families` (`user_id`);
-- Create index "refreshfamily_expires_at" to table: "refresh_families"
CREATE INDEX `refreshfamily_expires_at` ON `refresh_families` (`expires_at`);
-- Create "refunds" table
CREATE TABLE `refunds` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `status` text NOT NULL DEFAULT 'processing',
  `amount` integer NOT NULL,
  `currency` text NOT NULL,
  `reason` text NULL,
  `gateway_reference` text NULL,
  `failure` text NULL,
  `refunded_at` datetime NULL,
  `payment_id` integer NOT NULL,
  CONSTRAINT `refunds_payments_refunds` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON UPDATE NO ACTION ON DELETE RESTRICT,
  CONSTRAINT `refunds_amount` CHECK (amount > 0)
);
-- Create index "refund_created_at_id" to table: "refunds"
CREATE INDEX `refund_created_at_id` ON `refunds` (`created_at`, `id`);
-- Create index "refund_payment_id_created_at_id" to table: "refunds"
CREATE INDEX `refund_payment_id_created_at_id` ON `refunds` (`payment_id`, `created_at`, `id`);
-- Create index "refund_refunded_at" to table: "refunds"
CREATE INDEX `refund_refunded_at` ON `refunds` (`refunded_at`);
-- Create index "refund_updated_at" to table: "refunds"
CREATE INDEX `refund_updated_at` ON `refunds` (`updated_at`) WHERE status = 'processing';
-- Create "reset_tokens" table
CREATE TABLE `reset_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `token_hash` blob NOT NULL,
  `expires_at` datetime NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `reset_tokens_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "reset_tokens_token_hash_key" to table: "reset_tokens"
CREATE UNIQUE INDEX `reset_tokens_token_hash_key` ON `reset_tokens` (`token_hash`);
-- Create index "resettoken_user_id" to table: "reset_tokens"
CREATE INDEX `resettoken_user_id` ON `reset_tokens` (`user_id`);
-- Create index "resettoken_expires_at" to table: "reset_tokens"
CREATE INDEX `resettoken_expires_at` ON `reset_tokens` (`expires_at`);
-- Create "reviews" table
CREATE TABLE `reviews` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `rating` integer NOT NULL,
  `text` text NOT NULL DEFAULT '',
  `product_id` integer NOT NULL,
  `author_id` integer NOT NULL,
  CONSTRAINT `reviews_users_reviews` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `reviews_products_reviews` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `reviews_rating_least` CHECK (rating >= 1),
  CONSTRAINT `reviews_rating_most` CHECK (rating <= 5)
);
-- Create index "review_created_at_id" to table: "reviews"
CREATE INDEX `review_created_at_id` ON `reviews` (`created_at`, `id`);
-- Create index "review_deleted_at" to table: "reviews"
CREATE INDEX `review_deleted_at` ON `reviews` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "review_product_id_created_at_id" to table: "reviews"
CREATE INDEX `review_product_id_created_at_id` ON `reviews` (`product_id`, `created_at`, `id`);
-- Create index "review_author_id_created_at_id" to table: "reviews"
CREATE INDEX `review_author_id_created_at_id` ON `reviews` (`author_id`, `created_at`, `id`);
-- Create index "review_product_id_author_id" to table: "reviews"
CREATE UNIQUE INDEX `review_product_id_author_id` ON `reviews` (`product_id`, `author_id`) WHERE deleted_at IS NULL;
-- Create "sequences" table
CREATE TABLE `sequences` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `name` text NOT NULL,
  `value` integer NOT NULL DEFAULT 0
);
-- Create index "sequences_name_key" to table: "sequences"
CREATE UNIQUE INDEX `sequences_name_key` ON `sequences` (`name`);
-- Create "sessions" table
CREATE TABLE `sessions` (
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
  CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "sessions_sid_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_sid_key` ON `sessions` (`sid`);
-- Create index "session_secret_hash" to table: "sessions"
CREATE UNIQUE INDEX `session_secret_hash` ON `sessions` (`secret_hash`);
-- Create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- Create "shares" table
CREATE TABLE `shares` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `post_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `shares_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `shares_posts_shares` FOREIGN KEY (`post_id`) REFERENCES `posts` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "share_post_id_created_at_id" to table: "shares"
CREATE INDEX `share_post_id_created_at_id` ON `shares` (`post_id`, `created_at`, `id`);
-- Create index "share_user_id" to table: "shares"
CREATE INDEX `share_user_id` ON `shares` (`user_id`);
-- Create "users" table
CREATE TABLE `users` (
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
  `email_fold` text NULL
);
-- Create index "user_created_at_id" to table: "users"
CREATE INDEX `user_created_at_id` ON `users` (`created_at`, `id`);
-- Create index "user_deleted_at" to table: "users"
CREATE INDEX `user_deleted_at` ON `users` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "user_email_fold" to table: "users"
CREATE UNIQUE INDEX `user_email_fold` ON `users` (`email_fold`);
-- Make event_comment_created_on_insert
CREATE TRIGGER "event_comment_created_on_insert" AFTER INSERT ON "comments" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'comment.created', 'Comment', NEW."id", NEW."post_id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_comment_deleted_on_update
CREATE TRIGGER "event_comment_deleted_on_update" AFTER UPDATE ON "comments" FOR EACH ROW WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'comment.deleted', 'Comment', NEW."id", NEW."post_id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_comment_deleted_on_delete
CREATE TRIGGER "event_comment_deleted_on_delete" AFTER DELETE ON "comments" FOR EACH ROW WHEN OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'comment.deleted', 'Comment', OLD."id", OLD."post_id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
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
-- Make event_post_published_on_insert
CREATE TRIGGER "event_post_published_on_insert" AFTER INSERT ON "posts" FOR EACH ROW WHEN NEW.published BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.published', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_published_on_update
CREATE TRIGGER "event_post_published_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN NEW.published AND NOT OLD.published BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.published', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_deleted_on_update
CREATE TRIGGER "event_post_deleted_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.deleted', 'Post', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_post_deleted_on_delete
CREATE TRIGGER "event_post_deleted_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'post.deleted', 'Post', OLD."id", OLD."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
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
-- Make tally_posts_on_insert
CREATE TRIGGER "tally_posts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW WHEN NEW."category_id" IS NOT NULL AND (NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL) BEGIN
	UPDATE "categories" SET "posts_count" = "posts_count" + CASE WHEN NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = NEW."category_id";
END;
-- Make tally_posts_on_update
CREATE TRIGGER "tally_posts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN (CASE WHEN OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL THEN 1 ELSE 0 END) <> (CASE WHEN NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL THEN 1 ELSE 0 END) OR OLD."category_id" IS DISTINCT FROM NEW."category_id" BEGIN
	UPDATE "categories" SET "posts_count" = "posts_count" - CASE WHEN OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = OLD."category_id";
	UPDATE "categories" SET "posts_count" = "posts_count" + CASE WHEN NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = NEW."category_id";
END;
-- Make tally_posts_on_delete
CREATE TRIGGER "tally_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW WHEN OLD."category_id" IS NOT NULL AND (OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL) BEGIN
	UPDATE "categories" SET "posts_count" = "posts_count" - CASE WHEN OLD.published AND OLD.archived_at IS NULL AND OLD.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = OLD."category_id";
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
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id";
END;
-- Make tally_likes_on_update
CREATE TRIGGER "tally_likes_on_update" AFTER UPDATE ON "likes" FOR EACH ROW WHEN OLD."post_id" IS DISTINCT FROM NEW."post_id" BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id";
	UPDATE "posts" SET "likes_count" = "likes_count" + 1 WHERE "id" = NEW."post_id";
END;
-- Make tally_likes_on_delete
CREATE TRIGGER "tally_likes_on_delete" AFTER DELETE ON "likes" FOR EACH ROW BEGIN
	UPDATE "posts" SET "likes_count" = "likes_count" - 1 WHERE "id" = OLD."post_id";
END;
-- Make tally_shares_on_insert
CREATE TRIGGER "tally_shares_on_insert" AFTER INSERT ON "shares" FOR EACH ROW BEGIN
	UPDATE "posts" SET "shares_count" = "shares_count" + 1 WHERE "id" = NEW."post_id";
END;
-- Make tally_shares_on_update
CREATE TRIGGER "tally_shares_on_update" AFTER UPDATE ON "shares" FOR EACH ROW WHEN OLD."post_id" IS DISTINCT FROM NEW."post_id" BEGIN
	UPDATE "posts" SET "shares_count" = "shares_count" - 1 WHERE "id" = OLD."post_id";
	UPDATE "posts" SET "shares_count" = "shares_count" + 1 WHERE "id" = NEW."post_id";
END;
-- Make tally_shares_on_delete
CREATE TRIGGER "tally_shares_on_delete" AFTER DELETE ON "shares" FOR EACH ROW BEGIN
	UPDATE "posts" SET "shares_count" = "shares_count" - 1 WHERE "id" = OLD."post_id";
END;
-- Make tally_reviews_on_insert
CREATE TRIGGER "tally_reviews_on_insert" AFTER INSERT ON "reviews" FOR EACH ROW WHEN (NEW.deleted_at IS NULL) BEGIN
	UPDATE "products" SET "reviews_count" = "reviews_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END, "rating_sum" = "rating_sum" + CASE WHEN NEW.deleted_at IS NULL THEN NEW."rating" ELSE 0 END, "rating" = CASE WHEN "reviews_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END > 0 THEN CAST("rating_sum" + CASE WHEN NEW.deleted_at IS NULL THEN NEW."rating" ELSE 0 END AS double precision) / ("reviews_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END) END WHERE "id" = NEW."product_id";
END;
-- Make tally_reviews_on_update
CREATE TRIGGER "tally_reviews_on_update" AFTER UPDATE ON "reviews" FOR EACH ROW WHEN (CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END) <> (CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END) OR (CASE WHEN OLD.deleted_at IS NULL THEN OLD."rating" ELSE 0 END) <> (CASE WHEN NEW.deleted_at IS NULL THEN NEW."rating" ELSE 0 END) OR OLD."product_id" IS DISTINCT FROM NEW."product_id" BEGIN
	UPDATE "products" SET "reviews_count" = "reviews_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END, "rating_sum" = "rating_sum" - CASE WHEN OLD.deleted_at IS NULL THEN OLD."rating" ELSE 0 END, "rating" = CASE WHEN "reviews_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END > 0 THEN CAST("rating_sum" - CASE WHEN OLD.deleted_at IS NULL THEN OLD."rating" ELSE 0 END AS double precision) / ("reviews_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END) END WHERE "id" = OLD."product_id";
	UPDATE "products" SET "reviews_count" = "reviews_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END, "rating_sum" = "rating_sum" + CASE WHEN NEW.deleted_at IS NULL THEN NEW."rating" ELSE 0 END, "rating" = CASE WHEN "reviews_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END > 0 THEN CAST("rating_sum" + CASE WHEN NEW.deleted_at IS NULL THEN NEW."rating" ELSE 0 END AS double precision) / ("reviews_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END) END WHERE "id" = NEW."product_id";
END;
-- Make tally_reviews_on_delete
CREATE TRIGGER "tally_reviews_on_delete" AFTER DELETE ON "reviews" FOR EACH ROW WHEN (OLD.deleted_at IS NULL) BEGIN
	UPDATE "products" SET "reviews_count" = "reviews_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END, "rating_sum" = "rating_sum" - CASE WHEN OLD.deleted_at IS NULL THEN OLD."rating" ELSE 0 END, "rating" = CASE WHEN "reviews_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END > 0 THEN CAST("rating_sum" - CASE WHEN OLD.deleted_at IS NULL THEN OLD."rating" ELSE 0 END AS double precision) / ("reviews_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END) END WHERE "id" = OLD."product_id";
END;
-- Make tally_follows_on_insert
CREATE TRIGGER "tally_follows_on_insert" AFTER INSERT ON "follows" FOR EACH ROW BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id";
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id";
END;
-- Make tally_follows_on_update
CREATE TRIGGER "tally_follows_on_update" AFTER UPDATE ON "follows" FOR EACH ROW WHEN OLD."followee_id" IS DISTINCT FROM NEW."followee_id" OR OLD."follower_id" IS DISTINCT FROM NEW."follower_id" BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id";
	UPDATE "users" SET "followers_count" = "followers_count" + 1 WHERE "id" = NEW."followee_id";
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id";
	UPDATE "users" SET "following_count" = "following_count" + 1 WHERE "id" = NEW."follower_id";
END;
-- Make tally_follows_on_delete
CREATE TRIGGER "tally_follows_on_delete" AFTER DELETE ON "follows" FOR EACH ROW BEGIN
	UPDATE "users" SET "followers_count" = "followers_count" - 1 WHERE "id" = OLD."followee_id";
	UPDATE "users" SET "following_count" = "following_count" - 1 WHERE "id" = OLD."follower_id";
END;
-- Make forget_invoices_user_id
CREATE TRIGGER "forget_invoices_user_id" AFTER UPDATE ON "invoices" FOR EACH ROW WHEN OLD."user_id" IS NOT NULL AND NEW."user_id" IS NULL BEGIN
	UPDATE "invoices" SET "customer_name" = 'removed customer', "customer_email" = '' WHERE "id" = NEW."id";
END;
