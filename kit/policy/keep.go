package policy

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// KeepOne returns a hook that keeps at least one row of the table that the rule
// admits: a write that would leave none, where there was one, fails with the message
// as a problem of the kind Conflict, the system's writes included. The rule is about
// columns of the table alone. The writes that could do so, deletes and updates of
// those columns, hold a lock until their transaction ends, so that of two at once
// one fails.
func KeepOne(table string, rule Rule, message string) ent.Hook {
	return kept{table: table, rule: rule, message: message}.hook
}

// KeepOnePer is [KeepOne] for each value of a column: each organisation keeps an
// owner.
//
//	policy.KeepOnePer("members", "org_id", policy.Is("role", "owner"), "this is the last owner")
//
// Only the values of the rows that a write touches are looked at, and locked: writes
// in other organisations don't wait. An index that begins with the column makes each
// look one read. Rows of a deleted row, softly or by its foreign key, are removed
// with it.
func KeepOnePer(table, column string, rule Rule, message string) ent.Hook {
	return kept{table: table, per: column, rule: rule, message: message}.hook
}

// kept says which rows are kept.
type kept struct {
	table, per string // per is empty where there is one of all
	rule       Rule
	message    string
}

// Kept says what a hook of [KeepOne] and [KeepOnePer] keeps. The generator checks that
// the columns exist and have the types.
type Kept struct {
	// Says is the word of this package, Table the table, and Per the column of KeepOnePer.
	Says  string `json:"says"`
	Table string `json:"table"`
	Per   string `json:"per,omitempty"`
	// Terms are the conditions of the rule.
	Terms []Term `json:"terms,omitempty"`
}

// KeptBy returns what the hook keeps: false where it is none of [KeepOne] and
// [KeepOnePer].
func KeptBy(h ent.Hook) (Kept, bool) {
	if runtime.FuncForPC(reflect.ValueOf(h).Pointer()).Name() != keptHook {
		return Kept{}, false
	}
	k := h(nil).(keeper).kept
	of := Kept{Says: "policy.KeepOne", Table: k.table, Per: k.per, Terms: k.rule.terms(k.table)}
	if k.per != "" {
		of.Says = "policy.KeepOnePer"
	}
	return of, true
}

// keptHook is the name of the function that the hooks of this file are.
var keptHook = runtime.FuncForPC(reflect.ValueOf(kept{}.hook).Pointer()).Name()

func (k kept) hook(next ent.Mutator) ent.Mutator {
	columns := k.rule.columns()
	if k.per != "" {
		columns = append(columns, k.per)
	}
	return keeper{k, columns, next}
}

// keeper carries mutations out that leave what is kept.
type keeper struct {
	kept    kept
	columns []string
	next    ent.Mutator
}

// Mutate implements ent.Mutator.
func (h keeper) Mutate(ctx context.Context, m ent.Mutation) (value ent.Value, err error) {
	k := h.kept
	if !mayTake(m, h.columns) || k.per != "" && goesAlong(m) {
		return h.next.Mutate(ctx, m)
	}
	db, ok := m.(asking).Driver().(keeping)
	if !ok {
		return nil, fmt.Errorf("policy: %T keeps nothing", m.(asking).Driver())
	}
	err = db.InTx(ctx, func(ctx context.Context) error {
		before, err := k.lock(ctx, db, m)
		if err != nil {
			return err
		}
		if value, err = h.next.Mutate(ctx, m); err != nil {
			return err
		}
		for _, group := range before {
			after, err := k.some(ctx, db, group)
			if err != nil {
				return err
			}
			if !after {
				return problem.New(problem.Conflict, "%s", k.message)
			}
		}
		return nil
	})
	return value, err
}

// lock returns the groups that the mutation touches and that have a row to keep, and
// holds a lock on each until the transaction ends. Where there is one of all that is
// one group, nil.
func (k kept) lock(ctx context.Context, db keeping, m ent.Mutation) (groups []any, err error) {
	name := "keep one of " + k.table
	if k.per == "" {
		if err := db.Lock(ctx, name); err != nil {
			return nil, err
		}
		there, err := k.some(ctx, db, nil)
		if there {
			groups = []any{nil}
		}
		return groups, err
	}
	locked := map[any]bool{}
	for { // a row may have come to another group before its own was locked
		if groups, err = k.groups(ctx, db, m); err != nil {
			return nil, err
		}
		whole := true
		for _, group := range groups { // in their order, or two writers could wait for each other
			if locked[group] {
				continue
			}
			if err := db.Lock(ctx, fmt.Sprint(name, " ", k.per, " ", group)); err != nil {
				return nil, err
			}
			locked[group], whole = true, false
		}
		if whole {
			return groups, nil
		}
	}
}

// goesAlong reports whether the mutation deletes rows softly with the row that they
// belong to.
func goesAlong(m ent.Mutation) bool {
	if !m.Op().Is(ent.OpUpdate | ent.OpUpdateOne) {
		return false
	}
	_, with := m.Field("deleted_with")
	return with
}

// keeping is the part of a mutation's database beyond Ent's driver.
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

// some reports whether the group has a row of which the rule is true.
func (k kept) some(ctx context.Context, db dialect.Driver, group any) (bool, error) {
	b := sql.Builder{}
	b.SetDialect(db.Dialect())
	b.WriteString("SELECT 1 FROM ")
	b.Ident(k.table)
	b.WriteString(" WHERE ")
	if k.per != "" {
		b.Ident(k.per)
		b.WriteString(" = ")
		b.Arg(group)
		b.WriteString(" AND ")
	}
	k.rule.Write(entWriter{&b}, "")
	b.WriteString(" LIMIT 1")
	found := false
	err := k.query(ctx, db, &b, func(*sql.Rows) error { found = true; return nil })
	return found, err
}

// inOne is how many ids one statement has.
const inOne = 500

// groups are those of the rows that the mutation touches of which the rule is true,
// in their order.
func (k kept) groups(ctx context.Context, db dialect.Driver, m ent.Mutation) ([]any, error) {
	ids, err := touched(viewer.With(ctx, viewer.AcrossTenants()), m)
	if err != nil {
		return nil, fmt.Errorf("look for the rows of %s: %w", k.table, err)
	}
	var groups []any
	for part := range slices.Chunk(ids, inOne) {
		b := sql.Builder{}
		b.SetDialect(db.Dialect())
		b.WriteString("SELECT DISTINCT ")
		b.Ident(k.per)
		b.WriteString(" FROM ")
		b.Ident(k.table)
		b.WriteString(" WHERE ")
		b.Ident(k.per)
		b.WriteString(" IS NOT NULL AND ")
		b.Ident("id")
		b.WriteString(" IN (")
		b.Args(part...)
		b.WriteString(") AND ")
		k.rule.Write(entWriter{&b}, "")
		if err := k.query(ctx, db, &b, func(rows *sql.Rows) error {
			var group any
			err := rows.Scan(&group)
			if text, ok := group.([]byte); ok {
				group = string(text)
			}
			groups = append(groups, group)
			return err
		}); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(groups, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return slices.Compact(groups), nil
}

// query runs what was built, and calls each for every row.
func (k kept) query(ctx context.Context, db dialect.Driver, b *sql.Builder, each func(*sql.Rows) error) error {
	query, args := b.Query()
	var rows sql.Rows
	if err := db.Query(ctx, query, args, &rows); err != nil {
		return fmt.Errorf("look for one of %s: %w", k.table, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(&rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// touched are the ids of the rows that a mutation changes or removes, from the method
// IDs that Ent generates for mutations, with a type of its own for each id.
func touched(ctx context.Context, m ent.Mutation) ([]any, error) {
	method := reflect.ValueOf(m).MethodByName("IDs")
	if !method.IsValid() || method.Type().NumIn() != 1 || method.Type().NumOut() != 2 {
		return nil, fmt.Errorf("policy: %T has no IDs", m)
	}
	out := method.Call([]reflect.Value{reflect.ValueOf(ctx)})
	if err, _ := reflect.TypeAssert[error](out[1]); err != nil {
		return nil, err
	}
	ids := make([]any, out[0].Len())
	for i := range ids {
		if id := out[0].Index(i); id.CanInt() {
			ids[i] = id.Int()
		} else {
			ids[i] = id.Interface()
		}
	}
	return ids, nil
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
