package read

import (
	"context"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
)

// Deferred is a part of a selection that is read and written after the rest
// (GraphQL's @defer): members of a row, of an edge or of a connection.
type Deferred struct {
	label string
	// rows are the shown members: of the row itself, or of the rows in a connection.
	rows *Selection
	// parts are those of the edge or of the connection.
	parts []Part
}

// Defer has the members of the selection written later: where each row stands,
// under no key of their own.
func (s *Selection) Defer(label string, sub *Selection) {
	s.items = append(s.items, item{kind: itemDeferred, deferred: &Deferred{label: label, rows: sub}})
}

// DeferredPart has parts of a connection, or of its edges, written later.
func DeferredPart(label string, rows *Selection, parts []Part) Part {
	return Part{Kind: PartDeferred, deferred: &Deferred{label: label, rows: rows, parts: parts}}
}

// pending is a place where something is to be written later.
type pending struct {
	*Deferred
	path []step
	set  *set
	// row is the place of the row in the set; of an edge, of its row in the page.
	row  int
	page page
	kind place
}

type place uint8

const (
	inRow place = iota
	inEdge
	inConnection
)

// later notes a place. A page is that of the rows that were read first,
// whatever is shown of them since.
func (w *writer) later(p pending) {
	p.path = slices.Clone(w.path)
	p.page.again = nil
	w.pending = append(w.pending, p)
}

// Later has the deferred parts.
type Later struct {
	*reading
	queue []pending
}

// Payload is a deferred part at one place: the members of the object that the path
// leads to, or null where one of them is null and can't be.
type Payload struct {
	Label   string
	Path    []any
	JSON    []byte
	Errors  []PathError
	Members int
}

func (r *reading) later(queue []pending) *Later {
	if len(queue) == 0 {
		return nil
	}
	return &Later{r, queue}
}

// Next reads the first of the deferred parts, for all rows of a level at once, for
// the viewer that the rest was read for. It returns none where there is nothing
// left.
func (l *Later) Next(ctx context.Context) []Payload {
	if len(l.queue) == 0 {
		return nil
	}
	var now, rest []pending
	for _, p := range l.queue {
		if p.Deferred == l.queue[0].Deferred && p.set == l.queue[0].set {
			now = append(now, p)
		} else {
			rest = append(rest, p)
		}
	}
	l.queue = rest
	again, err := l.again(ctx, now)
	payloads := make([]Payload, len(now))
	for i, p := range now {
		w := writer{path: p.path}
		out := &payloads[i]
		out.Label = p.label
		for _, s := range p.path {
			out.Path = append(out.Path, s.value())
		}
		if err != nil {
			w.fail(err)
			out.JSON = []byte("null")
		} else {
			out.JSON = p.write(&w, again)
		}
		out.Errors, out.Members = w.errors, w.members
		l.queue = append(l.queue, w.pending...)
	}
	return payloads
}

// Place is where something comes later.
type Place struct {
	Label string
	Path  []any
}

// Places are the places of the remaining parts.
func (l *Later) Places() []Place {
	places := make([]Place, len(l.queue))
	for i, p := range l.queue {
		places[i].Label = p.label
		for _, s := range p.path {
			places[i].Path = append(places[i].Path, s.value())
		}
	}
	return places
}

// More reports whether something is left.
func (l *Later) More() bool { return len(l.queue) > 0 }

// write returns what belongs to the place.
func (p *pending) write(w *writer, again *again) []byte {
	p.page.again = again
	var out []byte
	whole := true
	switch p.kind {
	case inConnection:
		out = w.connection(nil, p.page, p.parts)
	case inEdge:
		out = w.edge(nil, p.page, p.row, p.parts)
	default:
		row, found := again.row(p.set, p.row)
		if !found {
			w.fail(NotFound(p.set.selection.Entity))
			return []byte("null")
		}
		out, whole = w.object(nil, again.set, row, p.rows)
	}
	if !whole {
		return []byte("null")
	}
	return out
}

// again are rows that were read once more, with what was deferred.
type again struct {
	set *set
	at  map[gid.ID]int // by their ids
}

// row returns the place of the row of another set, if it is still there.
func (a *again) row(s *set, row int) (int, bool) {
	i, found := a.at[s.id(row)]
	return i, found
}

// again reads what the places of one set show: the rows, under the rule that
// admitted them, with their relations, and totals.
func (l *Later) again(ctx context.Context, places []pending) (*again, error) {
	first := &places[0]
	if wants(first.parts, PartTotal, PartTotalExact) {
		if err := l.totals(ctx, places); err != nil {
			return nil, err
		}
	}
	a := &again{set: &set{selection: first.rows, columns: first.rows.columns}, at: map[gid.ID]int{}}
	if first.parts != nil && !wants(first.parts, PartNode, PartNodes) {
		return a, nil
	}
	ids := idsOf(places)
	if len(ids) == 0 {
		return a, nil
	}
	a.set.asked = len(ids)
	rule := first.set.rule
	if err := l.lookUp(ctx, a.set, a.set.selection.Entity.ID().Column, ids, rule); err != nil {
		return nil, fmt.Errorf("read deferred %s: %w", a.set.selection.Entity.Path, err)
	}
	for row := range a.set.count {
		a.at[a.set.id(row)] = row
	}
	return a, l.relate(ctx, a.set, rule)
}

// idsOf are the ids of the rows that the places show.
func idsOf(places []pending) []gid.ID {
	var ids []gid.ID
	seen := map[gid.ID]bool{}
	add := func(s *set, row int) {
		if id := s.id(row); !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for i := range places {
		switch p := &places[i]; p.kind {
		case inConnection:
			for j := range p.page.n {
				add(p.set, p.page.row(j))
			}
		case inEdge:
			add(p.set, p.page.row(p.row))
		default:
			add(p.set, p.row)
		}
	}
	return ids
}

// totals counts the rows of the places' connections.
func (l *Later) totals(ctx context.Context, places []pending) error {
	s, q := places[0].set, places[0].page.query
	if s.edge == nil {
		e, counted := s.selection.Entity, exactly(q.Where)
		counted.Page.Most, counted.Page.Endless = q.Page.Most, q.Page.Endless
		n, err := l.total(ctx, e, counted)
		atLeast := false
		if err == nil && q.Page.Most > 0 {
			n, atLeast, err = l.bounded(ctx, e, counted, n)
		}
		for i := range places {
			places[i].page.total, places[i].page.atLeast = n, atLeast
		}
		return err
	}
	counts, more, err := l.counts(ctx, s.edge, q, s.parents, s.counted)
	if err == nil && bounded(s.edge) {
		more, err = l.unwalked(ctx, s.edge, !trivial(q.Where), s.parents, s.counted, counts)
	}
	for i := range places {
		places[i].page.total, places[i].page.atLeast = counts[places[i].page.parent], more[places[i].page.parent]
	}
	return err
}

// lookUp reads the rows whose column has one of the values.
func (r *reading) lookUp(ctx context.Context, rows *set, column string, keys []gid.ID, rule policy.Rule) error {
	r.join(rows)
	return r.statement(func(b *builder) error {
		b.WriteString("SELECT ")
		b.columns("t", rows.columns)
		if rows.extra > 0 {
			b.WriteString(", ")
			b.column("t", column)
		}
		b.joinedColumns(rows)
		b.listed(false)
		b.from(rows.selection.Entity.Table, "t")
		b.joins(rows)
		b.WriteString(" WHERE ")
		b.anyOf("t", column, keys)
		b.rule(rule, "t")
		return nil
	}, func(b *builder) error { return rows.read(ctx, r.DB, b) })
}
