-- Create "trusted_documents" table
CREATE TABLE `trusted_documents` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `key` text NOT NULL,
  `text` text NOT NULL,
  `text_hash` blob NOT NULL
);
-- Create index "trusted_documents_key_key" to table: "trusted_documents"
CREATE UNIQUE INDEX `trusted_documents_key_key` ON `trusted_documents` (`key`);
-- Create index "trusteddocument_text_hash" to table: "trusted_documents"
CREATE INDEX `trusteddocument_text_hash` ON `trusted_documents` (`text_hash`);
