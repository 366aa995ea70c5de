-- notes, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase notes.

-- Make recounts
CREATE TABLE "recounts" ("keepers" text NOT NULL, "keeper" bigint NOT NULL, "relation" text NOT NULL,
	"place" bigint NOT NULL, "away" boolean NOT NULL, "steps" bigint NOT NULL, PRIMARY KEY ("keepers", "keeper", "relation"));
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
  `api_version` text NULL,
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
-- Create "credentials" table
CREATE TABLE `credentials` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `password_hash` text NULL,
  `password_changed_at` datetime NULL,
  `totp_secret` blob NULL,
  `totp_enabled` bool NOT NULL DEFAULT false,
  `totp_enabled_at` datetime NULL,
  `totp_last_step` integer NOT NULL DEFAULT 0,
  `totp_pending` blob NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `credentials_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `credentials_totp` CHECK (totp_enabled <= (totp_secret IS NOT NULL))
);
-- Create index "credential_user_id" to table: "credentials"
CREATE UNIQUE INDEX `credential_user_id` ON `credentials` (`user_id`);
-- Create "deprecated_uses" table
CREATE TABLE `deprecated_uses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `identity` text NOT NULL,
  `day` text NOT NULL,
  `kind` text NOT NULL,
  `name` text NOT NULL,
  `api_key_id` integer NULL,
  `user_id` integer NULL,
  `agent` text NOT NULL,
  `requests` integer NOT NULL DEFAULT 0,
  CONSTRAINT `deprecated_uses_kind_values` CHECK ("kind" IN ('version', 'operation', 'field'))
);
-- Create index "deprecated_uses_identity_key" to table: "deprecated_uses"
CREATE UNIQUE INDEX `deprecated_uses_identity_key` ON `deprecated_uses` (`identity`);
-- Create index "deprecateduse_created_at_id" to table: "deprecated_uses"
CREATE INDEX `deprecateduse_created_at_id` ON `deprecated_uses` (`created_at`, `id`);
-- Create index "deprecateduse_day_id" to table: "deprecated_uses"
CREATE INDEX `deprecateduse_day_id` ON `deprecated_uses` (`day`, `id`);
-- Create "email_changes" table
CREATE TABLE `email_changes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `old_email` text NOT NULL,
  `seed` blob NOT NULL,
  `token_hash` blob NOT NULL,
  `expires_at` datetime NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `email_changes_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "email_changes_token_hash_key" to table: "email_changes"
CREATE UNIQUE INDEX `email_changes_token_hash_key` ON `email_changes` (`token_hash`);
-- Create index "emailchange_user_id" to table: "email_changes"
CREATE INDEX `emailchange_user_id` ON `email_changes` (`user_id`);
-- Create index "emailchange_expires_at" to table: "email_changes"
CREATE INDEX `emailchange_expires_at` ON `email_changes` (`expires_at`);
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
  `attachments` json NULL,
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
  `entity_text` text NULL,
  `key` integer NOT NULL,
  `key_text` text NULL,
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
  `failures` json NULL,
  `run_at` datetime NOT NULL,
  `started_at` datetime NULL,
  `finished_at` datetime NULL,
  `args` json NOT NULL,
  `subject` text NULL,
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
  CONSTRAINT `jobs_status_values` CHECK ("status" IN ('queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'))
);
-- Create index "job_created_at_id" to table: "jobs"
CREATE INDEX `job_created_at_id` ON `jobs` (`created_at`, `id`);
-- Create index "job_user_id_created_at_id" to table: "jobs"
CREATE INDEX `job_user_id_created_at_id` ON `jobs` (`user_id`, `created_at`, `id`);
-- Create index "job_key_id" to table: "jobs"
CREATE INDEX `job_key_id` ON `jobs` (`key_id`);
-- Create index "job_subject_created_at_id" to table: "jobs"
CREATE INDEX `job_subject_created_at_id` ON `jobs` (`subject`, `created_at`, `id`) WHERE subject IS NOT NULL;
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
-- Create index "job_by_kind" to table: "jobs"
CREATE INDEX `job_by_kind` ON `jobs` (`kind`, `created_at`, `id`);
-- Create index "job_by_status" to table: "jobs"
CREATE INDEX `job_by_status` ON `jobs` (`status`, `created_at`, `id`);
-- Create "login_failures" table
CREATE TABLE `login_failures` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `account_hash` blob NOT NULL,
  `address` text NOT NULL,
  `site` text NOT NULL DEFAULT '',
  `judged` bool NOT NULL DEFAULT false
);
-- Create index "loginfailure_account_hash_address_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_account_hash_address_created_at` ON `login_failures` (`account_hash`, `address`, `created_at`);
-- Create index "loginfailure_address_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_address_created_at` ON `login_failures` (`address`, `created_at`);
-- Create index "loginfailure_site_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_site_created_at` ON `login_failures` (`site`, `created_at`);
-- Create index "loginfailure_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_created_at` ON `login_failures` (`created_at`);
-- Create "notes" table
CREATE TABLE `notes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `title` text NOT NULL,
  `text` text NOT NULL,
  `published` bool NOT NULL DEFAULT false,
  `remarks_count` integer NOT NULL DEFAULT 0,
  `title_fold` text NULL,
  `text_fold` text NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `notes_users_notes` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "note_created_at_id" to table: "notes"
CREATE INDEX `note_created_at_id` ON `notes` (`created_at`, `id`);
-- Create index "note_deleted_at" to table: "notes"
CREATE INDEX `note_deleted_at` ON `notes` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "note_user_id_created_at_id" to table: "notes"
CREATE INDEX `note_user_id_created_at_id` ON `notes` (`user_id`, `created_at`, `id`);
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
-- Create "remarks" table
CREATE TABLE `remarks` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `text` text NOT NULL,
  `note_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `remarks_users_remarks` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `remarks_notes_remarks` FOREIGN KEY (`note_id`) REFERENCES `notes` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "remark_created_at_id" to table: "remarks"
CREATE INDEX `remark_created_at_id` ON `remarks` (`created_at`, `id`);
-- Create index "remark_deleted_at" to table: "remarks"
CREATE INDEX `remark_deleted_at` ON `remarks` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "remark_note_id_created_at_id" to table: "remarks"
CREATE INDEX `remark_note_id_created_at_id` ON `remarks` (`note_id`, `created_at`, `id`);
-- Create index "remark_user_id_created_at_id" to table: "remarks"
CREATE INDEX `remark_user_id_created_at_id` ON `remarks` (`user_id`, `created_at`, `id`);
-- Create "reset_tokens" table
CREATE TABLE `reset_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `token_hash` blob NOT NULL,
  `expires_at` datetime NOT NULL,
  `revoked_at` datetime NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `reset_tokens_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "reset_tokens_token_hash_key" to table: "reset_tokens"
CREATE UNIQUE INDEX `reset_tokens_token_hash_key` ON `reset_tokens` (`token_hash`);
-- Create index "resettoken_user_id" to table: "reset_tokens"
CREATE INDEX `resettoken_user_id` ON `reset_tokens` (`user_id`);
-- Create index "resettoken_expires_at" to table: "reset_tokens"
CREATE INDEX `resettoken_expires_at` ON `reset_tokens` (`expires_at`);
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
  CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `sessions_mode_values` CHECK ("mode" IN ('session', 'cookie'))
);
-- Create index "sessions_sid_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_sid_key` ON `sessions` (`sid`);
-- Create index "session_secret_hash" to table: "sessions"
CREATE UNIQUE INDEX `session_secret_hash` ON `sessions` (`secret_hash`);
-- Create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
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
  `deleted_at` datetime NULL,
  `deleted_with` integer NULL,
  `name` text NOT NULL,
  `email` text NOT NULL,
  `role` text NOT NULL DEFAULT 'user',
  `is_active` bool NOT NULL DEFAULT true,
  `name_fold` text NULL,
  `email_fold` text NULL,
  CONSTRAINT `users_role_values` CHECK ("role" IN ('user', 'editor', 'moderator', 'admin'))
);
-- Create index "user_created_at_id" to table: "users"
CREATE INDEX `user_created_at_id` ON `users` (`created_at`, `id`);
-- Create index "user_deleted_at" to table: "users"
CREATE INDEX `user_deleted_at` ON `users` (`deleted_at`) WHERE deleted_at IS NOT NULL;
-- Create index "user_email_fold" to table: "users"
CREATE UNIQUE INDEX `user_email_fold` ON `users` (`email_fold`);
-- Create index "user_by_name" to table: "users"
CREATE INDEX `user_by_name` ON `users` (`name`, `id`, `deleted_at`) WHERE deleted_at IS NULL;
-- Create index "user_by_email" to table: "users"
CREATE INDEX `user_by_email` ON `users` (`email`, `id`, `deleted_at`) WHERE deleted_at IS NULL;
-- Create index "user_by_role" to table: "users"
CREATE INDEX `user_by_role` ON `users` (`role`, `id`, `deleted_at`) WHERE deleted_at IS NULL;
-- Create "verification_tokens" table
CREATE TABLE `verification_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `token_hash` blob NOT NULL,
  `expires_at` datetime NOT NULL,
  `revoked_at` datetime NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `verification_tokens_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "verification_tokens_token_hash_key" to table: "verification_tokens"
CREATE UNIQUE INDEX `verification_tokens_token_hash_key` ON `verification_tokens` (`token_hash`);
-- Create index "verificationtoken_user_id" to table: "verification_tokens"
CREATE INDEX `verificationtoken_user_id` ON `verification_tokens` (`user_id`);
-- Create index "verificationtoken_expires_at" to table: "verification_tokens"
CREATE INDEX `verificationtoken_expires_at` ON `verification_tokens` (`expires_at`);
-- Create "verified_emails" table
CREATE TABLE `verified_emails` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `address` text NOT NULL,
  `proof` text NOT NULL,
  `verified_at` datetime NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `verified_emails_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
  CONSTRAINT `verified_emails_proof_values` CHECK ("proof" IN ('mail', 'provider', 'operator'))
);
-- Create index "verifiedemail_user_id" to table: "verified_emails"
CREATE UNIQUE INDEX `verifiedemail_user_id` ON `verified_emails` (`user_id`);
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
-- Make event_note_gone_on_delete
CREATE TRIGGER "event_note_gone_on_delete" AFTER DELETE ON "notes" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'note.gone', 'Note', OLD."id", OLD."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_note_gone_on_update
CREATE TRIGGER "event_note_gone_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "title", "text", "published", "remarks_count", "user_id", "title_fold", "text_fold" ON "notes" FOR EACH ROW WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'note.gone', 'Note', NEW."id", NEW."id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_remark_made_on_insert
CREATE TRIGGER "event_remark_made_on_insert" AFTER INSERT ON "remarks" FOR EACH ROW BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'remark.made', 'Remark', NEW."id", NEW."note_id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_remark_removed_on_update
CREATE TRIGGER "event_remark_removed_on_update" AFTER UPDATE OF "created_at", "updated_at", "deleted_at", "deleted_with", "text", "note_id", "user_id" ON "remarks" FOR EACH ROW WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'remark.removed', 'Remark', NEW."id", NEW."note_id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make event_remark_removed_on_delete
CREATE TRIGGER "event_remark_removed_on_delete" AFTER DELETE ON "remarks" FOR EACH ROW WHEN OLD.deleted_at IS NULL BEGIN
	INSERT INTO "events" ("xid", "topic", "entity", "entity_id", "key", "payload", "created_at")
	VALUES (0, 'remark.removed', 'Remark', OLD."id", OLD."note_id", NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make cascade_users_on_update
CREATE TRIGGER "cascade_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN (OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL) AND OLD."deleted_with" IS NULL AND NEW."deleted_with" IS NULL BEGIN
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'with_notes', 0, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away", "place" = 0;
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps")
	VALUES ('users', NEW."id", 'with_remarks', 0, NEW."deleted_at" IS NOT NULL, 0)
	ON CONFLICT ("keepers", "keeper", "relation") DO UPDATE SET "away" = excluded."away", "place" = 0;
	UPDATE "recounts" SET "steps" = "steps" + 1 WHERE "keepers" = 'users' AND "keeper" = NEW."id" AND "relation" IN ('with_notes', 'with_remarks');
	INSERT OR IGNORE INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	SELECT 'recount', 'queued', 0, 0, 1000000, json_object('keepers', 'users', 'keeper', NEW."id"), 'bulk', 'users ' || NEW."id", 0, 0, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE EXISTS (SELECT 1 FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."id" AND "relation" IN ('with_notes', 'with_remarks'));
END;
-- Make recount_with_notes
CREATE TRIGGER "recount_with_notes" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN NEW."keepers" = 'users' AND NEW."relation" = 'with_notes' BEGIN
	UPDATE "notes" SET "deleted_at" = (SELECT "deleted_at" FROM "users" WHERE "id" = NEW."keeper"), "deleted_with" = NEW."keeper", "updated_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "id" IN (SELECT "id" FROM "notes" WHERE "user_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "notes" AS "reached" WHERE "reached"."id" = NEW."place"), ''), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_at" IS NULL AND NEW."away";
	UPDATE "notes" SET "deleted_at" = NULL, "deleted_with" = NULL, "updated_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "id" IN (SELECT "id" FROM "notes" WHERE "user_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "notes" AS "reached" WHERE "reached"."id" = NEW."place"), ''), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_with" = NEW."keeper" AND NOT (NEW."away");
	UPDATE "recounts" SET "place" = COALESCE((SELECT "id" FROM "notes" WHERE "user_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "notes" AS "reached" WHERE "reached"."id" = NEW."place"), ''), NEW."place") ORDER BY "created_at", "id" LIMIT 1 OFFSET 499), 9223372036854775807) WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_notes';
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_notes' AND "place" = 9223372036854775807;
END;
-- Make recount_with_remarks
CREATE TRIGGER "recount_with_remarks" AFTER UPDATE OF STEPS ON "recounts" FOR EACH ROW WHEN NEW."keepers" = 'users' AND NEW."relation" = 'with_remarks' BEGIN
	UPDATE "remarks" SET "deleted_at" = (SELECT "deleted_at" FROM "users" WHERE "id" = NEW."keeper"), "deleted_with" = NEW."keeper", "updated_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "id" IN (SELECT "id" FROM "remarks" WHERE "user_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "remarks" AS "reached" WHERE "reached"."id" = NEW."place"), ''), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_at" IS NULL AND NEW."away";
	UPDATE "remarks" SET "deleted_at" = NULL, "deleted_with" = NULL, "updated_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "id" IN (SELECT "id" FROM "remarks" WHERE "user_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "remarks" AS "reached" WHERE "reached"."id" = NEW."place"), ''), NEW."place") ORDER BY "created_at", "id" LIMIT 500) AND "deleted_with" = NEW."keeper" AND NOT (NEW."away");
	UPDATE "recounts" SET "place" = COALESCE((SELECT "id" FROM "remarks" WHERE "user_id" = NEW."keeper" AND ("created_at", "id") > (COALESCE((SELECT "reached"."created_at" FROM "remarks" AS "reached" WHERE "reached"."id" = NEW."place"), ''), NEW."place") ORDER BY "created_at", "id" LIMIT 1 OFFSET 499), 9223372036854775807) WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_remarks';
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."keeper" AND "relation" = 'with_remarks' AND "place" = 9223372036854775807;
END;
-- Make remove_notes_on_update
CREATE TRIGGER "remove_notes_on_update" AFTER UPDATE ON "notes" FOR EACH ROW WHEN NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0 BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'notes' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('notes', NEW."id", 'with_', 0, TRUE, 0);
	INSERT OR IGNORE INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_object('keepers', 'notes', 'keeper', NEW."id"), 'bulk', 'notes ' || NEW."id", 0, 0, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make remove_notes_on_delete
CREATE TRIGGER "remove_notes_on_delete" AFTER DELETE ON "notes" FOR EACH ROW WHEN OLD."deleted_with" = 0 BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'notes' AND "keeper" = OLD."id";
END;
-- Make remove_remarks_on_update
CREATE TRIGGER "remove_remarks_on_update" AFTER UPDATE ON "remarks" FOR EACH ROW WHEN NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0 BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'remarks' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('remarks', NEW."id", 'with_', 0, TRUE, 0);
	INSERT OR IGNORE INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_object('keepers', 'remarks', 'keeper', NEW."id"), 'bulk', 'remarks ' || NEW."id", 0, 0, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make remove_remarks_on_delete
CREATE TRIGGER "remove_remarks_on_delete" AFTER DELETE ON "remarks" FOR EACH ROW WHEN OLD."deleted_with" = 0 BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'remarks' AND "keeper" = OLD."id";
END;
-- Make remove_users_on_update
CREATE TRIGGER "remove_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0 BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = NEW."id" AND SUBSTR("relation", 1, 5) = 'with_';
	INSERT INTO "recounts" ("keepers", "keeper", "relation", "place", "away", "steps") VALUES ('users', NEW."id", 'with_', 0, TRUE, 0);
	UPDATE "users" SET "email_fold" = NULL WHERE "id" = NEW."id";
	INSERT OR IGNORE INTO "jobs" ("kind", "status", "progress", "attempts", "max_attempts", "args", "queue", "unique_key",
		"fence", "generation", "run_at", "ring_at", "created_at", "updated_at")
	VALUES ('recount', 'queued', 0, 0, 1000000, json_object('keepers', 'users', 'keeper', NEW."id"), 'bulk', 'users ' || NEW."id", 0, 0, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
-- Make remove_users_on_delete
CREATE TRIGGER "remove_users_on_delete" AFTER DELETE ON "users" FOR EACH ROW WHEN OLD."deleted_with" = 0 BEGIN
	DELETE FROM "recounts" WHERE "keepers" = 'users' AND "keeper" = OLD."id";
END;
-- Make tally_remarks_on_insert
CREATE TRIGGER "tally_remarks_on_insert" AFTER INSERT ON "remarks" FOR EACH ROW WHEN (NEW.deleted_at IS NULL) BEGIN
	UPDATE "notes" SET "remarks_count" = "remarks_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = NEW."note_id";
END;
-- Make tally_remarks_on_update
CREATE TRIGGER "tally_remarks_on_update" AFTER UPDATE ON "remarks" FOR EACH ROW WHEN (CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END) <> (CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END) OR OLD."note_id" IS DISTINCT FROM NEW."note_id" BEGIN
	UPDATE "notes" SET "remarks_count" = "remarks_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = OLD."note_id";
	UPDATE "notes" SET "remarks_count" = "remarks_count" + CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = NEW."note_id";
END;
-- Make tally_remarks_on_delete
CREATE TRIGGER "tally_remarks_on_delete" AFTER DELETE ON "remarks" FOR EACH ROW WHEN (OLD.deleted_at IS NULL) BEGIN
	UPDATE "notes" SET "remarks_count" = "remarks_count" - CASE WHEN OLD.deleted_at IS NULL THEN 1 ELSE 0 END WHERE "id" = OLD."note_id";
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
-- Make stamp_verification_tokens_revoked_at
CREATE TRIGGER "stamp_verification_tokens_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL OR OLD.email_fold <> OLD.email_fold) BEGIN
	UPDATE "verification_tokens" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make version_api_keys
CREATE TRIGGER "version_api_keys" AFTER UPDATE OF "created_at", "updated_at", "version", "client_name", "prefix", "secret_hash", "permissions", "expires_at", "revoked_at", "api_version", "creator_id" ON "api_keys" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "api_keys" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_notes
CREATE TRIGGER "version_notes" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "title", "text", "published", "user_id" ON "notes" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "notes" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_remarks
CREATE TRIGGER "version_remarks" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "text", "note_id", "user_id" ON "remarks" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "remarks" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make version_users
CREATE TRIGGER "version_users" AFTER UPDATE OF "created_at", "updated_at", "version", "deleted_at", "deleted_with", "name", "email", "role", "is_active" ON "users" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "users" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
-- Make search_notes
CREATE VIRTUAL TABLE "search_notes" USING fts5("title_fold", "text_fold", content="notes", content_rowid="id", tokenize='unicode61 remove_diacritics 0', prefix='2 3 4');
INSERT INTO "search_notes" ("search_notes") VALUES ('rebuild');
-- Make search_notes_on_insert
CREATE TRIGGER "search_notes_on_insert" AFTER INSERT ON "notes" FOR EACH ROW BEGIN
	INSERT INTO "search_notes" ("rowid", "title_fold", "text_fold") VALUES (NEW."id", NEW."title_fold", NEW."text_fold");
END;
-- Make search_notes_on_update
CREATE TRIGGER "search_notes_on_update" AFTER UPDATE ON "notes" FOR EACH ROW WHEN OLD."title_fold" IS NOT NEW."title_fold" OR OLD."text_fold" IS NOT NEW."text_fold" BEGIN
	INSERT INTO "search_notes" ("search_notes", "rowid", "title_fold", "text_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."text_fold");
	INSERT INTO "search_notes" ("rowid", "title_fold", "text_fold") VALUES (NEW."id", NEW."title_fold", NEW."text_fold");
END;
-- Make search_notes_on_delete
CREATE TRIGGER "search_notes_on_delete" AFTER DELETE ON "notes" FOR EACH ROW BEGIN
	INSERT INTO "search_notes" ("search_notes", "rowid", "title_fold", "text_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."text_fold");
END;
-- Make search_notes_parts
CREATE VIRTUAL TABLE "search_notes_parts" USING fts5("title_fold", "text_fold", content="notes", content_rowid="id", tokenize='trigram case_sensitive 1', detail=none, columnsize=0);
INSERT INTO "search_notes_parts" ("search_notes_parts") VALUES ('rebuild');
-- Make search_notes_parts_on_insert
CREATE TRIGGER "search_notes_parts_on_insert" AFTER INSERT ON "notes" FOR EACH ROW BEGIN
	INSERT INTO "search_notes_parts" ("rowid", "title_fold", "text_fold") VALUES (NEW."id", NEW."title_fold", NEW."text_fold");
END;
-- Make search_notes_parts_on_update
CREATE TRIGGER "search_notes_parts_on_update" AFTER UPDATE ON "notes" FOR EACH ROW WHEN OLD."title_fold" IS NOT NEW."title_fold" OR OLD."text_fold" IS NOT NEW."text_fold" BEGIN
	INSERT INTO "search_notes_parts" ("search_notes_parts", "rowid", "title_fold", "text_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."text_fold");
	INSERT INTO "search_notes_parts" ("rowid", "title_fold", "text_fold") VALUES (NEW."id", NEW."title_fold", NEW."text_fold");
END;
-- Make search_notes_parts_on_delete
CREATE TRIGGER "search_notes_parts_on_delete" AFTER DELETE ON "notes" FOR EACH ROW BEGIN
	INSERT INTO "search_notes_parts" ("search_notes_parts", "rowid", "title_fold", "text_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."text_fold");
END;
-- Make search_users
CREATE VIRTUAL TABLE "search_users" USING fts5("name_fold", "email_fold", content="users", content_rowid="id", tokenize='unicode61 remove_diacritics 0', prefix='2 3 4');
INSERT INTO "search_users" ("search_users") VALUES ('rebuild');
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
-- Make search_users_parts
CREATE VIRTUAL TABLE "search_users_parts" USING fts5("name_fold", "email_fold", content="users", content_rowid="id", tokenize='trigram case_sensitive 1', detail=none, columnsize=0);
INSERT INTO "search_users_parts" ("search_users_parts") VALUES ('rebuild');
-- Make search_users_parts_on_insert
CREATE TRIGGER "search_users_parts_on_insert" AFTER INSERT ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users_parts" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_parts_on_update
CREATE TRIGGER "search_users_parts_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."email_fold" IS NOT NEW."email_fold" BEGIN
	INSERT INTO "search_users_parts" ("search_users_parts", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
	INSERT INTO "search_users_parts" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_parts_on_delete
CREATE TRIGGER "search_users_parts_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users_parts" ("search_users_parts", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
END;
