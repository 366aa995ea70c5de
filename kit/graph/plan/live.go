package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/read"
)

// Live is the form of a live list's updates: the Shape of its source.
type Live struct{ parts []livePart }

// livePart is a member of an update, or of a step of one.
type livePart struct {
	key   string // `"position":`
	name  string
	raw   string
	parts []livePart // of the steps
	view  int        // of a node: which of the row's
}

// LiveEntity returns the entity whose lists the subscription follows, nil for another
// subscription.
func (all Tables) LiveEntity(f *ast.FieldDefinition) *entity.Entity {
	name, ok := strings.CutSuffix(f.Type.Name(), "Live")
	if t := all[name]; ok && t != nil && t.Live {
		return t.Entity
	}
	return nil
}

// Live plans a live list of the entity.
func (p *Planner) Live(e *entity.Entity, f graphql.CollectedField) (source live.Source, err error) {
	if err := p.Readable(e); err != nil {
		return source, err
	}
	a := p.Arguments(f)
	q, err := p.query(e, a)
	if err != nil {
		return source, err
	}
	if q.Page.Limit, err = a.Size("first", e.Limit); err != nil {
		return source, err
	}
	q.Page.NoPeek, q.Page.Most, q.Page.Endless = true, read.MostCounted, true // as a connection
	rows := p.selection(e)
	w := liveShape{Planner: p, table: p.table(e), rows: rows}
	l := &Live{}
	if l.parts, err = w.parts(f.Selections, e.Name+"Live"); err != nil {
		return source, err
	}
	q.Page.Total = w.counted
	views := make([]*read.Selection, len(w.views))
	for i, v := range w.views {
		views[i] = rows.Slice(v.from, v.to)
	}
	asked, err := json.Marshal([]any{e.Name, a["where"], a["orderBy"], q.Page.Limit})
	if err != nil {
		return source, fmt.Errorf("name a live list: %w", err)
	}
	variables, err := json.Marshal(p.Op.Variables)
	if err != nil {
		return source, fmt.Errorf("name a live list: %w", err)
	}
	return live.Source{
		Form: "graphql " + string(asked), Key: fmt.Sprintf("graphql %p %s %s", p.Op.Operation, f.Alias, variables),
		Entity: e, Where: q.Where, Counted: w.counted, Shape: l,
		Read: func(ctx context.Context, r *read.Reader) (read.Window, error) { return r.Rows(ctx, rows, q, views...) },
	}, nil
}

// liveShape compiles what is selected of a live list's updates.
type liveShape struct {
	*Planner
	table *Table
	rows  *read.Selection
	views []view
	// counted is set where the total is selected.
	counted bool
}

func (w *liveShape) parts(set ast.SelectionSet, of string) ([]livePart, error) {
	var parts []livePart
	for _, f := range w.Collect(set, []string{of}) {
		part := livePart{key: strconv.Quote(f.Alias) + ":", name: f.Name}
		var err error
		switch f.Name {
		case "__typename":
			part.raw = strconv.Quote(of)
		case "totalCount", "totalCountExact":
			w.counted = true
		case "steps":
			part.parts, err = w.parts(f.Selections, w.table.Name+"LiveStep")
		case "node":
			from := w.rows.Len()
			err = w.fill(w.rows, f.Selections)
			part.view = len(w.views)
			w.views = append(w.views, view{from, w.rows.Len()})
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// Update plans what the subscription answers an update with.
func (l *Live) Update(e *entity.Entity, u live.Update) Root {
	return func(*Planner, graphql.CollectedField) (Read, error) {
		return func(_ context.Context, _ *read.Reader, dst []byte) ([]byte, read.Info, error) {
			w := liveWriter{entity: e.Name, u: u}
			dst = w.update(dst, l.parts)
			return dst, w.info, nil
		}, nil
	}
}
