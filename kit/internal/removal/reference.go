package removal

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// reference is a foreign key of one column that refers to the column id of a table.
// Other references are left to the database.
type reference struct {
	child, column, parent string
	// action is the action on the child's row: "cascade", "set null", or another,
	// which keeps it.
	action string
	// counted is set where the removal of the child's row changes the parent's
	// (expose.CountOf).
	counted bool
	// referred is set where foreign keys refer to the child.
	referred bool
}

// keeps is the action of a foreign key that lets no row go.
const keeps = "keeps"

func (f *reference) cascades() bool { return f.action == "cascade" }

var referencesText = statement.Each(store.Dialect.References)

// load reads the foreign keys, unless it has.
func (r *Remover) load(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys != nil {
		return nil
	}
	keys := map[string][]*reference{}
	err := referencesText.Query(ctx, r.db, func(rows *sql.Rows) error {
		f := new(reference)
		if err := rows.Scan(&f.child, &f.column, &f.parent, &f.action, &f.counted); err != nil {
			return err
		}
		if f.action != "cascade" && f.action != "set null" {
			f.action = keeps
		}
		keys[f.parent] = append(keys[f.parent], f)
		return nil
	})
	if err != nil {
		return fmt.Errorf("list foreign keys: %w", err)
	}
	for _, all := range keys {
		// Detached rows come first: their texts about a person are replaced with that.
		slices.SortFunc(all, func(a, b *reference) int {
			return cmp.Or(-cmp.Compare(a.action, b.action), cmp.Compare(a.child, b.child), cmp.Compare(a.column, b.column))
		})
		for _, f := range all {
			f.referred = len(keys[f.child]) > 0
		}
	}
	r.keys, r.counts = keys, map[string]*statement.Statement{}
	return nil
}
