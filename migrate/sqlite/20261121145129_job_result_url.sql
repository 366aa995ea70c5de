-- Add column "result_url" to table: "jobs"
ALTER TABLE `jobs` ADD COLUMN `result_url` text NULL;
