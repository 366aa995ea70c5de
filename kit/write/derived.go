package write

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// shown is the derived field that a change may name to send a row back as it was
// read, nil where the member is none.
func (f *form) shown(member string) *Field {
	if f.making || f.acting {
		return nil
	}
	for _, d := range f.Entity.Entity.Fields {
		if (d.Expression != "" || len(d.Offers) > 0 || d.May != nil) && f.in.Field(d) == member {
			return &Field{Field: d}
		}
	}
	return nil
}

// compare notes derived fields that are sent back otherwise than they are. Lists
// of objects are not compared: each API has its own links in them.
func (e *Engine) compare(ctx context.Context, c *Call, f *form) error {
	s := read.Select(f.Entity.Entity)
	asked := false
	for _, field := range f.derived {
		if field.Kind != entity.Objects {
			s.Field(field.Name, field.Field)
			asked = true
		}
	}
	if !asked || f.row == nil {
		return nil
	}
	text, _, err := e.Reader.One(ctx, nil, s, c.filter(), false)
	if err != nil || len(text) == 0 { // it is missing, which is reported after this
		return err
	}
	var row map[string]json.RawMessage
	if err := json.Unmarshal(text, &row); err != nil {
		return fmt.Errorf("read what follows from %s %s: %w", f.Singular, c.ID, err)
	}
	for _, field := range f.derived {
		if field.Kind == entity.Objects {
			continue
		}
		if sent, err := json.Marshal(f.sent.of(field).raw); err != nil || !alike(row[field.Name], sent) {
			f.note(field, wrong("cannot be changed"))
		}
	}
	return nil
}

// alike reports whether two texts of JSON say the same.
func alike(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var left, right any
	return json.Unmarshal(a, &left) == nil && json.Unmarshal(b, &right) == nil && reflect.DeepEqual(left, right)
}
