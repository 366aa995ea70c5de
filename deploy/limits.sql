-- Behind PgBouncer no connection can limit its own waits, so the role does: what
-- entwine asks for (doc/operations/databases.md). The image of PostgreSQL runs this once.
ALTER ROLE entwine IN DATABASE entwine SET idle_in_transaction_session_timeout = '60000';
ALTER ROLE entwine IN DATABASE entwine SET lock_timeout = '3000';
ALTER ROLE entwine IN DATABASE entwine SET statement_timeout = '8000';
-- So that metrics have the lag of standbys.
GRANT pg_monitor TO entwine;
