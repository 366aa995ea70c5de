package events

import (
	"database/sql"
	"math"

	"github.com/entwine-go/entwine/kit/store"
)

// looking is how a database is asked for the changes of an entity: like [reading], by
// the index of changes by their entities. The change that was read last is there for
// as long as changes are kept, or the database is another one.
type looking struct {
	now  string
	next func(w *window, last place, entity string, page int) (text string, args []any)
}

var lookings = store.PerDialect(
	looking{
		now: "SELECT " + nowOnPostgres,
		next: func(w *window, last place, entity string, page int) (string, []any) {
			var end sql.NullInt64
			var running []int64
			if w.to != nil {
				end, running = sql.NullInt64{Int64: w.to.xmax, Valid: true}, w.to.running
			}
			begun := w.begun()
			return postgresLook, []any{last.id, last.xid, array(w.pending()), w.at.xid, w.at.id, page, begun.xid, begun.id, end, array(running), entity}
		},
	},
	looking{
		now: "SELECT " + seqOnSQLite,
		next: func(w *window, last place, entity string, page int) (string, []any) {
			end := int64(math.MaxInt64)
			if w.to != nil {
				end = w.to.last
			}
			return sqliteLook, []any{last.id, max(w.from.last, w.at.id), end, page, entity}
		},
	})

const postgresLook = `
	SELECT now, xid, id, kind, entity, entity_id, entity_text, entity_id, entity_text, "before", created_at FROM (
		SELECT 0 AS sort, ` + nowOnPostgres + ` AS now, NULL::bigint AS xid, NULL::bigint AS id, NULL AS kind, NULL AS entity,
			NULL::bigint AS entity_id, NULL AS entity_text, NULL AS "before", NULL::timestamptz AS created_at
		UNION ALL
		SELECT 1, NULL, xid, id, kind, entity, entity_id, entity_text, NULL, created_at FROM changes WHERE id = $1 AND xid = $2
		UNION ALL
		SELECT 2, NULL, old.* FROM unnest($3::text::bigint[]) AS pending(xid), LATERAL (
			SELECT c.xid, id, kind, entity, entity_id, entity_text, "before", created_at FROM changes c
			WHERE c.entity = $11 AND c.xid = pending.xid AND id > CASE pending.xid WHEN $4 THEN $5::bigint ELSE -1 END ORDER BY id LIMIT $6) AS old
		UNION ALL (
		SELECT 2, NULL, xid, id, kind, entity, entity_id, entity_text, "before", created_at FROM changes
		WHERE entity = $11 AND (xid, id) > ($7, $8) AND xid < COALESCE($9, pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
			AND xid <> ALL ($10::text::bigint[]) ORDER BY xid, id LIMIT $6)) AS found
	ORDER BY sort, xid, id LIMIT $6 + 2`

const seqOnSQLite = "COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)"

const sqliteLook = `
	SELECT s.seq, xid, id, kind, entity, entity_id, entity_text, entity_id, entity_text, "before", created_at
	FROM (SELECT ` + seqOnSQLite + ` AS seq) s LEFT JOIN (
		SELECT * FROM changes WHERE id = ?1
		UNION ALL
		SELECT * FROM (SELECT * FROM changes WHERE entity = ?5 AND xid = 0 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4)) c
	ORDER BY id`
