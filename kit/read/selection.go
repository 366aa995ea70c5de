package read

import (
	"reflect"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
)

// Selection lists the fields and edges of an entity that are read, and their form
// in JSON.
type Selection struct {
	Entity *entity.Entity
	// columns are read, the id always first.
	columns []column
	loads   []*load
	items   []item
	// global writes ids in their opaque GraphQL form.
	global bool
	// names are those of its members, nil for REST v1 and for GraphQL, which
	// names each.
	names *Names
	// links are of the version whose paths GraphQL shows.
	links *Links
	// Base is where the paths of links begin.
	Base string
	// Plain leaves out what can be done to the rows: a list as a whole is for programs
	// that keep it.
	Plain bool
}

// Select starts an empty selection with ids as integers, as in REST v1.
func Select(e *entity.Entity) *Selection {
	return &Selection{Entity: e, columns: []column{{Field: e.ID()}}}
}

// SelectAs starts an empty selection in the names of a version of REST.
func SelectAs(e *entity.Entity, names *Names) *Selection {
	s := Select(e)
	s.names, s.global = names, names.global()
	return s
}

// Named writes the field under the name that the selection's version has for it.
func (s *Selection) Named(f *entity.Field) { s.Field(s.names.NameOf(f), f) }

// SelectGlobal starts an empty selection with global ids, as in GraphQL, and paths of
// the links' version.
func SelectGlobal(e *entity.Entity, links *Links) *Selection {
	s := Select(e)
	s.global, s.links = true, links
	return s
}

// paths are the names of the version whose paths are shown.
func (s *Selection) paths() *Names {
	if s.links != nil {
		return s.links.names()
	}
	return s.names
}

// column is a column that is read of each row: a field or, where whole is set,
// whether the viewer sees the row as a whole, for [Selection.Guarded].
type column struct {
	*entity.Field
	whole bool
}

// item is one member of the JSON object written for a row.
type item struct {
	key    string // `"title":`
	column int    // a field: its index in columns
	load   *load  // an edge
	shape  *Shape // of an edge to many, in GraphQL
	raw    string // a constant
	turn   Turn   // of a field that the version shows otherwise
	href   bool   // a path, which is shown as one of the links' version
	denied error  // a field that the viewer may not see: null, with this error
	strict bool   // null here makes the whole object null (GraphQL's non-null)
	// guard is the index, and one more, of the column that says whether the field is
	// shown with the row: otherwise it is left out, or null with denied.
	guard int
	kind  itemKind
	// objects has the members that are written of each object of a list.
	objects []ObjectPart
	// deferred is written later.
	deferred *Deferred
}

type itemKind uint8

const (
	itemField itemKind = iota
	itemOne
	itemMany
	itemRaw
	itemDenied
	itemObjects
	itemDeferred
	itemCuts
)

// load is one relation to read for all rows of a selection: one statement,
// and one more where its total is asked for.
type load struct {
	edge *entity.Edge
	sub  *Selection
	// key is the column of the selection whose values lead to the related rows.
	key   int
	query Query
	total bool
	// bound is set where it is asked whether the total is exact.
	bound bool
	// told is set where cut lists are counted and reported: see [Selection.Expand].
	told bool
	// position is the index among the selection's loads.
	position int
}

// Shape says how an edge to many is written: as a plain list where it is nil.
type Shape struct {
	Parts []Part
	// At adds to an error the place in the request of the field that failed. May be nil.
	At func(error) error
}

// place says of an error where the shape was asked for.
func (s *Shape) place(err error) error {
	if s == nil || s.At == nil {
		return err
	}
	return s.At(err)
}

// PartKind is a part of a connection.
type PartKind uint8

// The parts of a connection, of its edges and of its page information.
const (
	PartEdges PartKind = iota
	PartNodes
	PartNode
	PartCursor
	PartPageInfo
	PartTotal
	PartTotalExact // whether there is no more than the total
	PartHasNext
	PartHasPrevious
	PartStart
	PartEnd
	PartRaw
	PartDeferred // see [DeferredPart]
)

// Part is one member of a connection's JSON object.
type Part struct {
	Kind  PartKind
	Key   string
	Raw   string
	Parts []Part
	// Items writes the node for PartNode and PartNodes.
	Items    *Selection
	deferred *Deferred
}

// Field writes the field under the key.
func (s *Selection) Field(key string, f *entity.Field) {
	if f.Kind == entity.Objects {
		s.Objects(key, f, partsOf(f, s.names))
		return
	}
	s.items = append(s.items, item{kind: itemField, key: quoteKey(key), column: s.column(f), turn: s.names.shown(f), href: f.Href && s.links != nil})
}

// Guarded is [Selection.Field] for a field that the viewer sees in some rows. In
// others it is null with the error, and the whole object with strict; without an
// error it is left out.
func (s *Selection) Guarded(key string, f *entity.Field, denied error, strict bool) {
	guard := s.read(column{Field: &entity.Field{Name: "whole", Column: "whole$", Kind: entity.Int, Of: f.Of}, whole: true}) + 1
	s.Field(key, f)
	it := &s.items[len(s.items)-1]
	it.guard, it.denied, it.strict = guard, denied, strict
}

// Raw writes constant JSON under the key.
func (s *Selection) Raw(key, json string) {
	s.items = append(s.items, item{kind: itemRaw, key: quoteKey(key), raw: json})
}

// Deny writes null under the key and reports err with the path. With strict,
// the whole object becomes null.
func (s *Selection) Deny(key string, err error, strict bool) {
	s.items = append(s.items, item{kind: itemDenied, key: quoteKey(key), denied: err, strict: strict})
}

// One writes the row at the other end of a to-one edge under the key, or
// null; with strict, null makes the whole object null.
func (s *Selection) One(key string, e *entity.Edge, sub *Selection, strict bool) {
	s.items = append(s.items, item{kind: itemOne, key: quoteKey(key), load: s.load(e, sub, Query{}, false), strict: strict})
}

// Many writes the rows at the other end of a to-many edge under the key: a
// list where shape is nil, else a connection. The query's Where, Sort and
// Page apply for each parent; total is read only where it is asked for.
func (s *Selection) Many(key string, e *entity.Edge, sub *Selection, q Query, shape *Shape) {
	total := shape != nil && wants(shape.Parts, PartTotal, PartTotalExact)
	q.Page.Cursors = false
	if shape != nil {
		q.Page.shown(shape.Parts)
	}
	l := s.load(e, sub, q, total)
	l.bound = l.bound || shape != nil && wants(shape.Parts, PartTotalExact)
	s.items = append(s.items, item{kind: itemMany, key: quoteKey(key), load: l, shape: shape})
}

// Len is the number of members.
func (s *Selection) Len() int { return len(s.items) }

// Slice returns a selection that writes a part of the members that this one reads.
// So a connection's edges and its nodes show different members of rows that are
// read once.
func (s *Selection) Slice(from, to int) *Selection {
	return &Selection{Entity: s.Entity, columns: s.columns, loads: s.loads, items: s.items[from:to:to], global: s.global, names: s.names, links: s.links}
}

// wants reports whether one of the kinds is among the parts, at any depth.
func wants(parts []Part, kinds ...PartKind) bool {
	return slices.ContainsFunc(parts, func(p Part) bool {
		return slices.Contains(kinds, p.Kind) || wants(p.Parts, kinds...)
	})
}

// wantsEver is [wants] of what is shown now or later.
func wantsEver(parts []Part, kinds ...PartKind) bool {
	return wants(parts, kinds...) || slices.ContainsFunc(parts, func(p Part) bool {
		return p.deferred != nil && wantsEver(p.deferred.parts, kinds...) || wantsEver(p.Parts, kinds...)
	})
}

// shown has the page read what its parts show, now or later, beside its rows.
func (p *Page) shown(parts []Part) {
	p.Cursors = wantsEver(parts, PartCursor, PartStart, PartEnd)
	p.NoPeek = !wantsEver(parts, PartHasNext, PartHasPrevious)
}

// column returns the index of the field among the columns read, adding it
// (and a Money's currency) if it is not there yet.
func (s *Selection) column(f *entity.Field) int { return s.read(column{Field: f}) }

func (s *Selection) read(f column) int {
	for i, c := range s.columns {
		if c.Same(f.Field) {
			if c.Ref == "" {
				s.columns[i] = f // what leads to a relation knows no type of id
			}
			return i
		}
	}
	s.columns = append(s.columns, f)
	if f.Currency != nil {
		defer s.column(f.Currency)
	}
	return len(s.columns) - 1
}

// load returns the relation to read. Members that ask the same of the same
// edge (aliases) share one when their sub-selections are the same too.
func (s *Selection) load(e *entity.Edge, sub *Selection, q Query, total bool) *load {
	key := 0
	if e.Own {
		key = s.column(&entity.Field{Name: e.Column, Column: e.Column, Kind: e.To.ID().Kind.Ref(), Nullable: !e.Required})
	}
	l := &load{edge: e, sub: sub, key: key, query: q, total: total, position: len(s.loads)}
	for _, other := range s.loads {
		if other.edge != e || other.total != total {
			continue
		}
		noPeek := q.Page.NoPeek && other.query.Page.NoPeek
		one, two := q, other.query
		one.Page.NoPeek, two.Page.NoPeek = noPeek, noPeek
		if reflect.DeepEqual(one, two) && reflect.DeepEqual(other.sub, sub) {
			other.query = one
			return other
		}
	}
	s.loads = append(s.loads, l)
	return l
}

func quoteKey(key string) string { return `"` + key + `":` }
