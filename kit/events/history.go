package events

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Of returns the changes of one row within the last seven days, the newest first, limit
// at most, as the viewer of the context may know of them. The newest has the row where
// the viewer can read it. There is no token.
//
// It reads limit+1 changes by an index, and the row.
func (f *Feed) Of(ctx context.Context, e *entity.Entity, id gid.ID, limit int, rows Rows) (n News, err error) {
	v := viewer.From(ctx)
	rule := e.Rules.Readable(v, false)
	if rule.Never() {
		return n, rule.Denied(v)
	}
	found, err := f.history(ctx, e, id, limit+1)
	if err != nil {
		return n, err
	}
	current, err := rows(ctx, []gid.ID{id})
	if err != nil {
		return n, err
	}
	n.More = len(found) > limit
	row := current[0]
	after := row != nil // whether the viewer could read the row after the change
	for _, change := range found[:min(limit, len(found))] {
		before := false
		if change.Payload != nil {
			was := columns(change.Payload)
			before = rule.Matches(func(column string) any { return was[column] })
		}
		if before || after {
			n.Changes = append(n.Changes, RowChange{ID: id, Kind: kindOf(change.Topic, before, after), At: change.At, Row: row})
		}
		after, row = before, nil
	}
	return n, nil
}

// kindOf is the kind of a change for a reader who could read the row before it or after.
func kindOf(statement string, before, after bool) Kind {
	switch {
	case before && after:
		return Changed
	case after:
		return Created
	case statement == "delete":
		return Deleted
	}
	return Gone
}

// historyTexts are the changes of a row, whose id is a number or a text.
var historyTexts = map[bool]statement.Statement{
	false: statement.Of(`
		SELECT kind, "before", created_at FROM changes
		WHERE entity = $1 AND entity_id = $2 AND entity_text IS NULL ORDER BY xid DESC, id DESC LIMIT $3`),
	true: statement.Of(`
		SELECT kind, "before", created_at FROM changes
		WHERE entity = $1 AND entity_id = 0 AND entity_text = $2 ORDER BY xid DESC, id DESC LIMIT $3`),
}

// history reads the newest changes of the row that are not older than [Kept].
func (f *Feed) history(ctx context.Context, e *entity.Entity, id gid.ID, most int) (found []Event, err error) {
	err = historyTexts[id.IsText()].Query(ctx, f.DB, func(rows *sql.Rows) error {
		var change Event
		var before []byte
		if err := rows.Scan(&change.Topic, &before, &change.At); err != nil {
			return err
		}
		if change.Payload = before; f.now().Sub(change.At) <= Kept {
			found = append(found, change)
		}
		return nil
	}, e.Name, id, most)
	if err != nil {
		return nil, fmt.Errorf("read the changes of a row: %w", err)
	}
	return found, nil
}
