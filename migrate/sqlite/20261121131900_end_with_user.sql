-- Make stamp_refresh_families_revoked_at
CREATE TRIGGER "stamp_refresh_families_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL) BEGIN
	UPDATE "refresh_families" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
-- Make stamp_sessions_revoked_at
CREATE TRIGGER "stamp_sessions_revoked_at" AFTER UPDATE ON "users" FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) AND NOT (NOT OLD.is_active OR OLD.deleted_at IS NOT NULL) BEGIN
	UPDATE "sessions" SET "revoked_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now') WHERE "user_id" = NEW."id" AND "revoked_at" IS NULL;
END;
