-- Add column "taken" to table: "order_items"
ALTER TABLE `order_items` ADD COLUMN `taken` bool NOT NULL DEFAULT true;
