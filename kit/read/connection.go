package read

import (
	"strconv"

	"github.com/entwine-go/entwine/kit/gid"
)

// page is the rows of one listing inside a set: those of one parent, or all.
type page struct {
	set   *set
	start int
	n     int
	// more is set where rows were left out beyond the end that was read towards.
	more  bool
	query *Query
	total int64
	// atLeast is set where there may be more than the total.
	atLeast bool
	// parent is the id of the row that the page belongs to, if it does.
	parent gid.ID
	// again has what is shown of the rows, where that was deferred.
	again *again
}

// newPage cuts the run of rows to the query's limit.
func newPage(s *set, start, n int, q *Query) page {
	p := page{set: s, start: start, n: n, query: q, total: -1}
	if n > q.Page.Limit {
		p.n, p.more = q.Page.Limit, true
	}
	return p
}

// page returns the rows of a parent, which has the id.
func (g *group) page(parent int, id gid.ID) page {
	at := g.spans[parent]
	p := newPage(g.set, int(at.start), int(at.n), &g.query)
	p.parent = id
	if g.total != nil {
		p.total = g.total[parent]
		p.atLeast = g.atLeast != nil && g.atLeast[parent]
	}
	return p
}

// row returns the place of the page's i-th row: rows that were read from the
// end are written in order all the same.
func (p *page) row(i int) int {
	if p.set.backward {
		return p.start + p.n - 1 - i
	}
	return p.start + i
}

// hasNext reports whether there are rows behind the page: known from the row
// too many when it was read forward. Before a cursor there is one, the
// cursor's own, unless it was deleted meanwhile (Relay allows that).
func (p *page) hasNext() bool {
	if p.query.Page.Backward {
		return p.query.Page.Before != ""
	}
	return p.more
}

func (p *page) hasPrevious() bool {
	if p.query.Page.Backward {
		return p.more
	}
	return p.query.Page.After != "" || p.query.Page.Offset > 0 || p.query.Page.Keyset != nil
}

func (p *page) appendCursor(dst []byte, i int) []byte {
	dst = append(dst, '"')
	dst = appendCursor(dst, p.set, p.row(i))
	return append(dst, '"')
}

// connection appends a connection object with the parts that were asked for.
func (w *writer) connection(dst []byte, p page, parts []Part) []byte {
	start := len(dst)
	dst = append(dst, '{')
	w.members += len(parts)
	for i := range parts {
		part := &parts[i]
		if part.deferred != nil {
			w.later(pending{Deferred: part.deferred, kind: inConnection, set: p.set, page: p})
			continue
		}
		if len(dst) > start+1 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, part.Key)
		dst = append(dst, ':')
		switch part.Kind {
		case PartRaw:
			dst = append(dst, part.Raw...)
		case PartTotal:
			w.members += TotalCost
			dst = strconv.AppendInt(dst, p.total, 10)
		case PartTotalExact:
			w.members += TotalCost
			dst = strconv.AppendBool(dst, !p.atLeast)
		case PartPageInfo:
			w.members += len(part.Parts)
			dst = appendPageInfo(dst, &p, part.Parts)
		case PartNodes:
			dst = w.nodes(dst, p, part)
		case PartEdges:
			dst = w.edges(dst, p, part)
		}
	}
	return append(dst, '}')
}

// nodes appends the rows alone, null for one that cannot be shown whole.
func (w *writer) nodes(dst []byte, p page, nodes *Part) []byte {
	w.path = append(w.path, step{key: nodes.Key})
	dst = append(dst, '[')
	for i := range p.n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, _ = w.element(dst, p, i, nodes.Items)
	}
	w.path = w.path[:len(w.path)-1]
	return append(dst, ']')
}

func (w *writer) edges(dst []byte, p page, edges *Part) []byte {
	w.path = append(w.path, step{key: edges.Key})
	dst = append(dst, '[')
	for i := range p.n {
		if i > 0 {
			dst = append(dst, ',')
		}
		w.path = append(w.path, step{index: i})
		dst = w.edge(dst, p, i, edges.Parts)
		w.path = w.path[:len(w.path)-1]
	}
	w.path = w.path[:len(w.path)-1]
	return append(dst, ']')
}

func (w *writer) edge(dst []byte, p page, i int, parts []Part) []byte {
	start := len(dst)
	dst = append(dst, '{')
	w.members += len(parts)
	for j := range parts {
		part := &parts[j]
		if part.deferred != nil {
			w.later(pending{Deferred: part.deferred, kind: inEdge, set: p.set, row: i, page: p})
			continue
		}
		if len(dst) > start+1 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, part.Key)
		dst = append(dst, ':')
		switch part.Kind {
		case PartRaw:
			dst = append(dst, part.Raw...)
		case PartCursor:
			dst = p.appendCursor(dst, i)
		case PartNode:
			w.path = append(w.path, step{key: part.Key})
			var ok bool
			if dst, ok = w.shown(dst, &p, i, part.Items); !ok {
				dst = append(dst, "null"...)
			}
			w.path = w.path[:len(w.path)-1]
		}
	}
	return append(dst, '}')
}

// shown appends the i-th row of the page, whether it was encoded already or deferred.
func (w *writer) shown(dst []byte, p *page, i int, sel *Selection) ([]byte, bool) {
	if p.again == nil {
		return w.object(dst, p.set, p.row(i), sel)
	}
	row, found := p.again.row(p.set, p.row(i))
	if !found {
		return dst, false
	}
	return w.object(dst, p.again.set, row, sel)
}

func appendPageInfo(dst []byte, p *page, parts []Part) []byte {
	dst = append(dst, '{')
	for i := range parts {
		part := &parts[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, part.Key)
		dst = append(dst, ':')
		switch {
		case part.Kind == PartRaw:
			dst = append(dst, part.Raw...)
		case part.Kind == PartHasNext:
			dst = strconv.AppendBool(dst, p.hasNext())
		case part.Kind == PartHasPrevious:
			dst = strconv.AppendBool(dst, p.hasPrevious())
		case p.n == 0:
			dst = append(dst, "null"...)
		case part.Kind == PartStart:
			dst = p.appendCursor(dst, 0)
		case part.Kind == PartEnd:
			dst = p.appendCursor(dst, p.n-1)
		}
	}
	return append(dst, '}')
}
