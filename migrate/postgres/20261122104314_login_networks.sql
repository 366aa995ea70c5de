-- Modify "login_failures" table
ALTER TABLE "login_failures" ADD COLUMN "site" character varying NOT NULL DEFAULT '' COLLATE "C", ADD COLUMN "judged" boolean NOT NULL DEFAULT false;
-- Create index "loginfailure_address_created_at" to table: "login_failures"
CREATE INDEX "loginfailure_address_created_at" ON "login_failures" ("address", "created_at");
-- Create index "loginfailure_site_created_at" to table: "login_failures"
CREATE INDEX "loginfailure_site_created_at" ON "login_failures" ("site", "created_at");
