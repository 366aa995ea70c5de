-- Add column "site" to table: "login_failures"
ALTER TABLE `login_failures` ADD COLUMN `site` text NOT NULL DEFAULT '';
-- Add column "judged" to table: "login_failures"
ALTER TABLE `login_failures` ADD COLUMN `judged` bool NOT NULL DEFAULT false;
-- Create index "loginfailure_address_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_address_created_at` ON `login_failures` (`address`, `created_at`);
-- Create index "loginfailure_site_created_at" to table: "login_failures"
CREATE INDEX `loginfailure_site_created_at` ON `login_failures` (`site`, `created_at`);
