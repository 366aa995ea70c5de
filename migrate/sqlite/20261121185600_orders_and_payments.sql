-- Add column "request_key" to table: "payments"
ALTER TABLE `payments` ADD COLUMN `request_key` text NULL;
-- Create index "payments_request_key_key" to table: "payments"
CREATE UNIQUE INDEX `payments_request_key_key` ON `payments` (`request_key`);
-- Add column "restock" to table: "refunds"
ALTER TABLE `refunds` ADD COLUMN `restock` bool NOT NULL DEFAULT false;
-- Add column "request_key" to table: "refunds"
ALTER TABLE `refunds` ADD COLUMN `request_key` text NULL;
-- Create index "refunds_request_key_key" to table: "refunds"
CREATE UNIQUE INDEX `refunds_request_key_key` ON `refunds` (`request_key`);
-- Create "sandbox_charges" table
CREATE TABLE `sandbox_charges` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `idempotency_key` text NOT NULL,
  `charge_key` text NULL,
  `amount` integer NOT NULL,
  `currency` text NOT NULL,
  `status` text NOT NULL,
  `reason` text NOT NULL DEFAULT '',
  `settles_at` datetime NOT NULL,
  CONSTRAINT `sandbox_charges_amount` CHECK (amount >= 0)
);
-- Create index "sandbox_charges_idempotency_key_key" to table: "sandbox_charges"
CREATE UNIQUE INDEX `sandbox_charges_idempotency_key_key` ON `sandbox_charges` (`idempotency_key`);
-- Create index "sandboxcharge_charge_key" to table: "sandbox_charges"
CREATE INDEX `sandboxcharge_charge_key` ON `sandbox_charges` (`charge_key`);
