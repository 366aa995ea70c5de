-- Add column "traceparent" to table: "jobs"
ALTER TABLE `jobs` ADD COLUMN `traceparent` text NULL;
