-- Make search_posts_age
CREATE INDEX "search_posts_age" ON "posts" USING brin (("id" + 0)) WITH (pages_per_range = 32, autosummarize = true);
-- Make search_posts_words
CREATE TABLE "search_posts_words" ("word" text COLLATE "C" NOT NULL);
INSERT INTO "search_posts_words" ("word") SELECT "word" FROM ts_stat('SELECT "search_document" FROM "posts"') WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]';
-- Make search_posts_words_word
CREATE INDEX "search_posts_words_word" ON "search_posts_words" ("word");
-- Make search_posts_words_alike
CREATE INDEX "search_posts_words_alike" ON "search_posts_words" USING gin ("word" gin_trgm_ops);
-- Make search_posts_words_on_insert (function)
CREATE OR REPLACE FUNCTION "search_posts_words_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_posts_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_posts_words" AS "known" WHERE "known"."word" = "w"."word");
	RETURN NULL;
END $$;
-- Make search_posts_words_on_insert
CREATE TRIGGER "search_posts_words_on_insert" AFTER INSERT ON "posts" FOR EACH ROW EXECUTE FUNCTION "search_posts_words_on_insert"();
-- Make search_posts_words_on_update (function)
CREATE OR REPLACE FUNCTION "search_posts_words_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_posts_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_posts_words" AS "known" WHERE "known"."word" = "w"."word");
	RETURN NULL;
END $$;
-- Make search_posts_words_on_update
CREATE TRIGGER "search_posts_words_on_update" AFTER UPDATE ON "posts" FOR EACH ROW WHEN (OLD."search_document" IS DISTINCT FROM NEW."search_document") EXECUTE FUNCTION "search_posts_words_on_update"();
-- Make search_products_age
CREATE INDEX "search_products_age" ON "products" USING brin (("id" + 0)) WITH (pages_per_range = 32, autosummarize = true);
-- Make search_products_words
CREATE TABLE "search_products_words" ("word" text COLLATE "C" NOT NULL);
INSERT INTO "search_products_words" ("word") SELECT "word" FROM ts_stat('SELECT "search_document" FROM "products"') WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]';
-- Make search_products_words_word
CREATE INDEX "search_products_words_word" ON "search_products_words" ("word");
-- Make search_products_words_alike
CREATE INDEX "search_products_words_alike" ON "search_products_words" USING gin ("word" gin_trgm_ops);
-- Make search_products_words_on_insert (function)
CREATE OR REPLACE FUNCTION "search_products_words_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_products_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_products_words" AS "known" WHERE "known"."word" = "w"."word");
	RETURN NULL;
END $$;
-- Make search_products_words_on_insert
CREATE TRIGGER "search_products_words_on_insert" AFTER INSERT ON "products" FOR EACH ROW EXECUTE FUNCTION "search_products_words_on_insert"();
-- Make search_products_words_on_update (function)
CREATE OR REPLACE FUNCTION "search_products_words_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_products_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_products_words" AS "known" WHERE "known"."word" = "w"."word");
	RETURN NULL;
END $$;
-- Make search_products_words_on_update
CREATE TRIGGER "search_products_words_on_update" AFTER UPDATE ON "products" FOR EACH ROW WHEN (OLD."search_document" IS DISTINCT FROM NEW."search_document") EXECUTE FUNCTION "search_products_words_on_update"();
-- Make search_users_age
CREATE INDEX "search_users_age" ON "users" USING brin (("id" + 0)) WITH (pages_per_range = 32, autosummarize = true);
-- Make search_users_words
CREATE TABLE "search_users_words" ("word" text COLLATE "C" NOT NULL);
INSERT INTO "search_users_words" ("word") SELECT "word" FROM ts_stat('SELECT "search_document" FROM "users"') WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]';
-- Make search_users_words_word
CREATE INDEX "search_users_words_word" ON "search_users_words" ("word");
-- Make search_users_words_alike
CREATE INDEX "search_users_words_alike" ON "search_users_words" USING gin ("word" gin_trgm_ops);
-- Make search_users_words_on_insert (function)
CREATE OR REPLACE FUNCTION "search_users_words_on_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_users_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_users_words" AS "known" WHERE "known"."word" = "w"."word");
	RETURN NULL;
END $$;
-- Make search_users_words_on_insert
CREATE TRIGGER "search_users_words_on_insert" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION "search_users_words_on_insert"();
-- Make search_users_words_on_update (function)
CREATE OR REPLACE FUNCTION "search_users_words_on_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "search_users_words" ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]' AND NOT EXISTS (SELECT 1 FROM "search_users_words" AS "known" WHERE "known"."word" = "w"."word");
	RETURN NULL;
END $$;
-- Make search_users_words_on_update
CREATE TRIGGER "search_users_words_on_update" AFTER UPDATE ON "users" FOR EACH ROW WHEN (OLD."search_document" IS DISTINCT FROM NEW."search_document") EXECUTE FUNCTION "search_users_words_on_update"();
-- Tell the planner how ids lie in the tables, without which it does not use these indexes
ANALYZE "posts";
ANALYZE "products";
ANALYZE "users";
