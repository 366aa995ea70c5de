package planner

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"
)

// rename makes the declared renames that are still to be made, on the scratch
// database too, so that what is compared afterwards has the new names.
func (s *state) rename(ctx context.Context, desired *state, renames map[string]string) (changes []*atlas.Change, err error) {
	for _, from := range slices.Sorted(maps.Keys(renames)) {
		to := renames[from]
		table, column, isColumn := strings.Cut(from, ".")
		text := fmt.Sprintf("ALTER TABLE %s RENAME TO %s", pq.QuoteIdentifier(table), pq.QuoteIdentifier(to))
		pending := s.has(table, "") && !s.has(to, "") && desired.has(to, "")
		if isColumn {
			text = fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s",
				pq.QuoteIdentifier(table), pq.QuoteIdentifier(column), pq.QuoteIdentifier(to))
			pending = s.has(table, column) && !s.has(table, to) && desired.has(table, to)
		}
		if !pending {
			continue
		}
		if err := s.run(ctx, text); err != nil {
			return nil, err
		}
		fresh, err := s.inspect(ctx)
		if err != nil {
			return nil, err
		}
		*s = *fresh
		changes = append(changes, &atlas.Change{Cmd: text, Comment: "rename " + from})
	}
	return changes, nil
}

func (s *state) has(table, column string) bool {
	t, ok := s.tables.Table(table)
	if !ok || column == "" {
		return ok
	}
	_, ok = t.Column(column)
	return ok
}
