-- Modify "order_items" table
ALTER TABLE "order_items" ADD COLUMN "taken" boolean NOT NULL DEFAULT true;
