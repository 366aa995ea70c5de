-- find_jobs_and_changes_of_a_row, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase find_jobs_and_changes_of_a_row.
-- Each statement takes effect on its own. What was interrupted goes on.
-- atlas:txmode none

-- Create index "change_entity_entity_id_entity_text_xid_id" to table: "changes"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "change_entity_entity_id_entity_text_xid_id" ON "changes" ("entity", "entity_id", "entity_text", "xid", "id");
-- Create index "job_by_kind" to table: "jobs"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "job_by_kind" ON "jobs" ("kind", "created_at", "id");
-- Create index "job_by_status" to table: "jobs"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "job_by_status" ON "jobs" ("status", "created_at", "id");
-- Create index "job_subject_created_at_id" to table: "jobs"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "job_subject_created_at_id" ON "jobs" ("subject", "created_at", "id") WHERE (subject IS NOT NULL);
-- Create index "post_by_published" to table: "posts"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "post_by_published" ON "posts" ("published", "created_at", "id", "deleted_at") WHERE (deleted_at IS NULL);
