package read

import (
	"sync"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/viewer"
)

// wholes caches the selections of all visible fields: they are asked for all
// the time, and there are only a few of each entity.
var wholes sync.Map // wholeKey -> *Selection

type wholeKey struct {
	entity *entity.Entity
	// seen are the fields, and old those that are shown under their old names, too.
	seen, old uint64
	single    bool
	// parted is set where more fields are seen in some rows than in all.
	parted bool
	names  *Names
}

// whole selects every field that v may see, as REST shows it by default: of one
// row, or of many.
func whole(e *entity.Entity, v *viewer.Viewer, names *Names, single bool) *Selection {
	key := wholeKey{entity: e, single: single, names: names}
	for i, f := range e.Fields {
		all, some := f.Sees(v)
		if some {
			key.seen |= 1 << (i % 64)
			if f.Old.Shown() {
				key.old |= 1 << (i % 64)
			}
		}
		key.parted = key.parted || some && !all
	}
	if s, ok := wholes.Load(key); ok && len(e.Fields) <= 64 {
		return s.(*Selection)
	}
	s := SelectAs(e, names)
	s.All(v, single)
	wholes.Store(key, s)
	return s
}

// Whole selects every field that v may see of one row, as REST shows it by
// default. The selection is shared: it must not be added to.
func Whole(e *entity.Entity, v *viewer.Viewer) *Selection { return whole(e, v, nil, true) }

// WholeAs is [Whole] in the names of a version of REST.
func WholeAs(e *entity.Entity, v *viewer.Viewer, names *Names) *Selection {
	return whole(e, v, names, true)
}

// WholeOfMany is [WholeAs] for each of many rows.
func WholeOfMany(e *entity.Entity, v *viewer.Viewer, names *Names) *Selection {
	return whole(e, v, names, false)
}

// Holds reports whether the selection can show the field.
func (s *Selection) Holds(f *entity.Field) bool { return !s.Plain || len(f.Offers) == 0 }

// Show writes the field, in the rows in which the viewer sees it.
func (s *Selection) Show(key string, f *entity.Field, v *viewer.Viewer) {
	if !s.Holds(f) {
		return
	}
	if f.Visible(v) {
		s.Field(key, f)
		return
	}
	s.Guarded(key, f, nil, false)
}

// seen reports whether v sees the field in some row.
func seen(f *entity.Field, v *viewer.Viewer) bool {
	_, some := f.Sees(v)
	return some
}

// All writes every field that v may see, as REST shows it by default: of one row, or
// of many.
func (s *Selection) All(v *viewer.Viewer, single bool) {
	for _, f := range s.Entity.Fields {
		if seen(f, v) && !f.OnRequest && (single || !f.Single) {
			s.Show(s.names.NameOf(f), f, v)
		}
	}
	for _, f := range s.Entity.Fields { // behind the present ones, since columns are known by their place
		if f.Old.Shown() && seen(f, v) && !f.OnRequest && (single || !f.Single) {
			s.Show(s.names.NameOfWord(f.Old.REST), f, v)
		}
	}
}

// Validate reads the version and the time of the last change.
func (s *Selection) Validate() {
	for _, name := range []string{"version", "updated_at"} {
		if f := s.Entity.Field(name); f != nil {
			s.column(f)
		}
	}
}

// Validators selects the values from which an ETag is made, and shows nothing.
// It is nil where rows have no version.
func Validators(e *entity.Entity) *Selection {
	if e.Field("version") == nil {
		return nil
	}
	s := Select(e)
	s.Validate()
	return s
}

// Columns are the members of the selection's JSON, in their order, those of a
// related row by dots: author.name.
func (s *Selection) Columns() []string { return s.columnNames(nil, "") }

func (s *Selection) columnNames(names []string, prefix string) []string {
	for i := range s.items {
		it := &s.items[i]
		if it.kind == itemOne {
			names = it.load.sub.columnNames(names, prefix+it.name()+".")
			continue
		}
		names = append(names, prefix+it.name()) // that of cuts too: a cell of JSON, mostly empty
	}
	return names
}
