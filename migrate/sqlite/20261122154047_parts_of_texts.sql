-- parts_of_texts, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase parts_of_texts.

-- Make search_posts_parts
CREATE VIRTUAL TABLE "search_posts_parts" USING fts5("title_fold", "content_fold", content="posts", content_rowid="id", tokenize='trigram case_sensitive 1', detail=none, columnsize=0);
INSERT INTO "search_posts_parts" ("search_posts_parts") VALUES ('rebuild');
-- Make search_posts_parts_on_insert
CREATE TRIGGER "search_posts_parts_on_insert" AFTER INSERT ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts_parts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_parts_on_update
CREATE TRIGGER "search_posts_parts_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN OLD."title_fold" IS NOT NEW."title_fold" OR OLD."content_fold" IS NOT NEW."content_fold" BEGIN
	INSERT INTO "search_posts_parts" ("search_posts_parts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
	INSERT INTO "search_posts_parts" ("rowid", "title_fold", "content_fold") VALUES (NEW."id", NEW."title_fold", NEW."content_fold");
END;
-- Make search_posts_parts_on_delete
CREATE TRIGGER "search_posts_parts_on_delete" AFTER DELETE ON "posts" FOR EACH ROW BEGIN
	INSERT INTO "search_posts_parts" ("search_posts_parts", "rowid", "title_fold", "content_fold") VALUES ('delete', OLD."id", OLD."title_fold", OLD."content_fold");
END;
-- Make search_products_parts
CREATE VIRTUAL TABLE "search_products_parts" USING fts5("name_fold", "description_fold", content="products", content_rowid="id", tokenize='trigram case_sensitive 1', detail=none, columnsize=0);
INSERT INTO "search_products_parts" ("search_products_parts") VALUES ('rebuild');
-- Make search_products_parts_on_insert
CREATE TRIGGER "search_products_parts_on_insert" AFTER INSERT ON "products" FOR EACH ROW BEGIN
	INSERT INTO "search_products_parts" ("rowid", "name_fold", "description_fold") VALUES (NEW."id", NEW."name_fold", NEW."description_fold");
END;
-- Make search_products_parts_on_update
CREATE TRIGGER "search_products_parts_on_update" AFTER UPDATE ON "products" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."description_fold" IS NOT NEW."description_fold" BEGIN
	INSERT INTO "search_products_parts" ("search_products_parts", "rowid", "name_fold", "description_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."description_fold");
	INSERT INTO "search_products_parts" ("rowid", "name_fold", "description_fold") VALUES (NEW."id", NEW."name_fold", NEW."description_fold");
END;
-- Make search_products_parts_on_delete
CREATE TRIGGER "search_products_parts_on_delete" AFTER DELETE ON "products" FOR EACH ROW BEGIN
	INSERT INTO "search_products_parts" ("search_products_parts", "rowid", "name_fold", "description_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."description_fold");
END;
-- Make search_users_parts
CREATE VIRTUAL TABLE "search_users_parts" USING fts5("name_fold", "email_fold", content="users", content_rowid="id", tokenize='trigram case_sensitive 1', detail=none, columnsize=0);
INSERT INTO "search_users_parts" ("search_users_parts") VALUES ('rebuild');
-- Make search_users_parts_on_insert
CREATE TRIGGER "search_users_parts_on_insert" AFTER INSERT ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users_parts" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_parts_on_update
CREATE TRIGGER "search_users_parts_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN OLD."name_fold" IS NOT NEW."name_fold" OR OLD."email_fold" IS NOT NEW."email_fold" BEGIN
	INSERT INTO "search_users_parts" ("search_users_parts", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
	INSERT INTO "search_users_parts" ("rowid", "name_fold", "email_fold") VALUES (NEW."id", NEW."name_fold", NEW."email_fold");
END;
-- Make search_users_parts_on_delete
CREATE TRIGGER "search_users_parts_on_delete" AFTER DELETE ON "users" FOR EACH ROW BEGIN
	INSERT INTO "search_users_parts" ("search_users_parts", "rowid", "name_fold", "email_fold") VALUES ('delete', OLD."id", OLD."name_fold", OLD."email_fold");
END;
