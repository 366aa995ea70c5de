-- atlas:nolint DS103

-- What was kept was the answer itself, with whatever the caller could see at the
-- time. Now it is the row, which is read again. Answers that are kept are taken
-- away: a repetition of their requests has no second effect still, and is told
-- that it was carried out (409).
UPDATE `idempotency_records` SET `body` = NULL WHERE `body` IS NOT NULL;
-- Drop column "headers" from table: "idempotency_records"
ALTER TABLE `idempotency_records` DROP COLUMN `headers`;
-- Add column "caller" to table: "idempotency_records"
ALTER TABLE `idempotency_records` ADD COLUMN `caller` text NOT NULL DEFAULT '';
-- Add column "entity" to table: "idempotency_records"
ALTER TABLE `idempotency_records` ADD COLUMN `entity` text NULL;
-- Add column "row_id" to table: "idempotency_records"
ALTER TABLE `idempotency_records` ADD COLUMN `row_id` integer NULL;
-- Add column "view" to table: "idempotency_records"
ALTER TABLE `idempotency_records` ADD COLUMN `view` blob NULL;
-- Add column "size" to table: "idempotency_records"
ALTER TABLE `idempotency_records` ADD COLUMN `size` integer NOT NULL DEFAULT 0;
-- Create index "idempotencyrecord_caller_expires_at_size" to table: "idempotency_records"
CREATE INDEX `idempotencyrecord_caller_expires_at_size` ON `idempotency_records` (`caller`, `expires_at`, `size`);
