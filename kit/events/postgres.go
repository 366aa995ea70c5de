package events

import (
	"database/sql"
	"strconv"
)

var postgresReading = reading{
	now: "SELECT " + nowOnPostgres,
	next: func(w *window, last place) (string, []any) {
		var end sql.NullInt64
		var running []int64
		if w.to != nil {
			end, running = sql.NullInt64{Int64: w.to.xmax, Valid: true}, w.to.running
		}
		begun := w.begun()
		return postgresNext, []any{last.xid, last.id, array(w.pending()), w.at.xid, w.at.id, page, begun.xid, begun.id, end, array(running)}
	},
}

// postgresNext is the text of [reading].next on PostgreSQL.
const postgresNext = `
	SELECT now, xid, id, topic, entity, entity_id, entity_text, key, key_text, payload, created_at FROM (
		SELECT 0 AS sort, ` + nowOnPostgres + ` AS now, NULL::bigint AS xid, NULL::bigint AS id, NULL AS topic, NULL AS entity,
			NULL::bigint AS entity_id, NULL AS entity_text, NULL::bigint AS key, NULL AS key_text, NULL AS payload, NULL::timestamptz AS created_at
		UNION ALL
		SELECT 1, NULL, xid, id, topic, entity, entity_id, entity_text, key, key_text, payload, created_at FROM events WHERE xid = $1 AND id = $2
		UNION ALL
		SELECT 2, NULL, old.* FROM unnest($3::text::bigint[]) AS pending(xid), LATERAL (
			SELECT e.xid, id, topic, entity, entity_id, entity_text, key, key_text, payload, created_at FROM events e
			WHERE e.xid = pending.xid AND id > CASE pending.xid WHEN $4 THEN $5::bigint ELSE -1 END ORDER BY id LIMIT $6) AS old
		UNION ALL (
		SELECT 2, NULL, xid, id, topic, entity, entity_id, entity_text, key, key_text, payload, created_at FROM events
		WHERE (xid, id) > ($7, $8) AND xid < COALESCE($9, pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
			AND xid <> ALL ($10::text::bigint[]) ORDER BY xid, id LIMIT $6)) AS found
	ORDER BY sort, xid, id LIMIT $6 + 2`

// array writes the numbers as PostgreSQL writes an array.
func array(numbers []int64) string {
	text := []byte{'{'}
	for i, n := range numbers {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, n, 10)
	}
	return string(append(text, '}'))
}

// nowOnPostgres is the snapshot of a statement, unless the server is a standby: the
// snapshot of a lagging standby says nothing about the primary.
const nowOnPostgres = `CASE WHEN pg_is_in_recovery() THEN '` + onStandby + `' ELSE pg_current_snapshot()::text END`
