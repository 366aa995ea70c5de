-- verified_emails, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase verified_emails.

-- Add column "totp_enabled_at" to table: "credentials"
ALTER TABLE `credentials` ADD COLUMN `totp_enabled_at` datetime NULL;
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
-- Make stamp_verification_tokens_revoked_at
CREATE TRIGGER "stamp_verification_tokens_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL OR OLD.email_fold <> OLD.email_fold) BEGIN
	UPDATE "verification_tokens" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
