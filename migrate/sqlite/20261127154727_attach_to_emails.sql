-- attach_to_emails, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase attach_to_emails.

-- Add column "attachments" to table: "emails"
ALTER TABLE `emails` ADD COLUMN `attachments` json NULL;
