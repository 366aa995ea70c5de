-- Modify "cart_items" table
ALTER TABLE "cart_items" ADD COLUMN "currency_seen" character varying NULL COLLATE "C";
