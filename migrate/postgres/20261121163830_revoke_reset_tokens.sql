-- Modify "reset_tokens" table
ALTER TABLE "reset_tokens" ADD COLUMN "revoked_at" timestamptz NULL;
-- Make stamp_reset_tokens_revoked_at (function)
CREATE OR REPLACE FUNCTION "stamp_reset_tokens_revoked_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "reset_tokens" SET "revoked_at" = now() WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
	RETURN NULL;
END $$;
-- Make stamp_reset_tokens_revoked_at
CREATE TRIGGER "stamp_reset_tokens_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN ((NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL OR OLD.email_fold <> OLD.email_fold)) EXECUTE FUNCTION "stamp_reset_tokens_revoked_at"();
