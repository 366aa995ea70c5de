-- Add column "currency_seen" to table: "cart_items"
ALTER TABLE `cart_items` ADD COLUMN `currency_seen` text NULL;
