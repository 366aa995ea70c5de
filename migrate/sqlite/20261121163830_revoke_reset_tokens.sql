-- Add column "revoked_at" to table: "reset_tokens"
ALTER TABLE `reset_tokens` ADD COLUMN `revoked_at` datetime NULL;
-- Make stamp_reset_tokens_revoked_at
CREATE TRIGGER "stamp_reset_tokens_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL OR OLD.email_fold <> OLD.email_fold) BEGIN
	UPDATE "reset_tokens" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
