package read

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Target is a row that a caller names: by its id, or, where that is zero, by its
// entity's Key.
type Target struct {
	Entity *entity.Entity
	ID     gid.ID
	Key    string
	// Link, if there is one, asks whether the viewer may link the row by it, or, where
	// Linked is set, unlink it, which goes for rows that are deleted softly, too.
	Link   *policy.Link
	Linked bool
}

// TargetRow has the result of [Reader.Find] about a target.
type TargetRow struct {
	// ID is the row's, zero where the viewer can read none.
	ID gid.ID
	// May is set where the viewer may do what Link asks.
	May bool
}

// mostTargets is how many rows are looked for in one statement. SQLite takes a
// few thousand columns, PostgreSQL less.
const mostTargets = 200

// Find looks for the targets that the viewer can read, in one statement.
func (r *Reader) Find(ctx context.Context, targets []Target) ([]TargetRow, error) {
	found := make([]TargetRow, len(targets))
	for start := 0; start < len(targets); start += mostTargets {
		end := min(start+mostTargets, len(targets))
		if err := r.find(ctx, targets[start:end], found[start:end]); err != nil {
			return nil, fmt.Errorf("look for what is named: %w", err)
		}
	}
	return found, nil
}

func (r *Reader) find(ctx context.Context, targets []Target, found []TargetRow) error {
	v := viewer.From(ctx)
	b := r.builder(v, false)
	defer b.release()
	b.WriteString("SELECT ")
	asked := make([]int, 0, len(targets))
	for i, t := range targets {
		rule := t.Entity.Rules.Readable(v, t.Linked)
		if err := rule.Refusal(v); err != nil {
			return err
		}
		if rule.Never() || t.ID.IsZero() && (t.Entity.Key == nil || !entity.ValidText(t.Key)) {
			continue
		}
		if len(asked) > 0 {
			b.WriteString(", ")
		}
		asked = append(asked, i)
		b.WriteString("(SELECT ")
		b.found(&t)
		b.from(t.Entity.Table, "t")
		b.WriteString(" WHERE ")
		if !t.ID.IsZero() {
			b.where(ByID(t.Entity, t.ID), "t")
		} else {
			b.where(Cond{Field: t.Entity.Key, Op: EQ, Value: t.Key}, "t")
		}
		b.rule(rule, "t")
		b.WriteString(")")
	}
	if len(asked) == 0 {
		return nil
	}
	return r.DB.Each(ctx, string(b.text), b.args, func(values []driver.Value) (err error) {
		for i, value := range values {
			if value == nil {
				continue
			}
			if found[asked[i]], err = targets[asked[i]].row(value); err != nil {
				return err
			}
		}
		return nil
	})
}

// row is a target's row as [builder.found] has written it.
func (t *Target) row(value driver.Value) (TargetRow, error) {
	if t.Entity.ID().Kind == entity.ID {
		id, err := number(value)
		return TargetRow{ID: gid.Int(max(id, -id)), May: id > 0}, err
	}
	id, err := idFrom(value)
	text := id.String()
	if err != nil || text == "" {
		return TargetRow{}, err
	}
	return TargetRow{ID: gid.Text(text[1:]), May: text[0] == '+'}, nil
}

// found writes the id of the target, below zero where the viewer may not link it. A text
// or a UUID has the sign before it.
func (b *builder) found(t *Target) {
	id, free := t.Entity.ID().Column, t.Link == nil || t.Link.Free(b.viewer)
	if t.Entity.ID().Kind != entity.ID {
		b.WriteString("CASE WHEN ")
		if free {
			b.WriteString("TRUE")
		} else {
			t.Link.Allowed(b.viewer).Write(b, "t")
		}
		b.WriteString(" THEN '+' ELSE '-' END || ")
		b.column("t", id)
		return
	}
	if free {
		b.column("t", id)
		return
	}
	b.WriteString("CASE WHEN ")
	t.Link.Allowed(b.viewer).Write(b, "t")
	b.WriteString(" THEN ")
	b.column("t", id)
	b.WriteString(" ELSE -")
	b.column("t", id)
	b.WriteString(" END")
}

// State returns the state of the row that the filter admits, for a write that
// touched nothing or has nothing to change: whether it exists, whether the viewer
// can read it and use the verb on it, and its version, 0 where rows have none.
// Deleted rows count where deleted is set.
func (r *Reader) State(ctx context.Context, e *entity.Entity, where Filter, verb string, deleted bool) (version int64, may bool, err error) {
	return r.state(ctx, e, where, verb, deleted, false)
}

// Hold is [Reader.State] with the row locked until the transaction ends. On SQLite
// there is one writing transaction at a time anyway.
func (r *Reader) Hold(ctx context.Context, e *entity.Entity, where Filter, verb string) (version int64, may bool, err error) {
	return r.state(ctx, e, where, verb, false, true)
}

func (r *Reader) state(ctx context.Context, e *entity.Entity, where Filter, verb string, deleted, hold bool) (version int64, may bool, err error) {
	v := viewer.From(ctx)
	readable, rule := e.Rules.Readable(v, deleted), e.Rules.May(v, verb)
	if readable.Never() || rule.Never() {
		return 0, false, readable.Refusal(v)
	}
	b := r.builder(v, deleted)
	defer b.release()
	b.WriteString("SELECT ")
	if f := e.Field("version"); f != nil {
		b.column("t", f.Column)
	} else {
		b.WriteString("0")
	}
	b.from(e.Table, "t")
	b.WriteString(" WHERE ")
	b.where(where, "t")
	b.rule(readable, "t")
	b.rule(rule, "t")
	if hold && b.postgres {
		b.WriteString(` FOR NO KEY UPDATE OF "t"`)
	}
	err = r.DB.Each(ctx, string(b.text), b.args, func(values []driver.Value) (err error) {
		may = true
		version, err = number(values[0])
		return err
	})
	if err != nil {
		return 0, false, fmt.Errorf("read the state of %s: %w", e.Path, err)
	}
	return version, may, nil
}

// Number returns the number in a field of the row, without regard to the viewer: 0 where
// there is no such row.
func (r *Reader) Number(ctx context.Context, e *entity.Entity, id gid.ID, f *entity.Field) (n int64, err error) {
	err = r.stored(ctx, e, id, f, func(value driver.Value) error {
		n, err = number(value)
		return err
	})
	return n, err
}

// Reference returns the id in a foreign key of the row, without regard to the viewer: zero
// where it is null, or there is no such row.
func (r *Reader) Reference(ctx context.Context, e *entity.Entity, id gid.ID, f *entity.Field) (to gid.ID, err error) {
	err = r.stored(ctx, e, id, f, func(value driver.Value) error { return to.Scan(value) })
	return to, err
}

// stored has the value of a field of the row scanned, if there is such a row.
func (r *Reader) stored(ctx context.Context, e *entity.Entity, id gid.ID, f *entity.Field, scan func(driver.Value) error) error {
	b := r.builder(viewer.From(ctx).AsSystem(), true)
	defer b.release()
	b.WriteString("SELECT ")
	b.expression("t", f)
	b.from(e.Table, "t")
	b.WriteString(" WHERE ")
	b.where(ByID(e, id), "t")
	b.rule(e.Rules.Tenant(viewer.From(ctx)), "t")
	err := b.each(ctx, r.DB.Each, 1, func(values []driver.Value) error { return scan(values[0]) })
	if err != nil {
		return fmt.Errorf("read %s of %s %s: %w", f.Name, e.Singular, id, err)
	}
	return nil
}
