package mutation

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/entity"
)

// Form is how a column has the values of the schema's field, by its ValueScanner.
func Form(s ent.Interface, name string) *entity.Own {
	fields := s.Fields()
	for _, m := range s.Mixin() {
		fields = append(fields, m.Fields()...)
	}
	for _, f := range fields {
		if d := f.Descriptor(); d.Name == name && d.ValueScanner != nil {
			return scanned(d.ValueScanner)
		}
	}
	panic(fmt.Sprintf("mutation: the field %s of %T has no ValueScanner", name, s))
}

// scanned is the form of a field.TypeValueScanner, of any type: its methods are Value,
// ScanValue and FromValue.
func scanned(by any) *entity.Own {
	v := reflect.ValueOf(by)
	value, target, from := v.MethodByName("Value"), v.MethodByName("ScanValue"), v.MethodByName("FromValue")
	of := value.Type().In(0)
	return &entity.Own{
		Write: func(plain any) (any, error) {
			in := reflect.ValueOf(plain)
			if !in.CanConvert(of) {
				return nil, fmt.Errorf("a value of type %T is no %s", plain, of)
			}
			return returned(value.Call([]reflect.Value{in.Convert(of)}))
		},
		Read: func(stored any) (any, error) {
			into, ok := reflect.TypeAssert[field.ValueScanner](target.Call(nil)[0])
			if !ok {
				return nil, fmt.Errorf("ScanValue of %T returns no field.ValueScanner", by)
			}
			if err := into.Scan(stored); err != nil {
				return nil, err
			}
			plain, err := returned(from.Call([]reflect.Value{reflect.ValueOf(into)}))
			return Plain(plain), err
		},
	}
}

// returned are the two results of a function.
func returned(out []reflect.Value) (any, error) {
	err, _ := reflect.TypeAssert[error](out[1])
	return out[0].Interface(), err
}

// TypeForm is how a column has values of a Go type that is a driver.Valuer and, most
// often, a sql.Scanner.
func TypeForm[T any]() *entity.Own {
	of := reflect.TypeFor[T]()
	return &entity.Own{
		Write: func(plain any) (any, error) {
			in := reflect.ValueOf(plain)
			if !in.CanConvert(of) {
				return nil, fmt.Errorf("a value of type %T is no %s", plain, of)
			}
			v, ok := reflect.TypeAssert[driver.Valuer](in.Convert(of))
			if !ok {
				return plain, nil
			}
			return v.Value()
		},
		Read: func(stored any) (any, error) {
			var value sql.Null[T]
			if err := value.Scan(stored); err != nil {
				return nil, err
			}
			if !value.Valid {
				return nil, nil
			}
			if v := reflect.ValueOf(value.V); v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
				return v.Bytes(), nil
			}
			return Plain(value.V), nil
		},
	}
}

// Keeping is the table with fields that have forms of their own, by their names in the
// schema: those of a Go type, which the schema lacks at run time.
func (t *Table) Keeping(own map[string]*entity.Own) *Table {
	for name, form := range own {
		if c := t.Field(name); c != nil {
			c.own = form
		}
	}
	return t
}

// plain is the value of what the column has.
func (c *Column) plain(stored any) (any, error) {
	if stored == nil {
		return nil, nil
	}
	value, err := c.own.Read(stored)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", c.Name, err)
	}
	return value, nil
}

// stored is the column's form of a value.
func (c *Column) stored(value any) (any, error) {
	if c.own == nil || value == nil {
		return value, nil
	}
	return c.own.Write(value)
}
