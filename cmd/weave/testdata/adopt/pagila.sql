-- Structure of, and some rows from, Pagila (https://github.com/devrimgunduz/pagila, pagila-schema.sql and pagila-data.sql as
-- of 2024-12-02), without most of its functions, views and partitions.
--
-- Copyright (c) Devrim Gündüz <devrim@gunduz.org>
--
--  Permission is hereby granted, free of charge, to any person obtaining a copy
--  of this software and associated documentation files (the "Software"), to deal
--  in the Software without restriction, including without limitation the rights
--  to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
--  copies of the Software, and to permit persons to whom the Software is
--  furnished to do so, subject to the following conditions:
--
--  The above copyright notice and this permission notice shall be included in
--  all copies or substantial portions of the Software.
--
--  THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
--  IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
--  FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
--  AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
--  LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
--  OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
--  THE SOFTWARE.

CREATE DOMAIN "bıgınt" AS bigint;
CREATE TYPE mpaa_rating AS ENUM (
    'G',
    'PG',
    'PG-13',
    'R',
    'NC-17'
);
CREATE DOMAIN year AS integer
	CONSTRAINT year_check CHECK (((VALUE >= 1901) AND (VALUE <= 2155)));
CREATE FUNCTION last_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.last_update = CURRENT_TIMESTAMP;
    RETURN NEW;
END $$;
CREATE SEQUENCE customer_customer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE customer (
    customer_id integer DEFAULT nextval('customer_customer_id_seq'::regclass) NOT NULL,
    store_id integer NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text,
    address_id integer NOT NULL,
    activebool boolean DEFAULT true NOT NULL,
    create_date date DEFAULT CURRENT_DATE NOT NULL,
    last_update timestamp with time zone DEFAULT now(),
    active integer
);
CREATE SEQUENCE actor_actor_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE actor (
    actor_id integer DEFAULT nextval('actor_actor_id_seq'::regclass) NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE category_category_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE category (
    category_id integer DEFAULT nextval('category_category_id_seq'::regclass) NOT NULL,
    name text NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE film_film_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE film (
    film_id integer DEFAULT nextval('film_film_id_seq'::regclass) NOT NULL,
    title text NOT NULL,
    description text,
    release_year year,
    language_id integer NOT NULL,
    original_language_id integer,
    rental_duration smallint DEFAULT 3 NOT NULL,
    rental_rate numeric(4,2) DEFAULT 4.99 NOT NULL,
    length smallint,
    replacement_cost numeric(5,2) DEFAULT 19.99 NOT NULL,
    rating mpaa_rating DEFAULT 'G'::mpaa_rating,
    last_update timestamp with time zone DEFAULT now() NOT NULL,
    special_features text[],
    fulltext tsvector NOT NULL
);
CREATE TABLE film_actor (
    actor_id integer NOT NULL,
    film_id integer NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE film_category (
    film_id integer NOT NULL,
    category_id integer NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE address_address_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE address (
    address_id integer DEFAULT nextval('address_address_id_seq'::regclass) NOT NULL,
    address text NOT NULL,
    address2 text,
    district text NOT NULL,
    city_id integer NOT NULL,
    postal_code text,
    phone text NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE city_city_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE city (
    city_id integer DEFAULT nextval('city_city_id_seq'::regclass) NOT NULL,
    city text NOT NULL,
    country_id integer NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE country_country_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE country (
    country_id integer DEFAULT nextval('country_country_id_seq'::regclass) NOT NULL,
    country text NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE VIEW customer_list AS
 SELECT cu.customer_id AS id,
    ((cu.first_name || ' '::text) || cu.last_name) AS name,
    a.address,
    a.postal_code AS "zip code",
    a.phone,
    city.city,
    country.country,
        CASE
            WHEN cu.activebool THEN 'active'::text
            ELSE ''::text
        END AS notes,
    cu.store_id AS sid
   FROM (((customer cu
     JOIN address a ON ((cu.address_id = a.address_id)))
     JOIN city ON ((a.city_id = city.city_id)))
     JOIN country ON ((city.country_id = country.country_id)));
CREATE SEQUENCE inventory_inventory_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE inventory (
    inventory_id integer DEFAULT nextval('inventory_inventory_id_seq'::regclass) NOT NULL,
    film_id integer NOT NULL,
    store_id integer NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE language_language_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE language (
    language_id integer DEFAULT nextval('language_language_id_seq'::regclass) NOT NULL,
    name character(20) NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE payment_payment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE payment (
    payment_id integer DEFAULT nextval('payment_payment_id_seq'::regclass) NOT NULL,
    customer_id integer NOT NULL,
    staff_id integer NOT NULL,
    rental_id integer NOT NULL,
    amount numeric(5,2) NOT NULL,
    payment_date timestamp with time zone NOT NULL,
    PRIMARY KEY (payment_date, payment_id)
)
PARTITION BY RANGE (payment_date);
CREATE TABLE payment_p2022_01 (
    payment_id integer DEFAULT nextval('payment_payment_id_seq'::regclass) NOT NULL,
    customer_id integer NOT NULL,
    staff_id integer NOT NULL,
    rental_id integer NOT NULL,
    amount numeric(5,2) NOT NULL,
    payment_date timestamp with time zone NOT NULL
);
CREATE SEQUENCE rental_rental_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE rental (
    rental_id integer DEFAULT nextval('rental_rental_id_seq'::regclass) NOT NULL,
    rental_date timestamp with time zone NOT NULL,
    inventory_id integer NOT NULL,
    customer_id integer NOT NULL,
    return_date timestamp with time zone,
    staff_id integer NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE MATERIALIZED VIEW rental_by_category AS
 SELECT c.name AS category,
    sum(p.amount) AS total_sales
   FROM (((((payment p
     JOIN rental r ON ((p.rental_id = r.rental_id)))
     JOIN inventory i ON ((r.inventory_id = i.inventory_id)))
     JOIN film f ON ((i.film_id = f.film_id)))
     JOIN film_category fc ON ((f.film_id = fc.film_id)))
     JOIN category c ON ((fc.category_id = c.category_id)))
  GROUP BY c.name
  ORDER BY (sum(p.amount)) DESC
  WITH NO DATA;
CREATE SEQUENCE staff_staff_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE staff (
    staff_id integer DEFAULT nextval('staff_staff_id_seq'::regclass) NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    address_id integer NOT NULL,
    email text,
    store_id integer NOT NULL,
    active boolean DEFAULT true NOT NULL,
    username text NOT NULL,
    password text,
    last_update timestamp with time zone DEFAULT now() NOT NULL,
    picture bytea
);
CREATE SEQUENCE store_store_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE store (
    store_id integer DEFAULT nextval('store_store_id_seq'::regclass) NOT NULL,
    manager_staff_id integer NOT NULL,
    address_id integer NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL
);
CREATE VIEW staff_list AS
 SELECT s.staff_id AS id,
    ((s.first_name || ' '::text) || s.last_name) AS name,
    a.address,
    a.postal_code AS "zip code",
    a.phone,
    city.city,
    country.country,
    s.store_id AS sid
   FROM (((staff s
     JOIN address a ON ((s.address_id = a.address_id)))
     JOIN city ON ((a.city_id = city.city_id)))
     JOIN country ON ((city.country_id = country.country_id)));
ALTER TABLE ONLY payment ATTACH PARTITION payment_p2022_01 FOR VALUES FROM ('2022-01-01 00:00:00+00') TO ('2022-02-01 00:00:00+00');
ALTER TABLE ONLY actor
    ADD CONSTRAINT actor_pkey PRIMARY KEY (actor_id);
ALTER TABLE ONLY address
    ADD CONSTRAINT address_pkey PRIMARY KEY (address_id);
ALTER TABLE ONLY category
    ADD CONSTRAINT category_pkey PRIMARY KEY (category_id);
ALTER TABLE ONLY city
    ADD CONSTRAINT city_pkey PRIMARY KEY (city_id);
ALTER TABLE ONLY country
    ADD CONSTRAINT country_pkey PRIMARY KEY (country_id);
ALTER TABLE ONLY customer
    ADD CONSTRAINT customer_pkey PRIMARY KEY (customer_id);
ALTER TABLE ONLY film_actor
    ADD CONSTRAINT film_actor_pkey PRIMARY KEY (actor_id, film_id);
ALTER TABLE ONLY film_category
    ADD CONSTRAINT film_category_pkey PRIMARY KEY (film_id, category_id);
ALTER TABLE ONLY film
    ADD CONSTRAINT film_pkey PRIMARY KEY (film_id);
ALTER TABLE ONLY inventory
    ADD CONSTRAINT inventory_pkey PRIMARY KEY (inventory_id);
ALTER TABLE ONLY language
    ADD CONSTRAINT language_pkey PRIMARY KEY (language_id);
ALTER TABLE ONLY rental
    ADD CONSTRAINT rental_pkey PRIMARY KEY (rental_id);
ALTER TABLE ONLY staff
    ADD CONSTRAINT staff_pkey PRIMARY KEY (staff_id);
ALTER TABLE ONLY store
    ADD CONSTRAINT store_pkey PRIMARY KEY (store_id);
CREATE INDEX film_fulltext_idx ON film USING gist (fulltext);
CREATE INDEX idx_actor_last_name ON actor USING btree (last_name);
CREATE INDEX idx_fk_address_id ON customer USING btree (address_id);
CREATE INDEX idx_fk_city_id ON address USING btree (city_id);
CREATE INDEX idx_fk_country_id ON city USING btree (country_id);
CREATE INDEX idx_fk_film_id ON film_actor USING btree (film_id);
CREATE INDEX idx_fk_inventory_id ON rental USING btree (inventory_id);
CREATE INDEX idx_fk_language_id ON film USING btree (language_id);
CREATE INDEX idx_fk_original_language_id ON film USING btree (original_language_id);
CREATE INDEX idx_fk_payment_p2022_01_customer_id ON payment_p2022_01 USING btree (customer_id);
CREATE INDEX idx_fk_payment_p2022_01_staff_id ON payment_p2022_01 USING btree (staff_id);
CREATE INDEX idx_fk_store_id ON customer USING btree (store_id);
CREATE INDEX idx_last_name ON customer USING btree (last_name);
CREATE INDEX idx_store_id_film_id ON inventory USING btree (store_id, film_id);
CREATE INDEX idx_title ON film USING btree (title);
CREATE UNIQUE INDEX idx_unq_manager_staff_id ON store USING btree (manager_staff_id);
CREATE UNIQUE INDEX idx_unq_rental_rental_date_inventory_id_customer_id ON rental USING btree (rental_date, inventory_id, customer_id);
CREATE INDEX payment_p2022_01_customer_id_idx ON payment_p2022_01 USING btree (customer_id);
CREATE UNIQUE INDEX rental_category ON rental_by_category USING btree (category);

INSERT INTO language (language_id, name, last_update) VALUES
	('1', 'English             ', '2022-02-15 10:02:19+00'),
	('2', 'Italian             ', '2022-02-15 10:02:19+00'),
	('3', 'Japanese            ', '2022-02-15 10:02:19+00'),
	('4', 'Mandarin            ', '2022-02-15 10:02:19+00'),
	('5', 'French              ', '2022-02-15 10:02:19+00'),
	('6', 'German              ', '2022-02-15 10:02:19+00');
INSERT INTO film (film_id, title, description, release_year, language_id, original_language_id, rental_duration, rental_rate, length, replacement_cost, rating, last_update, special_features, fulltext) VALUES
	('1', 'ACADEMY DINOSAUR', 'A Epic Drama of a Feminist And a Mad Scientist who must Battle a Teacher in The Canadian Rockies', '2012', '1', NULL, '6', '0.99', '86', '20.99', 'PG', '2022-09-10 16:46:03.905795+00', '{"Deleted Scenes","Behind the Scenes"}', '''academi'':1 ''battl'':15 ''canadian'':20 ''dinosaur'':2 ''drama'':5 ''epic'':4 ''feminist'':8 ''mad'':11 ''must'':14 ''rocki'':21 ''scientist'':12 ''teacher'':17'),
	('2', 'ACE GOLDFINGER', 'A Astounding Epistle of a Database Administrator And a Explorer who must Find a Car in Ancient China', '2023', '1', NULL, '3', '4.99', '48', '12.99', 'G', '2022-09-10 16:46:03.905795+00', '{Trailers,"Deleted Scenes"}', '''ace'':1 ''administr'':9 ''ancient'':19 ''astound'':4 ''car'':17 ''china'':20 ''databas'':8 ''epistl'':5 ''explor'':12 ''find'':15 ''goldfing'':2 ''must'':14'),
	('3', 'ADAPTATION HOLES', 'A Astounding Reflection of a Lumberjack And a Car who must Sink a Lumberjack in A Baloon Factory', '2017', '2', NULL, '7', '2.99', '50', '18.99', 'NC-17', '2022-09-10 16:46:03.905795+00', '{Trailers,"Deleted Scenes"}', '''adapt'':1 ''astound'':4 ''baloon'':19 ''car'':11 ''factori'':20 ''hole'':2 ''lumberjack'':8,16 ''must'':13 ''reflect'':5 ''sink'':14'),
	('4', 'AFFAIR PREJUDICE', 'A Fanciful Documentary of a Frisbee And a Lumberjack who must Chase a Monkey in A Shark Tank', '2023', '6', NULL, '5', '2.99', '117', '26.99', 'G', '2022-09-10 16:46:03.905795+00', '{Commentaries,"Behind the Scenes"}', '''affair'':1 ''chase'':14 ''documentari'':5 ''fanci'':4 ''frisbe'':8 ''lumberjack'':11 ''monkey'':16 ''must'':13 ''prejudic'':2 ''shark'':19 ''tank'':20');
INSERT INTO actor (actor_id, first_name, last_name, last_update) VALUES
	('1', 'PENELOPE', 'GUINESS', '2022-02-15 09:34:33+00'),
	('2', 'NICK', 'WAHLBERG', '2022-02-15 09:34:33+00'),
	('10', 'CHRISTIAN', 'GABLE', '2022-02-15 09:34:33+00'),
	('19', 'BOB', 'FAWCETT', '2022-02-15 09:34:33+00'),
	('20', 'LUCILLE', 'TRACY', '2022-02-15 09:34:33+00'),
	('24', 'CAMERON', 'STREEP', '2022-02-15 09:34:33+00'),
	('30', 'SANDRA', 'PECK', '2022-02-15 09:34:33+00'),
	('40', 'JOHNNY', 'CAGE', '2022-02-15 09:34:33+00'),
	('41', 'JODIE', 'DEGENERES', '2022-02-15 09:34:33+00'),
	('53', 'MENA', 'TEMPLE', '2022-02-15 09:34:33+00'),
	('64', 'RAY', 'JOHANSSON', '2022-02-15 09:34:33+00');
INSERT INTO film_actor (actor_id, film_id, last_update) VALUES
	('1', '1', '2022-02-15 10:05:03+00'),
	('2', '3', '2022-02-15 10:05:03+00'),
	('10', '1', '2022-02-15 10:05:03+00'),
	('19', '2', '2022-02-15 10:05:03+00'),
	('19', '3', '2022-02-15 10:05:03+00'),
	('20', '1', '2022-02-15 10:05:03+00'),
	('24', '3', '2022-02-15 10:05:03+00'),
	('30', '1', '2022-02-15 10:05:03+00'),
	('40', '1', '2022-02-15 10:05:03+00'),
	('41', '4', '2022-02-15 10:05:03+00'),
	('53', '1', '2022-02-15 10:05:03+00'),
	('64', '3', '2022-02-15 10:05:03+00');
INSERT INTO category (category_id, name, last_update) VALUES
	('1', 'Action', '2022-02-15 09:46:27+00'),
	('8', 'Family', '2022-02-15 09:46:27+00'),
	('10', 'Games', '2022-02-15 09:46:27+00'),
	('12', 'Music', '2022-02-15 09:46:27+00'),
	('13', 'New', '2022-02-15 09:46:27+00');
INSERT INTO film_category (film_id, category_id, last_update) VALUES
	('2', '1', '2022-02-15 10:07:09+00'),
	('3', '13', '2022-02-15 10:07:09+00'),
	('1', '10', '2022-02-15 10:07:09+00'),
	('4', '8', '2022-02-15 10:07:09+00'),
	('4', '12', '2022-02-15 10:07:09+00'),
	('3', '1', '2022-02-15 10:07:09+00');
INSERT INTO country (country_id, country, last_update) VALUES
	('7', 'Armenia', '2022-02-15 09:44:00+00'),
	('23', 'China', '2022-02-15 09:44:00+00'),
	('44', 'India', '2022-02-15 09:44:00+00'),
	('45', 'Indonesia', '2022-02-15 09:44:00+00'),
	('60', 'Mexico', '2022-02-15 09:44:00+00'),
	('68', 'New Zealand', '2022-02-15 09:44:00+00'),
	('73', 'Paraguay', '2022-02-15 09:44:00+00'),
	('85', 'South Africa', '2022-02-15 09:44:00+00'),
	('103', 'United States', '2022-02-15 09:44:00+00');
INSERT INTO city (city_id, city, country_id, last_update) VALUES
	('85', 'Boksburg', '85', '2022-02-15 09:45:25+00'),
	('106', 'Celaya', '60', '2022-02-15 09:45:25+00'),
	('117', 'Cianjur', '45', '2022-02-15 09:45:25+00'),
	('200', 'Hamilton', '68', '2022-02-15 09:45:25+00'),
	('449', 'San Bernardino', '103', '2022-02-15 09:45:25+00'),
	('453', 'San Lorenzo', '73', '2022-02-15 09:45:25+00'),
	('550', 'Udaipur', '44', '2022-02-15 09:45:25+00'),
	('579', 'Xiangtan', '23', '2022-02-15 09:45:25+00'),
	('586', 'Yerevan', '7', '2022-02-15 09:45:25+00');
INSERT INTO address (address_id, address, address2, district, city_id, postal_code, phone, last_update) VALUES
	('6', '1121 Loja Avenue', '', 'California', '449', '17886', '838635286649', '2022-02-15 09:45:30+00'),
	('12', '478 Joliet Way', '', 'Hamilton', '200', '77948', '657282285970', '2022-02-15 09:45:30+00'),
	('45', '42 Brindisi Place', '', 'Yerevan', '586', '16744', '42384721397', '2022-02-15 09:45:30+00'),
	('71', '1586 Guaruj Place', '', 'Hunan', '579', '5135', '947233365992', '2022-02-15 09:45:30+00'),
	('129', '569 Baicheng Lane', '', 'Gauteng', '85', '60304', '490211944645', '2022-02-15 09:45:30+00'),
	('174', '1877 Ezhou Lane', '', 'Rajasthan', '550', '63337', '264541743403', '2022-02-15 09:45:30+00'),
	('350', '1628 Nagareyama Lane', '', 'Central', '453', '60079', '20064292617', '2022-02-15 09:45:30+00'),
	('416', '1445 Carmen Parkway', '', 'West Java', '117', '70809', '598912394463', '2022-02-15 09:45:30+00'),
	('593', '1402 Zanzibar Boulevard', '', 'Guanajuato', '106', '71102', '387448063440', '2022-02-15 09:45:30+00');
INSERT INTO store (store_id, manager_staff_id, address_id, last_update) VALUES
	('1', '1', '129', '2022-02-15 09:57:12+00'),
	('2', '2', '12', '2022-02-15 09:57:12+00'),
	('25', '25', '6', '2022-02-15 09:57:12+00'),
	('33', '33', '71', '2022-02-15 09:57:12+00');
INSERT INTO staff (staff_id, first_name, last_name, address_id, email, store_id, active, username, password, last_update, picture) VALUES
	('1', 'Warner', 'Hudson', '45', 'hartmann1448@ratkehaley.com', '25', 't', 'fay.kub', '8cb2237d0679ca88db6464eac60da96345513964', '2022-05-16 15:13:11.79328+00', NULL),
	('2', 'Lavone', 'O''Reilly', '6', 'mclaughlin3045@kleinwisokyandswaniawski.com', '33', 't', 'gaston.wuckert', '8cb2237d0679ca88db6464eac60da96345513964', '2022-05-16 15:13:11.79328+00', NULL);
INSERT INTO customer (customer_id, store_id, first_name, last_name, email, address_id, activebool, create_date, last_update, active) VALUES
	('170', '1', 'BEATRICE', 'ARNOLD', 'BEATRICE.ARNOLD@sakilacustomer.org', '174', 't', '2022-02-14', '2022-02-15 09:57:20+00', '1'),
	('345', '1', 'CARL', 'ARTIS', 'CARL.ARTIS@sakilacustomer.org', '350', 't', '2022-02-14', '2022-02-15 09:57:20+00', '1'),
	('411', '1', 'NORMAN', 'CURRIER', 'NORMAN.CURRIER@sakilacustomer.org', '416', 't', '2022-02-14', '2022-02-15 09:57:20+00', '1'),
	('587', '1', 'SERGIO', 'STANFIELD', 'SERGIO.STANFIELD@sakilacustomer.org', '593', 't', '2022-02-14', '2022-02-15 09:57:20+00', '1');
INSERT INTO inventory (inventory_id, film_id, store_id, last_update) VALUES
	('1', '1', '1', '2022-02-15 10:09:17+00'),
	('2', '1', '1', '2022-02-15 10:09:17+00'),
	('3', '1', '1', '2022-02-15 10:09:17+00'),
	('4', '1', '1', '2022-02-15 10:09:17+00'),
	('5', '1', '2', '2022-02-15 10:09:17+00'),
	('6', '1', '2', '2022-02-15 10:09:17+00'),
	('7', '1', '2', '2022-02-15 10:09:17+00'),
	('8', '1', '2', '2022-02-15 10:09:17+00');
INSERT INTO rental (rental_id, rental_date, inventory_id, customer_id, return_date, staff_id, last_update) VALUES
	('361', '2022-05-27 07:03:28+01', '6', '587', '2022-05-31 08:01:28+01', '1', '2022-02-16 02:30:53+00'),
	('972', '2022-05-30 20:21:07+01', '2', '411', '2022-06-06 00:36:07+01', '1', '2022-02-16 02:30:53+00'),
	('1210', '2022-06-15 02:57:51+01', '7', '345', '2022-06-20 01:41:51+01', '2', '2022-02-16 02:30:53+00'),
	('2117', '2022-06-17 20:24:00+01', '2', '170', '2022-06-23 17:45:00+01', '2', '2022-02-16 02:30:53+00');
SELECT setval('actor_actor_id_seq', (SELECT max(actor_id) FROM actor));
SELECT setval('address_address_id_seq', (SELECT max(address_id) FROM address));
SELECT setval('category_category_id_seq', (SELECT max(category_id) FROM category));
SELECT setval('city_city_id_seq', (SELECT max(city_id) FROM city));
SELECT setval('country_country_id_seq', (SELECT max(country_id) FROM country));
SELECT setval('customer_customer_id_seq', (SELECT max(customer_id) FROM customer));
SELECT setval('film_film_id_seq', (SELECT max(film_id) FROM film));
SELECT setval('inventory_inventory_id_seq', (SELECT max(inventory_id) FROM inventory));
SELECT setval('language_language_id_seq', (SELECT max(language_id) FROM language));
SELECT setval('rental_rental_id_seq', (SELECT max(rental_id) FROM rental));
SELECT setval('staff_staff_id_seq', (SELECT max(staff_id) FROM staff));
SELECT setval('store_store_id_seq', (SELECT max(store_id) FROM store));

CREATE TRIGGER film_fulltext_trigger BEFORE INSERT OR UPDATE ON film FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title', 'description');
CREATE TRIGGER last_updated BEFORE UPDATE ON actor FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON address FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON category FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON city FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON country FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON customer FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON film_actor FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON film_category FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON inventory FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON language FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON rental FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON staff FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE TRIGGER last_updated BEFORE UPDATE ON store FOR EACH ROW EXECUTE FUNCTION last_updated();
ALTER TABLE ONLY address
    ADD CONSTRAINT address_city_id_fkey FOREIGN KEY (city_id) REFERENCES city(city_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY city
    ADD CONSTRAINT city_country_id_fkey FOREIGN KEY (country_id) REFERENCES country(country_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY customer
    ADD CONSTRAINT customer_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(address_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY customer
    ADD CONSTRAINT customer_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(store_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY film_actor
    ADD CONSTRAINT film_actor_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor(actor_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY film_actor
    ADD CONSTRAINT film_actor_film_id_fkey FOREIGN KEY (film_id) REFERENCES film(film_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY film_category
    ADD CONSTRAINT film_category_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(category_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY film_category
    ADD CONSTRAINT film_category_film_id_fkey FOREIGN KEY (film_id) REFERENCES film(film_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY film
    ADD CONSTRAINT film_language_id_fkey FOREIGN KEY (language_id) REFERENCES language(language_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY film
    ADD CONSTRAINT film_original_language_id_fkey FOREIGN KEY (original_language_id) REFERENCES language(language_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY inventory
    ADD CONSTRAINT inventory_film_id_fkey FOREIGN KEY (film_id) REFERENCES film(film_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY inventory
    ADD CONSTRAINT inventory_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(store_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY payment_p2022_01
    ADD CONSTRAINT payment_p2022_01_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
ALTER TABLE ONLY payment_p2022_01
    ADD CONSTRAINT payment_p2022_01_rental_id_fkey FOREIGN KEY (rental_id) REFERENCES rental(rental_id);
ALTER TABLE ONLY payment_p2022_01
    ADD CONSTRAINT payment_p2022_01_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);
ALTER TABLE ONLY rental
    ADD CONSTRAINT rental_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY rental
    ADD CONSTRAINT rental_inventory_id_fkey FOREIGN KEY (inventory_id) REFERENCES inventory(inventory_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY rental
    ADD CONSTRAINT rental_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY staff
    ADD CONSTRAINT staff_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(address_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY staff
    ADD CONSTRAINT staff_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(store_id);
ALTER TABLE ONLY store
    ADD CONSTRAINT store_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(address_id) ON UPDATE CASCADE ON DELETE RESTRICT;
