package declared

import (
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Names are those of REST v1: its own for fields, and plain ids. also has
// second names of fields.
func Names(also map[*reading.Field]string) *writing.API {
	return &writing.API{
		Field:   func(f *reading.Field) string { return f.REST },
		Find:    func(fields []*writing.Field, name string) (*writing.Field, bool) { return find(fields, name, also) },
		ParseID: writing.PlainID,
		ShowID:  func(_ string, id int64) any { return id },
	}
}

func find(fields []*writing.Field, name string, also map[*reading.Field]string) (f *writing.Field, byKey bool) {
	for _, f := range fields {
		switch name {
		case f.REST, also[f.Field]:
			return f, false
		case f.Key:
			return f, true
		}
	}
	return nil, false
}
