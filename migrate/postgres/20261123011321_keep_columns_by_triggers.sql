-- keep_columns_by_triggers, written by weave migrate diff.
-- After an edit, and before any database has had it: weave migrate hash.
-- After a merge with a branch that has migrations of its own: weave migrate rebase keep_columns_by_triggers.

-- In the order in which programs that write come to them
DO $$ BEGIN LOCK TABLE "order_items", "refunds", "payments", "orders", "posts", "products", "users" IN ACCESS EXCLUSIVE MODE; END $$;
-- A trigger computes amount_refunded_units from now on; its values stay
ALTER TABLE "payments" ALTER COLUMN "amount_refunded_units" DROP EXPRESSION;
-- A trigger computes amount_units from now on; its values stay
ALTER TABLE "payments" ALTER COLUMN "amount_units" DROP EXPRESSION;
-- A trigger computes amount_units from now on; its values stay
ALTER TABLE "refunds" ALTER COLUMN "amount_units" DROP EXPRESSION;
-- A trigger computes price_units from now on; its values stay
ALTER TABLE "order_items" ALTER COLUMN "price_units" DROP EXPRESSION;
-- A trigger computes price_units from now on; its values stay
ALTER TABLE "products" ALTER COLUMN "price_units" DROP EXPRESSION;
-- A trigger computes search_document from now on; its values stay
ALTER TABLE "posts" ALTER COLUMN "search_document" DROP EXPRESSION;
-- A trigger computes search_document from now on; its values stay
ALTER TABLE "products" ALTER COLUMN "search_document" DROP EXPRESSION;
-- A trigger computes search_document from now on; its values stay
ALTER TABLE "users" ALTER COLUMN "search_document" DROP EXPRESSION;
-- A trigger computes total_units from now on; its values stay
ALTER TABLE "order_items" ALTER COLUMN "total_units" DROP EXPRESSION;
-- A trigger computes total_units from now on; its values stay
ALTER TABLE "orders" ALTER COLUMN "total_units" DROP EXPRESSION;
-- Make keep_posts_search_document (function)
CREATE OR REPLACE FUNCTION "keep_posts_search_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."title_fold" IS DISTINCT FROM OLD."title_fold" OR NEW."content_fold" IS DISTINCT FROM OLD."content_fold" THEN
		NEW."search_document" := setweight(to_tsvector('simple', translate(coalesce(NEW."title_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'A') || setweight(to_tsvector('simple', translate(coalesce(NEW."content_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'B');
	END IF;
	RETURN NEW;
END $$;
-- Make keep_posts_search_document
CREATE TRIGGER "keep_posts_search_document" BEFORE INSERT OR UPDATE ON "posts" FOR EACH ROW EXECUTE FUNCTION "keep_posts_search_document"();
-- Make keep_products_search_document (function)
CREATE OR REPLACE FUNCTION "keep_products_search_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."name_fold" IS DISTINCT FROM OLD."name_fold" OR NEW."description_fold" IS DISTINCT FROM OLD."description_fold" THEN
		NEW."search_document" := setweight(to_tsvector('simple', translate(coalesce(NEW."name_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'A') || setweight(to_tsvector('simple', translate(coalesce(NEW."description_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'B');
	END IF;
	RETURN NEW;
END $$;
-- Make keep_products_search_document
CREATE TRIGGER "keep_products_search_document" BEFORE INSERT OR UPDATE ON "products" FOR EACH ROW EXECUTE FUNCTION "keep_products_search_document"();
-- Make keep_users_search_document (function)
CREATE OR REPLACE FUNCTION "keep_users_search_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."name_fold" IS DISTINCT FROM OLD."name_fold" OR NEW."email_fold" IS DISTINCT FROM OLD."email_fold" THEN
		NEW."search_document" := setweight(to_tsvector('simple', translate(coalesce(NEW."name_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'A') || setweight(to_tsvector('simple', translate(coalesce(NEW."email_fold", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')), 'B');
	END IF;
	RETURN NEW;
END $$;
-- Make keep_users_search_document
CREATE TRIGGER "keep_users_search_document" BEFORE INSERT OR UPDATE ON "users" FOR EACH ROW EXECUTE FUNCTION "keep_users_search_document"();
-- Make keep_orders_total_units (function)
CREATE OR REPLACE FUNCTION "keep_orders_total_units"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."total" IS DISTINCT FROM OLD."total" OR NEW."currency" IS DISTINCT FROM OLD."currency" THEN
		NEW."total_units" := NEW."total" * CASE NEW."currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END;
	END IF;
	RETURN NEW;
END $$;
-- Make keep_orders_total_units
CREATE TRIGGER "keep_orders_total_units" BEFORE INSERT OR UPDATE ON "orders" FOR EACH ROW EXECUTE FUNCTION "keep_orders_total_units"();
-- Make keep_order_items_price_units (function)
CREATE OR REPLACE FUNCTION "keep_order_items_price_units"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."price" IS DISTINCT FROM OLD."price" OR NEW."currency" IS DISTINCT FROM OLD."currency" THEN
		NEW."price_units" := NEW."price" * CASE NEW."currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END;
	END IF;
	RETURN NEW;
END $$;
-- Make keep_order_items_price_units
CREATE TRIGGER "keep_order_items_price_units" BEFORE INSERT OR UPDATE ON "order_items" FOR EACH ROW EXECUTE FUNCTION "keep_order_items_price_units"();
-- Make keep_order_items_total_units (function)
CREATE OR REPLACE FUNCTION "keep_order_items_total_units"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."total" IS DISTINCT FROM OLD."total" OR NEW."currency" IS DISTINCT FROM OLD."currency" THEN
		NEW."total_units" := NEW."total" * CASE NEW."currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END;
	END IF;
	RETURN NEW;
END $$;
-- Make keep_order_items_total_units
CREATE TRIGGER "keep_order_items_total_units" BEFORE INSERT OR UPDATE ON "order_items" FOR EACH ROW EXECUTE FUNCTION "keep_order_items_total_units"();
-- Make keep_payments_amount_units (function)
CREATE OR REPLACE FUNCTION "keep_payments_amount_units"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."amount" IS DISTINCT FROM OLD."amount" OR NEW."currency" IS DISTINCT FROM OLD."currency" THEN
		NEW."amount_units" := NEW."amount" * CASE NEW."currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END;
	END IF;
	RETURN NEW;
END $$;
-- Make keep_payments_amount_units
CREATE TRIGGER "keep_payments_amount_units" BEFORE INSERT OR UPDATE ON "payments" FOR EACH ROW EXECUTE FUNCTION "keep_payments_amount_units"();
-- Make keep_payments_amount_refunded_units (function)
CREATE OR REPLACE FUNCTION "keep_payments_amount_refunded_units"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."amount_refunded" IS DISTINCT FROM OLD."amount_refunded" OR NEW."currency" IS DISTINCT FROM OLD."currency" THEN
		NEW."amount_refunded_units" := NEW."amount_refunded" * CASE NEW."currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END;
	END IF;
	RETURN NEW;
END $$;
-- Make keep_payments_amount_refunded_units
CREATE TRIGGER "keep_payments_amount_refunded_units" BEFORE INSERT OR UPDATE ON "payments" FOR EACH ROW EXECUTE FUNCTION "keep_payments_amount_refunded_units"();
-- Make keep_products_price_units (function)
CREATE OR REPLACE FUNCTION "keep_products_price_units"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."price" IS DISTINCT FROM OLD."price" OR NEW."currency" IS DISTINCT FROM OLD."currency" THEN
		NEW."price_units" := NEW."price" * CASE NEW."currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END;
	END IF;
	RETURN NEW;
END $$;
-- Make keep_products_price_units
CREATE TRIGGER "keep_products_price_units" BEFORE INSERT OR UPDATE ON "products" FOR EACH ROW EXECUTE FUNCTION "keep_products_price_units"();
-- Make keep_refunds_amount_units (function)
CREATE OR REPLACE FUNCTION "keep_refunds_amount_units"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."amount" IS DISTINCT FROM OLD."amount" OR NEW."currency" IS DISTINCT FROM OLD."currency" THEN
		NEW."amount_units" := NEW."amount" * CASE NEW."currency" WHEN 'BIF' THEN 10000 WHEN 'CLP' THEN 10000 WHEN 'DJF' THEN 10000 WHEN 'GNF' THEN 10000 WHEN 'ISK' THEN 10000 WHEN 'JPY' THEN 10000 WHEN 'KMF' THEN 10000 WHEN 'KRW' THEN 10000 WHEN 'PYG' THEN 10000 WHEN 'RWF' THEN 10000 WHEN 'UGX' THEN 10000 WHEN 'UYI' THEN 10000 WHEN 'VND' THEN 10000 WHEN 'VUV' THEN 10000 WHEN 'XAF' THEN 10000 WHEN 'XOF' THEN 10000 WHEN 'XPF' THEN 10000 WHEN 'BHD' THEN 10 WHEN 'IQD' THEN 10 WHEN 'JOD' THEN 10 WHEN 'KWD' THEN 10 WHEN 'LYD' THEN 10 WHEN 'OMR' THEN 10 WHEN 'TND' THEN 10 WHEN 'CLF' THEN 1 WHEN 'UYW' THEN 1 ELSE 100 END;
	END IF;
	RETURN NEW;
END $$;
-- Make keep_refunds_amount_units
CREATE TRIGGER "keep_refunds_amount_units" BEFORE INSERT OR UPDATE ON "refunds" FOR EACH ROW EXECUTE FUNCTION "keep_refunds_amount_units"();
