package policy

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/problem"
)

// KeepOne returns a hook that keeps at least one row of the table that the rule
// admits: a write that would leave none, where there was one, fails with the message
// as a problem of the kind Conflict, the system's writes included. The rule is about
// columns of the table alone. The writes that could do so, deletes and updates of
// those columns, hold a lock until their transaction ends, so that of two at once
// one fails.
func KeepOne(table string, rule Rule, message string) ent.Hook {
	columns := rule.columns()
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (value ent.Value, err error) {
			if !mayTake(m, columns) {
				return next.Mutate(ctx, m)
			}
			db, ok := m.(asking).Driver().(keeping)
			if !ok {
				return nil, fmt.Errorf("policy: %T keeps nothing", m.(asking).Driver())
			}
			err = db.InTx(ctx, func(ctx context.Context) error {
				if err := db.Lock(ctx, "keep one of "+table); err != nil {
					return err
				}
				before, err := some(ctx, db, table, rule)
				if err != nil {
					return err
				}
				if value, err = next.Mutate(ctx, m); err != nil || !before {
					return err
				}
				after, err := some(ctx, db, table, rule)
				if err == nil && !after {
					err = problem.New(problem.Conflict, "%s", message)
				}
				return err
			})
			return value, err
		})
	}
}

// keeping is what the database that a mutation writes to offers beyond Ent's
// driver.
type keeping interface {
	dialect.Driver
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	Lock(ctx context.Context, name string) error
}

// mayTake reports whether the mutation removes rows or writes one of the columns.
func mayTake(m ent.Mutation, columns []string) bool {
	if m.Op().Is(ent.OpDelete | ent.OpDeleteOne) {
		return true
	}
	return m.Op().Is(ent.OpUpdate|ent.OpUpdateOne) && slices.ContainsFunc(columns, func(name string) bool {
		_, written := m.Field(name)
		return written || m.FieldCleared(name)
	})
}

// some reports whether the table has a row of which the rule is true.
func some(ctx context.Context, db dialect.Driver, table string, rule Rule) (bool, error) {
	b := sql.Builder{}
	b.SetDialect(db.Dialect())
	b.WriteString("SELECT 1 FROM ")
	b.Ident(table)
	b.WriteString(" WHERE ")
	rule.Write(entWriter{&b}, "")
	b.WriteString(" LIMIT 1")
	query, args := b.Query()
	var rows sql.Rows
	if err := db.Query(ctx, query, args, &rows); err != nil {
		return false, fmt.Errorf("look for one of %s: %w", table, err)
	}
	defer rows.Close()
	found := rows.Next()
	return found, rows.Err()
}

// columns returns those that the rule names, of the row itself.
func (r Rule) columns() []string {
	var names []string
	if r.column != "" {
		names = append(names, r.column)
	}
	if r.op == opLess {
		names = append(names, r.foreign)
	}
	for _, inner := range r.rules {
		names = append(names, inner.columns()...)
	}
	return names
}
