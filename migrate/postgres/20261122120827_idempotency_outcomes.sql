-- atlas:nolint DS103

-- What was kept was the answer itself, with whatever the caller could see at the
-- time. Now it is the row, which is read again. Answers that are kept are taken
-- away: a repetition of their requests has no second effect still, and is told
-- that it was carried out (409).
UPDATE "idempotency_records" SET "body" = NULL WHERE "body" IS NOT NULL;
-- Modify "idempotency_records" table
ALTER TABLE "idempotency_records" DROP COLUMN "headers", ADD COLUMN "caller" character varying NOT NULL DEFAULT '' COLLATE "C", ADD COLUMN "entity" character varying NULL COLLATE "C", ADD COLUMN "row_id" bigint NULL, ADD COLUMN "view" bytea NULL, ADD COLUMN "size" bigint NOT NULL DEFAULT 0;
-- Create index "idempotencyrecord_caller_expires_at_size" to table: "idempotency_records"
CREATE INDEX "idempotencyrecord_caller_expires_at_size" ON "idempotency_records" ("caller", "expires_at", "size");
