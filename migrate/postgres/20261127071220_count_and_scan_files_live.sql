-- count_and_scan_files, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase count_and_scan_files.
-- Each statement takes effect on its own. What was interrupted goes on.
-- atlas:txmode none

-- Create index "blob_tenant" to table: "blobs"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "blob_tenant" ON "blobs" ("tenant") WHERE (tenant IS NOT NULL);
-- Create index "file_scanned_at_created_at" to table: "files"
CREATE INDEX CONCURRENTLY IF NOT EXISTS "file_scanned_at_created_at" ON "files" ("scanned_at", "created_at") WHERE ((scanned_at IS NULL) AND (original_id IS NULL));
