// Package removal removes rows with all that refer to them, in transactions of a
// bounded size.
//
// The database's foreign keys say which rows refer to a row: those with ON DELETE
// CASCADE are removed along, those with ON DELETE SET NULL are detached. The
// database does both in the statement that removes the row, however many there
// are. [Remover.Few] says whether there are few, and [Remover.Clear] leaves few.
package removal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

const (
	// Most is how many rows go along with one in a single statement.
	Most = 1000
	// batch is how many rows a transaction of [Remover.Clear] writes, unless one of
	// them takes up to Most along.
	batch = 500
	// ahead is how many rows are looked up at once, so that a step seldom passes over
	// the entries that former steps left in an index.
	ahead = 10 * batch
	// deepest is how many foreign keys are followed to count what goes along. Rows
	// beyond are not counted: where there are any, a row counts as one with many.
	deepest = 3
)

// Remover removes rows. It reads the foreign keys of the database once. [Of] makes one.
type Remover struct {
	db *store.DB

	mu     sync.Mutex
	keys   map[string][]*reference // by the table that they refer to
	counts map[string]*statement.Statement
}

// Of returns the remover of the database, which is the same for all callers.
func Of(db *store.DB) *Remover {
	shared := db.Driver().(interface {
		Keep(key any, fresh func(dialect.Driver) any) any
	})
	return shared.Keep(remover{}, func(dialect.Driver) any { return &Remover{db: db} }).(*Remover)
}

// remover is the key under which the database keeps the remover.
type remover struct{}

// Few reports whether at most [Most] rows go along with the row, or are detached from it,
// so that one statement may remove it. It is true, too, where a foreign key lets no row
// go along: the statement says so then.
func (r *Remover) Few(ctx context.Context, table string, id any) (bool, error) {
	_, few, err := r.along(ctx, table, id)
	return few, err
}

// along counts what goes along with the row, as far as it is few.
func (r *Remover) along(ctx context.Context, table string, id any) (along int, few bool, err error) {
	count, err := r.counting(ctx, table)
	if err != nil || count == nil {
		return 0, err == nil, err
	}
	var beyond, kept int64
	if _, err := count.Row(ctx, r.db, []any{&along, &beyond, &kept}, id); err != nil {
		return 0, false, fmt.Errorf("count what goes with %v of %s: %w", id, table, err)
	}
	return along, kept > 0 || beyond == 0 && along <= Most, nil
}

// counting is the statement that counts what goes along with a row of the table: nil
// where no foreign key refers to it. It reads at most Most+1 rows for each foreign key.
func (r *Remover) counting(ctx context.Context, table string) (*statement.Statement, error) {
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.counts[table]; ok {
		return known, nil
	}
	sums := map[string][]string{}
	for _, p := range r.paths(nil, table) {
		sums[p.sum()] = append(sums[p.sum()], p.count())
	}
	var count *statement.Statement
	if len(sums) > 0 {
		columns := make([]string, 0, len(sumNames))
		for _, name := range sumNames {
			columns = append(columns, strings.Join(append(sums[name], "0"), " + "))
		}
		made := statement.Of("SELECT " + strings.Join(columns, ", "))
		count = &made
	}
	r.counts[table] = count
	return count, nil
}

// sumNames are the names of counts: rows that are removed along or detached, rows
// that may take uncounted others along, and rows that keep the row.
var sumNames = []string{"along", "beyond", "kept"}

// path are foreign keys, one after the other, that lead to a row.
type path []*reference

// paths are those that lead to the table, after those that lead on from there.
func (r *Remover) paths(on path, table string) (all []path) {
	for _, key := range r.keys[table] {
		p := slices.Concat(on, path{key})
		all = append(all, p)
		if key.cascades() && !p.ends() {
			all = append(all, r.paths(p, key.child)...)
		}
	}
	return all
}

// ends reports whether the path is followed no further.
func (p path) ends() bool { return len(p) == deepest }

func (p path) sum() string {
	switch last := p[len(p)-1]; {
	case last.action == keeps:
		return "kept"
	case last.cascades() && last.referred && p.ends():
		return "beyond"
	}
	return "along"
}

// count is a query for how many rows the path leads from to the row in $1, up to one more
// than may be. It reads no more of any table on the way.
func (p path) count() string {
	from, of := "", "$1"
	for _, key := range p[:len(p)-1] {
		from = fmt.Sprintf("(SELECT c.id FROM %s%q AS c WHERE c.%q = %s LIMIT %d) AS above CROSS JOIN ", from, key.child, key.column, of, Most+1)
		of = "above.id"
	}
	last := p[len(p)-1]
	return fmt.Sprintf("(SELECT COUNT(*) FROM (SELECT 1 FROM %s%q AS c WHERE c.%q = %s LIMIT %d) AS n)", from, last.child, last.column, of, Most+1)
}
