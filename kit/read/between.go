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

// Attach makes the rows between from[i] and to[i] that are not there, for an
// edge of many to many, and returns how many it made.
func (r *Reader) Attach(ctx context.Context, g *entity.Edge, from, to []gid.ID) (int, error) {
	b := r.builder(viewer.From(ctx), false)
	defer b.release()
	b.WriteString(`INSERT INTO "` + g.Join.Table + `" ("` + g.Join.From + `", "` + g.Join.To + `") SELECT `)
	if b.postgres {
		b.WriteString("* FROM unnest(")
		b.Arg(array(from))
		b.WriteString("::" + g.Of.KeyType() + "[], ")
		b.Arg(array(to))
		b.WriteString("::" + g.To.ID().Kind.KeyType() + "[])")
	} else {
		b.WriteString("value ->> 0, value ->> 1 FROM json_each(")
		b.Arg(jsonPairs(from, to))
		b.WriteString(") WHERE TRUE") // which has ON belong to the INSERT
	}
	b.WriteString(" ON CONFLICT DO NOTHING RETURNING 1")
	return r.moved(ctx, g, b)
}

// Detach removes the rows between from and any of to, and returns how many it removed.
func (r *Reader) Detach(ctx context.Context, g *entity.Edge, from gid.ID, to []gid.ID) (int, error) {
	b := r.builder(viewer.From(ctx), false)
	defer b.release()
	b.detach(g, from)
	b.column(g.Join.Table, g.Join.To)
	b.in(to)
	b.WriteString(" RETURNING 1")
	return r.moved(ctx, g, b)
}

// DetachOthers removes the rows between from and all but those of keep, and
// returns how many it removed. Rows that the viewer can't read stay attached.
func (r *Reader) DetachOthers(ctx context.Context, g *entity.Edge, from gid.ID, keep []gid.ID) (int, error) {
	b := r.builder(viewer.From(ctx), false)
	defer b.release()
	rule := g.To.Rules.Readable(b.viewer, false)
	if rule.Never() {
		return 0, rule.Refusal(b.viewer)
	}
	b.detach(g, from)
	b.WriteString("NOT (")
	b.column(g.Join.Table, g.Join.To)
	b.in(keep)
	b.WriteString(") AND EXISTS (SELECT 1")
	b.from(g.To.Table, "t")
	b.WriteString(" WHERE ")
	b.column("t", g.To.ID().Column)
	b.WriteString(" = ")
	b.column(g.Join.Table, g.Join.To)
	b.rule(rule, "t")
	b.WriteString(") RETURNING 1")
	return r.moved(ctx, g, b)
}

// Attached returns which of the rows the edge leads to, whatever the viewer can
// read.
func (r *Reader) Attached(ctx context.Context, g *entity.Edge, from gid.ID, rows []gid.ID) (attached []gid.ID, err error) {
	b := r.builder(viewer.From(ctx), false)
	defer b.release()
	b.WriteString("SELECT ")
	b.column("j", g.Join.To)
	b.from(g.Join.Table, "j")
	b.WriteString(" WHERE ")
	b.column("j", g.Join.From)
	b.WriteString(" = ")
	b.Arg(from.Any())
	b.WriteString(" AND ")
	b.column("j", g.Join.To)
	b.in(rows)
	err = r.DB.Each(ctx, string(b.text), b.args, func(values []driver.Value) error {
		id, err := idFrom(values[0])
		attached = append(attached, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read which %s: %w", g.Name, err)
	}
	return attached, nil
}

// Bound reports whether [Reader.DetachOthers] would detach a row that the viewer
// may not unlink.
func (r *Reader) Bound(ctx context.Context, g *entity.Edge, link *policy.Link, from gid.ID, keep []gid.ID) (bool, error) {
	v := viewer.From(ctx)
	readable := g.To.Rules.Readable(v, false)
	if link == nil || link.Free(v) || readable.Never() {
		return false, nil
	}
	b := r.builder(v, false)
	defer b.release()
	b.WriteString("SELECT 1")
	b.from(g.Join.Table, "j")
	b.WriteString(` JOIN "` + g.To.Table + `" AS "t" ON `)
	b.column("t", g.To.ID().Column)
	b.WriteString(" = ")
	b.column("j", g.Join.To)
	b.WriteString(" WHERE ")
	b.column("j", g.Join.From)
	b.WriteString(" = ")
	b.Arg(from.Any())
	b.WriteString(" AND NOT (")
	b.column("j", g.Join.To)
	b.in(keep)
	b.WriteString(")")
	b.rule(readable, "t")
	b.WriteString(" AND ")
	policy.Not(link.Allowed(v)).Write(b, "t")
	b.WriteString(" LIMIT 1")
	n, err := scalar(ctx, r.DB, b)
	if err != nil {
		return false, fmt.Errorf("read which %s: %w", g.Name, err)
	}
	return n > 0, nil
}

// detach begins to remove rows between from and others.
func (b *builder) detach(g *entity.Edge, from gid.ID) {
	b.WriteString(`DELETE FROM "` + g.Join.Table + `" WHERE `)
	b.column(g.Join.Table, g.Join.From)
	b.WriteString(" = ")
	b.Arg(from.Any())
	b.WriteString(" AND ")
}

// moved runs a statement that returns a row for each that it writes, and counts them.
func (r *Reader) moved(ctx context.Context, g *entity.Edge, b *builder) (n int, err error) {
	err = r.DB.Each(ctx, string(b.text), b.args, func([]driver.Value) error {
		n++
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("write which %s: %w", g.Name, err)
	}
	return n, nil
}
