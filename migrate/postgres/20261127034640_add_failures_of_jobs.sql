-- add_failures_of_jobs, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_failures_of_jobs.

-- Modify "jobs" table
ALTER TABLE "jobs" ADD COLUMN "failures" jsonb NULL;
