-- Make search_posts
CREATE VIRTUAL TABLE "search_posts" USING fts5("title_fold", "content_fold", content="posts", content_rowid="id", tokenize='unicode61 remove_diacritics 0', prefix='2 3 4');
INSERT INTO "search_posts" ("search_posts") VALUES ('rebuild');
-- Make search_posts_on_insert
CREATE TRIGGER "search_posts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_on_update
CREATE TRIGGER "search_posts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN OLD."title_fold" IS NOT NEW."title_fold" OR OLD."content_fold" IS NOT NEW."content_fold" BEGIN
	INSERT INTO "search_posts" ("search_posts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
	INSERT INTO "search_posts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_on_delete
CREATE TRIGGER "search_posts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts" ("search_posts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
END;
-- Make search_products
CREATE VIRTUAL TABLE "search_products" USING fts5("name_fold", "description_fold", content="products", content_rowid="id", tokenize='unicode61 remove_diacritics 0', prefix='2 3 4');
INSERT INTO "search_products" ("search_products") VALUES ('rebuild');
-- Make search_products_on_insert
CREATE TRIGGER "search_products_on_insert" AFTER INSERT ON "products" FOR EACH ROW BEGIN
	INSERT INTO "search_products" ("rowid", "name_fold", "description_fold") VALUES (NEW."id", NEW."name_fold", NEW."description_fold");
END;
-- Make search_products_on_update
CREATE TRIGGER "search_products_on_update" AFTER UPDATE ON "products" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."description_fold" IS NOT NEW."description_fold" BEGIN
	INSERT INTO "search_products" ("search_products", "rowid", "name_fold", "description_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."description_fold");
	INSERT INTO "search_products" ("rowid", "name_fold", "description_fold") VALUES (NEW."id", NEW."name_fold", NEW."description_fold");
END;
-- Make search_products_on_delete
CREATE TRIGGER "search_products_on_delete" AFTER DELETE ON "products" FOR EACH ROW BEGIN
	INSERT INTO "search_products" ("search_products", "rowid", "name_fold", "description_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."description_fold");
END;
-- Make search_users
CREATE VIRTUAL TABLE "search_users" USING fts5("name_fold", "email_fold", content="users", content_rowid="id", tokenize='unicode61 remove_diacritics 0', prefix='2 3 4');
INSERT INTO "search_users" ("search_users") VALUES ('rebuild');
-- Make search_users_on_insert
CREATE TRIGGER "search_users_on_insert" AFTER INSERT ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_on_update
CREATE TRIGGER "search_users_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."email_fold" IS NOT NEW."email_fold" BEGIN
	INSERT INTO "search_users" ("search_users", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
	INSERT INTO "search_users" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_on_delete
CREATE TRIGGER "search_users_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users" ("search_users", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
END;
