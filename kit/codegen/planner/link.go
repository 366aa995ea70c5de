package planner

import (
	"fmt"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/migration"
)

// Link is how the rows of a new table between two others follow from those of one of
// the two: a foreign key that comes to be links, say.
type Link struct {
	// From is that table, and To the one that Expression gives ids of for its rows.
	From, To, Expression string
	// FromKey and ToKey are the columns of their keys.
	FromKey, ToKey string
	// Key and Other are the columns of the table between that name their rows.
	Key, Other string
}

// needed reports whether the table between is new, and the others are not.
func (l Link) needed(b *states, table string) bool {
	return b.desired.has(table, "") && !b.current.has(table, "") && b.current.has(l.From, "") && b.current.has(l.To, "")
}

// asked is the step that names the rows whose link would lead to no row.
func (l Link) asked(b *states) *atlas.Change {
	from, _ := b.current.tables.Table(l.From)
	says := l.From + ": expose.Backfill links these rows to none that is there; change them first"
	return &atlas.Change{Cmd: migration.Refuse(says, b.name(from, fmt.Sprintf(`(%[1]s) IS NOT NULL AND (%[1]s) NOT IN (SELECT %[3]s FROM %[2]s)`, l.Expression, pq.QuoteIdentifier(l.To), pq.QuoteIdentifier(l.ToKey)))),
		Comment: "ask first: " + says}
}

// links are the questions to the rows about the links that they get.
func (b *states) links(fills []Fill) (all []*atlas.Change) {
	for _, f := range fills {
		if f.Link != nil {
			all = append(all, f.Link.asked(b))
		}
	}
	return all
}

// followLinks has links follow what programs from before write.
func followLinks(f Fill) []*atlas.Change {
	l, between := f.Link, pq.QuoteIdentifier(f.Table)
	key, other := pq.QuoteIdentifier(l.Key), pq.QuoteIdentifier(l.Other)
	now, was := of("NEW", l.From, l.Expression), of("OLD", l.From, l.Expression)
	body := fmt.Sprintf(`IF TG_OP = 'UPDATE' THEN
		IF %[1]s IS NOT DISTINCT FROM %[2]s THEN
			RETURN NULL;
		END IF;
		DELETE FROM %[3]s WHERE %[4]s = OLD.%[6]s AND %[5]s = %[2]s;
	END IF;
	IF %[1]s IS NOT NULL THEN
		INSERT INTO %[3]s (%[4]s, %[5]s) VALUES (NEW.%[6]s, %[1]s) ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;`, now, was, between, key, other, pq.QuoteIdentifier(l.FromKey))
	return syncOf(l.From, syncName(f.Table, l.Other, 0), "AFTER", body)
}
