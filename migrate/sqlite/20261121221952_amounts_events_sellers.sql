-- Add column "seller_name" to table: "invoices"
ALTER TABLE `invoices` ADD COLUMN `seller_name` text NOT NULL DEFAULT '';
-- Add column "seller_address" to table: "invoices"
ALTER TABLE `invoices` ADD COLUMN `seller_address` text NOT NULL DEFAULT '';
-- Add column "seller_tax_id" to table: "invoices"
ALTER TABLE `invoices` ADD COLUMN `seller_tax_id` text NOT NULL DEFAULT '';
-- Add column "seller_email" to table: "invoices"
ALTER TABLE `invoices` ADD COLUMN `seller_email` text NOT NULL DEFAULT '';
-- Drop index "product_price_id" from table: "products"
DROP INDEX `product_price_id`;
-- Create "payment_events" table
CREATE TABLE `payment_events` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `event_id` text NOT NULL,
  `type` text NOT NULL
);
-- Create index "payment_events_event_id_key" to table: "payment_events"
CREATE UNIQUE INDEX `payment_events_event_id_key` ON `payment_events` (`event_id`);
-- Create index "paymentevent_created_at" to table: "payment_events"
CREATE INDEX `paymentevent_created_at` ON `payment_events` (`created_at`);
-- Make units_products_price_id
CREATE INDEX "units_products_price_id" ON "products" (("price" * CASE "currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END), "id");
