package trial

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/store"
)

// Table has the changes of a table's rows.
type Table struct {
	Name, Was string // Was is the name before, if that was another one
	// Before and After are how many rows there are; -1: there is no such table.
	Before, After int64
	// Compared is how many rows were compared by their keys, of which Changed have other
	// values in columns that were there, Gone are no longer there, and New were not.
	Compared, Changed, Gone, New int64
	// Added are columns that are new, and Removed those that go, with the number of rows
	// that have a value.
	Added, Removed []Column
	Samples        []string
}

// Column is one with the number of rows that have a value.
type Column struct {
	Name   string
	Values int64
}

// compare compares the rows of the source with those of the copy, in tables that a
// migration names.
func (t *Trial) compare(ctx context.Context, s Source, c *copied) (all []Table, err error) {
	before, err := store.Open(ctx, store.Config{URL: s.base(), StatementTimeout: -1})
	if err != nil {
		return nil, err
	}
	defer before.Close()
	after, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer after.Close()
	was, err := tables(ctx, before)
	if err != nil {
		return nil, err
	}
	is, err := tables(ctx, after)
	if err != nil {
		return nil, err
	}
	text, err := t.text(ctx, before)
	if err != nil {
		return nil, err
	}
	tableNow, columnNow := renamed(text)
	made := maps.Clone(is)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		now := cmp.Or(tableNow[name], name)
		delete(made, now)
		if !names(text, name) && !names(text, now) {
			continue
		}
		one := Table{Name: now, After: -1}
		if now != name {
			one.Was = name
		}
		p := &pair{before: before, after: after, was: was[name], is: is[now], table: &one, columns: columnNow[name], rows: t.Rows, samples: t.Samples}
		if err := p.compare(ctx, name, now); err != nil {
			return nil, fmt.Errorf("compare %s: %w", name, err)
		}
		all = append(all, one)
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		one := Table{Name: name, Before: -1}
		if err := count(ctx, after, name, &one.After); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// pair is a table before and after.
type pair struct {
	before, after *store.DB
	was, is       *table
	table         *Table
	columns       map[string]string // that are called otherwise
	rows, samples int
}

func (p *pair) compare(ctx context.Context, name, now string) error {
	if err := count(ctx, p.before, name, &p.table.Before); err != nil {
		return err
	}
	if p.is == nil {
		return nil
	}
	if err := count(ctx, p.after, now, &p.table.After); err != nil {
		return err
	}
	var common [][2]string
	for _, c := range p.was.columns {
		to := cmp.Or(p.columns[c], c)
		if slices.Contains(p.is.columns, to) {
			common = append(common, [2]string{c, to})
			continue
		}
		if err := values(ctx, p.before, name, c, &p.table.Removed); err != nil {
			return err
		}
	}
	for _, c := range p.is.columns {
		if slices.ContainsFunc(common, func(pair [2]string) bool { return pair[1] == c }) {
			continue
		}
		if err := values(ctx, p.after, now, c, &p.table.Added); err != nil {
			return err
		}
	}
	if len(p.was.key) == 0 || len(p.is.key) != len(p.was.key) {
		return nil
	}
	return p.merge(ctx, name, now, common)
}

func count(ctx context.Context, db *store.DB, table string, n *int64) error {
	return scan(ctx, db, "SELECT count(*) FROM "+pq.QuoteIdentifier(table), n)
}

func values(ctx context.Context, db *store.DB, table, name string, to *[]Column) error {
	c := Column{Name: name}
	err := scan(ctx, db, fmt.Sprintf("SELECT count(%s) FROM %s", pq.QuoteIdentifier(name), pq.QuoteIdentifier(table)), &c.Values)
	*to = append(*to, c)
	return err
}

// merge goes through both in the order of the key.
func (p *pair) merge(ctx context.Context, name, now string, common [][2]string) error {
	var was, is, added []string
	for _, pair := range common {
		was, is = append(was, pair[0]), append(is, pair[1])
	}
	for _, c := range p.table.Added {
		added = append(added, c.Name)
	}
	left, err := openCursor(ctx, p.before, name, p.was, was, p.rows)
	if err != nil {
		return err
	}
	defer left.close()
	right, err := openCursor(ctx, p.after, now, p.is, append(is, added...), p.rows)
	if err != nil {
		return err
	}
	defer right.close()
	for left.row != nil || right.row != nil {
		if left.full || right.full {
			break // of the rest no more is known
		}
		switch order := p.order(left, right); {
		case order < 0:
			p.table.Gone++
			p.sample(left.id() + ": gone")
			left.next()
		case order > 0:
			p.table.New++
			right.next()
		default:
			p.same(left, right, was, is, added)
			left.next()
			right.next()
		}
	}
	p.table.Compared = max(left.n, right.n)
	return cmp.Or(left.err, right.err)
}

// same compares a row with what it is now.
func (p *pair) same(left, right *cursor, was, is, added []string) {
	var changes []string
	for i := range was {
		if left.values[i] != right.values[i] {
			changes = append(changes, fmt.Sprintf("%s %s -> %s", is[i], shown(left.values[i]), shown(right.values[i])))
		}
	}
	if len(changes) > 0 {
		p.table.Changed++
	}
	for i, name := range added {
		if value := right.values[len(is)+i]; value.Valid {
			changes = append(changes, fmt.Sprintf("%s is %s", name, shown(value)))
		}
	}
	if len(changes) > 0 {
		p.sample(left.id() + ": " + strings.Join(changes, ", "))
	}
}

func (p *pair) sample(line string) {
	if len(p.table.Samples) < p.samples {
		p.table.Samples = append(p.table.Samples, line)
	}
}

func (p *pair) order(left, right *cursor) int {
	switch {
	case left.row == nil:
		return 1
	case right.row == nil:
		return -1
	}
	for i, c := range p.was.key {
		a, b := left.row[i].String, right.row[i].String
		order := cmp.Compare(a, b)
		if c.form == "number" {
			n, _ := strconv.ParseInt(a, 10, 64)
			m, _ := strconv.ParseInt(b, 10, 64)
			order = cmp.Compare(n, m)
		}
		if order != 0 {
			return order
		}
	}
	return 0
}
