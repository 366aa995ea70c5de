package mutation

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/bounds"
)

// Column is a field of a schema, as the table has it.
type Column struct {
	// Name is the column's, Field the name in the schema.
	Name, Field string
	// Optional columns can be null.
	Optional bool
	// Default makes the value of a new row without one, nil for no default.
	Default func() any
	// Check returns a message about a value that is not allowed. A nil Check allows
	// all values of the type.
	Check func(any) error

	kind      field.Type
	immutable bool
	changed   func() any // the value that every change sets
	fold      string     // the column with the text, its case folded
	choices   []string   // of an enum
	list      bool       // of texts, as JSON
	day       bool       // of a date.Date
	own       *entity.Own
}

func columnOf(d *field.Descriptor) *Column {
	c := &Column{
		Name: d.Name, Field: d.Name, Optional: d.Optional, kind: d.Info.Type, immutable: d.Immutable,
		Default: standard(d.Default), changed: standard(d.UpdateDefault), Check: Checks(d),
	}
	c.day = d.Info.Ident == "date.Date"
	c.list = d.Info.Type == field.TypeJSON && d.Info.Ident == "[]string"
	if d.ValueScanner != nil {
		c.own = scanned(d.ValueScanner)
	}
	if d.StorageKey != "" {
		c.Name = d.StorageKey
	}
	for _, e := range d.Enums {
		c.choices = append(c.choices, e.V)
	}
	return c
}

// standard is a default of Ent's, a value or a function.
func standard(value any) func() any {
	switch v := value.(type) {
	case nil:
		return nil
	case func() time.Time:
		return func() any { return v() }
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Func {
		return func() any { return Plain(v.Call(nil)[0].Interface()) }
	}
	plain := Plain(value)
	return func() any { return plain }
}

// valid returns an error if the column can't have the value.
func (c *Column) valid(value any) error {
	if text, ok := value.(string); ok && c.choices != nil && !slices.Contains(c.choices, text) {
		return fmt.Errorf("must be one of %s", strings.Join(c.choices, ", "))
	}
	if c.Check == nil {
		return nil
	}
	return c.Check(value)
}

// Checks are all validators of a field in one, of plain values: nil where there
// are none. A number has to fit in the type of its field, too. Those of Ent's builders say
// what is allowed.
func Checks(d *field.Descriptor) func(any) error {
	var all []func(any) error
	if fits := fitting(d.Info.Type); fits != nil {
		all = append(all, fits)
	}
	for _, v := range d.Validators {
		check := validator(v)
		if bounds.Ents(v) {
			check = saying(check, bounds.Of(d).Says())
		}
		all = append(all, check)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return func(value any) error {
		for _, check := range all {
			if err := check(value); err != nil {
				return err
			}
		}
		return nil
	}
}

// saying has a check say what is allowed, where that is known.
func saying(check func(any) error, allowed string) func(any) error {
	if allowed == "" {
		return check
	}
	return func(value any) error {
		if check(value) != nil {
			return errors.New(allowed)
		}
		return nil
	}
}

// validator is a validator of Ent's, a function of the type of its field.
func validator(v any) func(any) error {
	switch check := v.(type) {
	case func(string) error:
		return func(value any) error { return check(value.(string)) }
	case func(int64) error:
		return func(value any) error { return check(value.(int64)) }
	case func(float64) error:
		return func(value any) error { return check(value.(float64)) }
	}
	check := reflect.ValueOf(v)
	of := check.Type().In(0)
	return func(value any) error {
		err, _ := reflect.TypeAssert[error](check.Call([]reflect.Value{reflect.ValueOf(value).Convert(of)})[0])
		return err
	}
}

// narrow are the types in Go of the types of fields that not every number fits.
var narrow = map[field.Type]reflect.Type{
	field.TypeInt: reflect.TypeFor[int](), field.TypeInt8: reflect.TypeFor[int8](), field.TypeInt16: reflect.TypeFor[int16](), field.TypeInt32: reflect.TypeFor[int32](),
	field.TypeUint: reflect.TypeFor[uint](), field.TypeUint8: reflect.TypeFor[uint8](), field.TypeUint16: reflect.TypeFor[uint16](),
	field.TypeUint32: reflect.TypeFor[uint32](), field.TypeUint64: reflect.TypeFor[uint64](),
}

// fitting refuses numbers that the type can't hold, nil where it holds all.
func fitting(of field.Type) func(any) error {
	if of == field.TypeFloat32 {
		return func(value any) error {
			if math.IsInf(float64(float32(value.(float64))), 0) {
				return fmt.Errorf("must be a number that fits in float32")
			}
			return nil
		}
	}
	in, ok := narrow[of]
	if !ok {
		return nil
	}
	return func(value any) error {
		n := value.(int64)
		if in.Kind() >= reflect.Uint && (n < 0 || in.OverflowUint(uint64(n))) || in.Kind() < reflect.Uint && in.OverflowInt(n) {
			return fmt.Errorf("must be a number that fits in %s", in)
		}
		return nil
	}
}
