-- Make pg_trgm
CREATE EXTENSION IF NOT EXISTS pg_trgm;
-- Make search_document of posts
ALTER TABLE "posts" ADD COLUMN "search_document" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', translate(coalesce("title_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'A') || setweight(to_tsvector('simple', translate(coalesce("content_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'B')) STORED;
-- Make search_posts
CREATE INDEX "search_posts" ON "posts" USING gin ("search_document");
-- Make search_posts_title_fold
CREATE INDEX "search_posts_title_fold" ON "posts" USING gin ("title_fold" gin_trgm_ops);
-- Make search_document of products
ALTER TABLE "products" ADD COLUMN "search_document" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', translate(coalesce("name_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'A') || setweight(to_tsvector('simple', translate(coalesce("description_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'B')) STORED;
-- Make search_products
CREATE INDEX "search_products" ON "products" USING gin ("search_document");
-- Make search_products_name_fold
CREATE INDEX "search_products_name_fold" ON "products" USING gin ("name_fold" gin_trgm_ops);
-- Make search_document of users
ALTER TABLE "users" ADD COLUMN "search_document" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', translate(coalesce("name_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'A') || setweight(to_tsvector('simple', translate(coalesce("email_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'B')) STORED;
-- Make search_users
CREATE INDEX "search_users" ON "users" USING gin ("search_document");
-- Make search_users_name_fold
CREATE INDEX "search_users_name_fold" ON "users" USING gin ("name_fold" gin_trgm_ops);
