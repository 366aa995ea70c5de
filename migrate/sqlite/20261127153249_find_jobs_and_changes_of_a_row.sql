-- find_jobs_and_changes_of_a_row, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase find_jobs_and_changes_of_a_row.

-- Create index "change_entity_entity_id_entity_text_xid_id" to table: "changes"
CREATE INDEX `change_entity_entity_id_entity_text_xid_id` ON `changes` (`entity`, `entity_id`, `entity_text`, `xid`, `id`);
-- Add column "subject" to table: "jobs"
ALTER TABLE `jobs` ADD COLUMN `subject` text NULL;
-- Create index "job_subject_created_at_id" to table: "jobs"
CREATE INDEX `job_subject_created_at_id` ON `jobs` (`subject`, `created_at`, `id`) WHERE subject IS NOT NULL;
-- Create index "job_by_kind" to table: "jobs"
CREATE INDEX `job_by_kind` ON `jobs` (`kind`, `created_at`, `id`);
-- Create index "job_by_status" to table: "jobs"
CREATE INDEX `job_by_status` ON `jobs` (`status`, `created_at`, `id`);
-- Create index "post_by_published" to table: "posts"
CREATE INDEX `post_by_published` ON `posts` (`published`, `created_at`, `id`, `deleted_at`) WHERE deleted_at IS NULL;
