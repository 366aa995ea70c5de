-- first, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase first.

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
-- Create "idempotency_records" table
CREATE TABLE `idempotency_records` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `key_hash` blob NOT NULL,
  `fingerprint` blob NOT NULL,
  `caller` text NOT NULL DEFAULT '',
  `status` integer NULL,
  `entity` text NULL,
  `row_id` integer NULL,
  `body` blob NULL,
  `view` blob NULL,
  `size` integer NOT NULL DEFAULT 0,
  `expires_at` datetime NOT NULL
);
-- Create index "idempotency_records_key_hash_key" to table: "idempotency_records"
CREATE UNIQUE INDEX `idempotency_records_key_hash_key` ON `idempotency_records` (`key_hash`);
-- Create index "idempotencyrecord_expires_at" to table: "idempotency_records"
CREATE INDEX `idempotencyrecord_expires_at` ON `idempotency_records` (`expires_at`);
-- Create index "idempotencyrecord_caller_expires_at_size" to table: "idempotency_records"
CREATE INDEX `idempotencyrecord_caller_expires_at_size` ON `idempotency_records` (`caller`, `expires_at`, `size`);
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
  `result_url` text NULL,
  `result_type` text NULL,
  `result_name` text NULL,
  `result_size` integer NULL,
  `result_until` datetime NULL,
  `user_id` integer NULL,
  `key_id` integer NULL,
  CONSTRAINT `jobs_status_values` CHECK ("status" IN ('queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'))
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
-- Create "notes" table
CREATE TABLE `notes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `title` text NOT NULL,
  `text` text NOT NULL,
  `done` bool NOT NULL DEFAULT false,
  `user_id` integer NULL,
  CONSTRAINT `notes_users_notes` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "note_created_at_id" to table: "notes"
CREATE INDEX `note_created_at_id` ON `notes` (`created_at`, `id`);
-- Create index "note_user_id_created_at_id" to table: "notes"
CREATE INDEX `note_user_id_created_at_id` ON `notes` (`user_id`, `created_at`, `id`);
-- Create index "note_by_title" to table: "notes"
CREATE INDEX `note_by_title` ON `notes` (`title`, `created_at`, `id`);
-- Create "trusted_documents" table
CREATE TABLE `trusted_documents` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `key` text NOT NULL,
  `text` text NOT NULL,
  `text_hash` blob NOT NULL
);
-- Create index "trusted_documents_key_key" to table: "trusted_documents"
CREATE UNIQUE INDEX `trusted_documents_key_key` ON `trusted_documents` (`key`);
-- Create index "trusteddocument_text_hash" to table: "trusted_documents"
CREATE INDEX `trusteddocument_text_hash` ON `trusted_documents` (`text_hash`);
-- Create "users" table
CREATE TABLE `users` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `name` text NOT NULL
);
-- Create index "user_created_at_id" to table: "users"
CREATE INDEX `user_created_at_id` ON `users` (`created_at`, `id`);
-- Create index "user_by_name" to table: "users"
CREATE INDEX `user_by_name` ON `users` (`name`, `created_at`, `id`);
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
-- Make event_note_written_on_insert
CREATE TRIGGER "event_note_written_on_insert" AFTER INSERT ON "notes" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'note.written', 'Note', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
