-- find_jobs_and_changes_of_a_row, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase find_jobs_and_changes_of_a_row.

-- Modify "jobs" table
ALTER TABLE "jobs" ADD COLUMN "subject" character varying NULL COLLATE "C";
