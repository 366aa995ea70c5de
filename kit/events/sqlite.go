package events

import "math"

var sqliteReading = reading{
	now: "SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)",
	next: func(w *window, last place) (string, []any) {
		end := int64(math.MaxInt64)
		if w.to != nil {
			end = w.to.last
		}
		return sqliteNext, []any{last.id, max(w.from.last, w.at.id), end, page}
	},
}

// sqliteNext is the text of [reading].next on SQLite.
const sqliteNext = `
	SELECT s.seq, 0, id, topic, entity, entity_id, entity_text, key, key_text, payload, created_at
	FROM (SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS seq) s LEFT JOIN (
		SELECT * FROM events WHERE id = ?1 OR id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4 + 1) e
	ORDER BY id`
