-- Modify "jobs" table
ALTER TABLE "jobs" ADD COLUMN "traceparent" character varying NULL COLLATE "C";
