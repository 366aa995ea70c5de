-- add_product_pictures, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase add_product_pictures.

-- Create "product_pictures" table
CREATE TABLE `product_pictures` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `created_at` datetime NOT NULL,
  `updated_at` datetime NOT NULL,
  `version` integer NOT NULL DEFAULT 1,
  `image` text NULL,
  `alt` text NOT NULL DEFAULT '',
  `position` integer NOT NULL DEFAULT 0,
  `product_id` integer NOT NULL,
  CONSTRAINT `product_pictures_products_pictures` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE
);
-- Create index "productpicture_created_at_id" to table: "product_pictures"
CREATE INDEX `productpicture_created_at_id` ON `product_pictures` (`created_at`, `id`);
-- Create index "productpicture_position_id" to table: "product_pictures"
CREATE INDEX `productpicture_position_id` ON `product_pictures` (`position`, `id`);
-- Create index "productpicture_product_id_position_id" to table: "product_pictures"
CREATE INDEX `productpicture_product_id_position_id` ON `product_pictures` (`product_id`, `position`, `id`);
-- Make file_of_product_pictures_image_on_insert
CREATE TRIGGER "file_of_product_pictures_image_on_insert" AFTER INSERT ON "product_pictures" FOR EACH ROW WHEN NEW."image" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."image" AND "entity" = 'ProductPicture' AND "field" = 'image' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_product_pictures_image_on_update
CREATE TRIGGER "file_of_product_pictures_image_on_update" AFTER UPDATE ON "product_pictures" FOR EACH ROW WHEN COALESCE(NEW."image", '') <> COALESCE(OLD."image", '') AND (NEW."image" LIKE '/api/files/%' OR OLD."image" LIKE '/api/files/%') BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."image" AND "entity_id" = OLD."id" AND "field" = 'image';
	UPDATE "files" SET "entity_id" = NEW."id", "released_at" = NULL
	WHERE "address" = NEW."image" AND "entity" = 'ProductPicture' AND "field" = 'image' AND ("entity_id" IS NULL OR "entity_id" = NEW."id");
END;
-- Make file_of_product_pictures_image_on_delete
CREATE TRIGGER "file_of_product_pictures_image_on_delete" AFTER DELETE ON "product_pictures" FOR EACH ROW WHEN OLD."image" LIKE '/api/files/%' BEGIN
	UPDATE "files" SET "released_at" = strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')
	WHERE "address" = OLD."image" AND "entity_id" = OLD."id" AND "field" = 'image';
END;
-- Make version_product_pictures
CREATE TRIGGER "version_product_pictures" AFTER UPDATE OF "created_at", "updated_at", "version", "image", "alt", "position", "product_id" ON "product_pictures" FOR EACH ROW WHEN NEW."version" <= OLD."version" BEGIN
	UPDATE "product_pictures" SET "version" = OLD."version" + 1 WHERE "id" = NEW."id";
END;
