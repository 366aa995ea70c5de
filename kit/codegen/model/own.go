package model

import (
	"fmt"
	"reflect"
	"slices"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// Scanned reports whether a ValueScanner says how the column has values of the field.
func Scanned(f *gen.Field) bool { return f.HasValueScanner() }

// Valued reports whether the Go type of the field does so, as a driver.Valuer: but for
// times, UUIDs, enums and JSON, which have their form by what they are.
func Valued(f *gen.Field) bool {
	plain := f.IsTime() || f.IsUUID() || f.IsEnum() || f.IsJSON() || f.IsOther()
	return !Scanned(f) && !plain && f.HasGoType() && f.Type.Valuer() && kindred(f)
}

// kindred reports whether the Go type of the field is made of the type that a client
// writes: a named string for a text. Others are written by Go code alone.
func kindred(f *gen.Field) bool {
	if !f.HasGoType() || f.Type.RType == nil {
		return true
	}
	switch kind := f.Type.RType.Kind; {
	case f.IsString():
		return kind == reflect.String
	case f.IsBytes():
		return kind == reflect.Slice
	case f.IsBool():
		return kind == reflect.Bool
	case f.Type.Type.Integer():
		return kind >= reflect.Int && kind <= reflect.Uint64
	case f.Type.Type.Float():
		return kind == reflect.Float32 || kind == reflect.Float64
	case f.IsTime():
		return f.Type.String() == "date.Date" || f.Type.RType.Kind == reflect.Struct && !f.Type.ValueScanner()
	}
	return true
}

// ownForm checks a field whose column has values in a form of their own: no query
// compares them.
func (c checker) ownForm(f *Field) {
	if !kindred(f.Type) {
		c.wrong(f.Name, "GoType: %s is no %s, which clients write: a type that is made of one is allowed, such as type %s %[2]s, or expose.Internal()",
			f.Type.Type, field.TypeInfo{Type: f.Type.Type.Type}, naming.Pascal(f.Name))
		return
	}
	says := "GoType: the Value method of " + f.Type.Type.String()
	if Scanned(f.Type) {
		says = "ValueScanner"
	} else if !Valued(f.Type) {
		return
	}
	says += ": the column has values in a form of their own, "
	switch {
	case !slices.Contains([]string{"String", "Bytes", "Int", "Float", "Bool"}, f.Kind):
		c.wrong(f.Name, "%sin which a field of the kind %s can't be shown: text, bytes, numbers and bool are allowed, or expose.Internal()", says, naming.Words(naming.Snake(f.Kind)))
	case len(f.By) > 0 || f.Folded() || f.Selective:
		c.wrong(f.Name, "%swhich no query compares: it can be neither filtered, sorted nor searched by, nor be unique without regard to case", says)
	case f.Entity.Key == f.Name || f.Entity.Upsert != nil && slices.Contains(f.Entity.Upsert.Index, f.Name):
		c.wrong(f.Name, "%sso no row is found by it: another field is allowed as the key, or in the index of an upsert", says)
	case f.Forget != nil || f.Tally != nil || f.Stamp != nil || f.Follow != nil:
		c.wrong(f.Name, "%swhich the database can't write: a field that it keeps has none", says)
	}
	for _, other := range f.Entity.Fields {
		if other.Currency == f.Name {
			c.wrong(other.Name, "expose.Money(%q): the column of the currency has values in a form of their own, which no query compares", f.Name)
		}
	}
}

// unmade refuses what Ent generates no Go for.
func (c checker) unmade(f *gen.Field) {
	if Scanned(f) && f.Nillable {
		c.wrong(f.Name, "ValueScanner: Ent generates no Go that compiles for a Nillable field with one: Default instead of Optional, or a Go type with the methods Value and Scan, is allowed")
	}
}

// unread refuses what reads columns in SQL, of columns that have values in a form of
// their own: payloads of events and checks.
func (c checker) unread() {
	own := func(column string) bool {
		f := fieldOf(c.Type, column)
		return f != nil && (Scanned(f) || Valued(f))
	}
	for _, t := range c.Events {
		for _, column := range t.Payload {
			if own(column) {
				c.wrong("", "event %q: payload %q: the column has values in a form of their own, which the event would tell", t.Name, column)
			}
		}
	}
	for _, check := range c.Checks {
		for _, name := range check.Fields {
			if own(name) {
				c.wrong("", "check of %q: the column has values in a form of their own, which no query compares", name)
			}
		}
	}
}

// Keeps is the Go expression that says how the column has values of the field, empty
// where it has them as they are: of Go code that imports the schema, Ent and the type.
func Keeps(t *gen.Type, f *gen.Field) string {
	switch {
	case Scanned(f):
		return fmt.Sprintf("mutation.Form(schema.%s{}, %q)", t.Name, f.Name)
	case Valued(f):
		return fmt.Sprintf("mutation.TypeForm[%s]()", f.Type)
	}
	return ""
}
