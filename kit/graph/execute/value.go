package execute

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/read"
)

// write writes what a resolver returned as the selection asks: rows are read,
// other objects are walked by their fields' JSON names, and scalars are
// written as they are.
func (o *operation) write(ctx context.Context, s *slot, value any) {
	w := valueWriter{operation: o, ctx: ctx, slot: s}
	if !w.value(s.field, s.field.Definition.Type, reflect.ValueOf(value)) {
		s.json = nil
	}
}

// valueWriter appends a value to the slot's JSON.
type valueWriter struct {
	*operation
	ctx  context.Context
	slot *slot
	path ast.Path
}

// value reports false where it wrote nothing because what may not be null is.
func (w *valueWriter) value(f graphql.CollectedField, t *ast.Type, v reflect.Value) bool {
	start, later := len(w.slot.json), len(w.slot.later)
	if w.nonNull(f, t, v) {
		return true
	}
	w.slot.json, w.slot.later = w.slot.json[:start], w.slot.later[:later]
	if t.NonNull {
		if len(w.slot.errors) == 0 {
			w.fail(w.ctx, w.slot, errNull, w.path...)
		}
		return false
	}
	w.slot.json = append(w.slot.json, "null"...)
	return true
}

var errNull = errors.New("a resolver returned null where there is none")

// nonNull writes a value, and reports false for null.
func (w *valueWriter) nonNull(f graphql.CollectedField, t *ast.Type, v reflect.Value) bool {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return false
	case t.Elem != nil:
		return w.list(f, t.Elem, v)
	case w.Schema.Types[t.NamedType].IsLeafType():
		return w.leaf(v)
	}
	if shown, ok := reflect.TypeAssert[Shown](v); ok {
		return w.shown(shown)
	}
	if none, ok := reflect.TypeAssert[noRow](v); ok {
		w.fail(w.ctx, w.slot, none.err, w.path...)
		return false
	}
	if r, ok := w.asRow(v); ok {
		return w.row(f, r)
	}
	name := t.NamedType
	if w.Schema.Types[name].IsAbstractType() {
		name = v.Type().Name()
	}
	return w.object(f, name, v)
}

func (w *valueWriter) list(f graphql.CollectedField, t *ast.Type, v reflect.Value) bool {
	if v.Kind() != reflect.Slice || v.IsNil() {
		return false
	}
	if read, ok := w.rows(f, v); ok {
		return read
	}
	w.slot.json = append(w.slot.json, '[')
	for i := range v.Len() {
		if i > 0 {
			w.slot.json = append(w.slot.json, ',')
		}
		w.path = append(w.path, ast.PathIndex(i))
		ok := w.value(f, t, v.Index(i))
		w.path = w.path[:len(w.path)-1]
		if !ok {
			return false
		}
	}
	w.slot.json = append(w.slot.json, ']')
	return true
}

// rows reads a list of rows at once, if it is one. It reports false where one
// of them could not be shown: the list is null then.
func (w *valueWriter) rows(f graphql.CollectedField, v reflect.Value) (whole, ok bool) {
	var e *entity.Entity
	ids := make([]gid.ID, v.Len())
	for i := range ids {
		element := v.Index(i)
		if element.Kind() == reflect.Pointer {
			element = element.Elem()
		}
		if element.Kind() != reflect.Struct {
			return false, false
		}
		r, isRow := w.asRow(element)
		if !isRow || e != nil && e != r.Entity {
			return false, false
		}
		e, ids[i] = r.Entity, r.ID
	}
	if e == nil || f.Definition.Type.Elem == nil {
		return false, false
	}
	s, err := w.planner.Selection(e, f.Selections)
	if err != nil {
		w.fail(w.ctx, w.slot, err, w.path...)
		return false, true
	}
	start, later := len(w.slot.json), len(w.slot.later)
	count := w.append(w.ctx, w.slot, slices.Clone(w.path), func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error) {
		return r.Nodes(ctx, dst, s, ids)
	})
	if count != len(ids) && f.Definition.Type.Elem.NonNull {
		w.slot.json, w.slot.later = w.slot.json[:start], w.slot.later[:later]
		w.fail(w.ctx, w.slot, read.NotFound(e), w.path...)
		return false, true
	}
	return true, true
}

// leaf writes a scalar or a value of an enum. A row's is its global id.
func (w *valueWriter) leaf(v reflect.Value) bool {
	if r, ok := reflect.TypeAssert[Row](v); ok {
		w.slot.json = strconv.AppendQuote(w.slot.json, r.ID.Global(r.Entity.Name))
		return true
	}
	if m, ok := reflect.TypeAssert[graphql.Marshaler](v); ok {
		var b bytes.Buffer
		m.MarshalGQL(&b)
		w.slot.json = append(w.slot.json, b.Bytes()...)
		return true
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		w.fail(w.ctx, w.slot, err, w.path...)
		return false
	}
	w.slot.json = append(w.slot.json, text...)
	return true
}

// row reads what the selection asks of a row.
func (w *valueWriter) row(f graphql.CollectedField, r Row) bool {
	planned, err := w.planner.Row(r.Entity, r.ID, f.Selections)
	if err != nil {
		w.fail(w.ctx, w.slot, err, w.path...)
		return false
	}
	if w.append(w.ctx, w.slot, slices.Clone(w.path), planned) == 0 {
		if f.Definition.Type.NonNull {
			w.fail(w.ctx, w.slot, read.NotFound(r.Entity), w.path...)
		}
		return false
	}
	return !bytes.HasSuffix(w.slot.json, []byte("null"))
}

// shown writes a row that has been read.
func (w *valueWriter) shown(r Shown) bool {
	w.append(w.ctx, w.slot, slices.Clone(w.path), func(_ context.Context, _ *read.Reader, dst []byte) ([]byte, read.Info, error) {
		return append(dst, r.JSON...), r.Info, nil
	})
	return !bytes.HasSuffix(w.slot.json, []byte("null"))
}

// object writes an object that is no entity: a struct, or a map with its
// fields' names.
func (w *valueWriter) object(f graphql.CollectedField, name string, v reflect.Value) bool {
	if v.Kind() != reflect.Struct && v.Kind() != reflect.Map {
		w.fail(w.ctx, w.slot, fmt.Errorf("%s is no object", v.Type()), w.path...)
		return false
	}
	w.slot.json = append(w.slot.json, '{')
	for i, member := range w.planner.Collect(f.Selections, w.types(name)) {
		if i > 0 {
			w.slot.json = append(w.slot.json, ',')
		}
		w.slot.json = append(strconv.AppendQuote(w.slot.json, member.Alias), ':')
		if member.Name == "__typename" {
			w.slot.json = strconv.AppendQuote(w.slot.json, name)
			continue
		}
		w.path = append(w.path, ast.PathName(member.Alias))
		ok := w.value(member, member.Definition.Type, w.named(v, member.Name))
		w.path = w.path[:len(w.path)-1]
		if !ok {
			return false
		}
	}
	w.slot.json = append(w.slot.json, '}')
	return true
}

// types lists the types whose fragments apply to an object.
func (w *valueWriter) types(name string) []string {
	types := []string{name}
	for _, def := range w.Schema.Implements[name] {
		types = append(types, def.Name)
	}
	return types
}

// named returns the member of the object that the schema has under the name: a
// struct's field whose JSON name is this one, in snake_case or camelCase. The id of
// a row, as its tag says (expose.MembersOf), is that row.
func (w *valueWriter) named(v reflect.Value, name string) reflect.Value {
	if v.Kind() == reflect.Map {
		if exact := v.MapIndex(reflect.ValueOf(name)); exact.IsValid() {
			return exact
		}
		for _, key := range v.MapKeys() {
			if alike(key.String(), name) {
				return v.MapIndex(key)
			}
		}
		return reflect.Value{}
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && tag == "":
			if inner := w.named(v.Field(i), name); inner.IsValid() {
				return inner
			}
		case alike(tag, name):
			return w.referred(v.Field(i), f.Tag.Get("refers"))
		}
	}
	return reflect.Value{}
}

// referred is the row of the entity with the id, if it is the id of one.
func (w *valueWriter) referred(id reflect.Value, entity string) reflect.Value {
	t := w.Tables[entity]
	if t == nil {
		return id
	}
	if id.Kind() == reflect.Pointer {
		if id.IsNil() {
			return id
		}
		id = id.Elem()
	}
	if of, ok := gid.Of(mutation.Plain(id.Interface())); ok {
		return reflect.ValueOf(Row{t.Entity, of})
	}
	return id
}

// alike reports whether two names are one in snake_case and camelCase.
func alike(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "_", ""), strings.ReplaceAll(b, "_", ""))
}
