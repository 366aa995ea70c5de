package store

// Activity is of this database alone: other sessions of the server belong to others.
func (d postgresDialect) Activity() string {
	return `SELECT count(*) FILTER (WHERE wait_event_type = 'Lock'),
		COALESCE(max(` + d.Since("query_start") + `) FILTER (WHERE wait_event_type = 'Lock'), 0),
		GREATEST(0, max(` + d.Since("xact_start") + `) FILTER (WHERE backend_xid IS NOT NULL),
			(SELECT max(` + d.Since("prepared") + `) FROM pg_prepared_xacts WHERE database = current_database()))
		FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
}

// Followers asks for distances only where they are known: not of standbys whose
// sessions the role may not see.
func (postgresDialect) Followers() string {
	const here = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END)`
	return `SELECT application_name, false, COALESCE(max(EXTRACT(EPOCH FROM replay_lag)), 0)::float8, max(pg_wal_lsn_diff(` + here + `, replay_lsn))::float8
		FROM pg_stat_replication WHERE replay_lsn IS NOT NULL GROUP BY application_name
		UNION ALL
		SELECT slot_name, true, 0, pg_wal_lsn_diff(` + here + `, restart_lsn)::float8 FROM pg_replication_slots WHERE restart_lsn IS NOT NULL`
}

func (postgresDialect) Archive() string {
	return `SELECT current_setting('archive_mode') <> 'off', COALESCE(last_failed_time > COALESCE(last_archived_time, '-infinity'), false),
		COALESCE(EXTRACT(EPOCH FROM last_archived_time), 0)::float8 FROM pg_stat_archiver`
}
