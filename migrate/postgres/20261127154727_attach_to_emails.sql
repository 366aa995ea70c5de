-- attach_to_emails, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase attach_to_emails.

-- Modify "emails" table
ALTER TABLE "emails" ADD COLUMN "attachments" jsonb NULL;
