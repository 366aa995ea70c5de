-- The tables of an application: people write notes, and remarks on them.
CREATE TABLE users (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	name text NOT NULL
);
CREATE TABLE notes (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	text text NOT NULL,
	user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE remarks (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	text text NOT NULL,
	note_id bigint NOT NULL REFERENCES notes (id) ON DELETE CASCADE
);

-- The tables of the kit's packages.
CREATE TABLE events (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	xid bigint NOT NULL DEFAULT 0,
	topic text NOT NULL,
	entity text NOT NULL,
	entity_id bigint NOT NULL,
	key bigint NOT NULL,
	payload text,
	created_at datetime NOT NULL
);
CREATE INDEX event_xid_id ON events (xid, id);
CREATE TABLE emails (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	created_at datetime NOT NULL,
	message_id text NOT NULL UNIQUE,
	sender text NOT NULL,
	recipient text NOT NULL,
	subject text NOT NULL,
	text text NOT NULL,
	html text,
	recipient_fold text,
	subject_fold text
);
CREATE TABLE trusted_documents (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	created_at datetime NOT NULL,
	key text NOT NULL UNIQUE,
	text text NOT NULL,
	text_hash blob NOT NULL
);
CREATE TABLE idempotency_records (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	created_at datetime NOT NULL,
	key_hash blob NOT NULL UNIQUE,
	fingerprint blob NOT NULL,
	caller text NOT NULL DEFAULT '',
	status bigint,
	entity text,
	row_id bigint,
	body blob,
	view blob,
	size bigint NOT NULL DEFAULT 0,
	expires_at datetime NOT NULL
);
CREATE TABLE jobs (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	created_at datetime NOT NULL,
	updated_at datetime NOT NULL,
	kind text NOT NULL,
	status text NOT NULL DEFAULT 'queued',
	progress real NOT NULL DEFAULT 0,
	attempts bigint NOT NULL DEFAULT 0,
	max_attempts bigint NOT NULL DEFAULT 10,
	error text,
	run_at datetime NOT NULL,
	started_at datetime,
	finished_at datetime,
	args json NOT NULL,
	queue text NOT NULL DEFAULT 'default',
	unique_key text,
	tick datetime,
	fence bigint NOT NULL DEFAULT 0,
	lease_until datetime,
	generation bigint NOT NULL DEFAULT 0,
	rung_at datetime,
	ring_at datetime NOT NULL,
	epoch text,
	result_type text,
	result_name text,
	result_size bigint,
	result_until datetime,
	user_id bigint REFERENCES users (id) ON DELETE SET NULL,
	key_id bigint,
	result_url text,
	traceparent text
);
CREATE UNIQUE INDEX job_kind_unique_key ON jobs (kind, unique_key) WHERE finished_at IS NULL;
CREATE UNIQUE INDEX job_kind_tick ON jobs (kind, tick) WHERE tick IS NOT NULL;
CREATE TABLE job_chunks (
	id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
	created_at datetime NOT NULL,
	fence bigint NOT NULL,
	position bigint NOT NULL,
	data blob NOT NULL,
	job_id bigint NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	UNIQUE (job_id, fence, position)
);

-- What is announced.
CREATE TRIGGER note_written AFTER INSERT ON notes FOR EACH ROW BEGIN
	INSERT INTO events (xid, topic, entity, entity_id, key, payload, created_at)
	VALUES (0, 'note.written', 'Note', NEW.id, NEW.id, NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
CREATE TRIGGER remark_made AFTER INSERT ON remarks FOR EACH ROW BEGIN
	INSERT INTO events (xid, topic, entity, entity_id, key, payload, created_at)
	VALUES (0, 'remark.made', 'Remark', NEW.id, NEW.note_id, NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
CREATE TRIGGER remark_removed AFTER DELETE ON remarks FOR EACH ROW BEGIN
	INSERT INTO events (xid, topic, entity, entity_id, key, payload, created_at)
	VALUES (0, 'remark.removed', 'Remark', OLD.id, OLD.note_id, NULL, strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
CREATE TRIGGER job_accepted AFTER INSERT ON jobs FOR EACH ROW BEGIN
	INSERT INTO events (xid, topic, entity, entity_id, key, payload, created_at)
	VALUES (0, 'job.progress', 'Job', NEW.id, NEW.id, json_object('status', NEW.status), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
CREATE TRIGGER job_moved AFTER UPDATE ON jobs FOR EACH ROW WHEN NEW.status <> OLD.status OR NEW.progress <> OLD.progress BEGIN
	INSERT INTO events (xid, topic, entity, entity_id, key, payload, created_at)
	VALUES (0, 'job.progress', 'Job', NEW.id, NEW.id, json_object('status', NEW.status), strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now'));
END;
