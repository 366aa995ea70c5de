-- Modify "jobs" table
ALTER TABLE "jobs" ADD COLUMN "result_url" character varying NULL COLLATE "C";
