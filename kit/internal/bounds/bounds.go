// Package bounds finds out what Ent's own validators of a field allow. Range, Min, MaxLen and
// the like keep their numbers to themselves and say "value out of range", so that neither a
// document nor an error could say which values are in it: the validators are asked.
package bounds

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"runtime"
	"strings"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// Bounds are those of the values of a field. A side that is nil is not bounded.
type Bounds struct {
	// Least and Greatest are numbers, int64, uint64 or float64.
	Least, Greatest any
	// Shortest and Longest are lengths of texts in bytes.
	Shortest, Longest *int
}

// Of are the bounds that Ent's validators of the field set.
func Of(d *field.Descriptor) (b Bounds) {
	for _, v := range d.Validators {
		if !Ents(v) {
			continue
		}
		check := reflect.ValueOf(v)
		switch of := check.Type().In(0); of.Kind() {
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			width := of.Bits() - 1
			b.narrow(number(func(n int64) bool { return admits(check, reflect.ValueOf(n)) }, -1<<width, 1<<width-1, middle[int64]))
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
			b.narrow(number(func(n uint64) bool { return admits(check, reflect.ValueOf(n)) }, 0, math.MaxUint64>>(64-of.Bits()), middle[uint64]))
		case reflect.Float32, reflect.Float64:
			b.narrow(number(func(n float64) bool { return admits(check, reflect.ValueOf(n)) }, -math.MaxFloat32, math.MaxFloat32, between))
		case reflect.String:
			b.lengths(check, d.Size)
		}
	}
	return b
}

// Ents reports whether the validator is one of those that Ent's builders make of bounds.
func Ents(validator any) bool {
	v := reflect.ValueOf(validator)
	return v.Kind() == reflect.Func && v.Type().NumIn() == 1 && ents.MatchString(runtime.FuncForPC(v.Pointer()).Name())
}

// ents matches the names of their functions, which the compiler may have put into their callers.
var ents = regexp.MustCompile(`\(\*\w+Builder\)\.(Range|Min|Max|MinLen|MaxLen)\.func\d+$`)

// Says completes the sentence of an error about a value that is out of the bounds: empty
// where there are none.
func (b Bounds) Says() string {
	switch {
	case b.Least != nil && b.Greatest != nil:
		return "must be " + expose.Span(b.Least, b.Greatest, "")
	case b.Least != nil:
		return fmt.Sprintf("must be at least %v", b.Least)
	case b.Greatest != nil:
		return fmt.Sprintf("must be at most %v", b.Greatest)
	case b.Shortest != nil && b.Longest != nil:
		return "must be " + expose.Span(*b.Shortest, *b.Longest, "bytes")
	case b.Longest != nil:
		return fmt.Sprintf("must be at most %d bytes", *b.Longest)
	case b.Shortest != nil && *b.Shortest == 1:
		return "must not be empty"
	case b.Shortest != nil:
		return fmt.Sprintf("must be at least %d bytes", *b.Shortest)
	}
	return ""
}

// Field is how the annotation of the field says it. A text of so many bytes has as many
// characters at most.
func (b Bounds) Field() (f expose.Field) {
	if b.Least != nil {
		n := reflect.ValueOf(b.Least).Convert(reflect.TypeFor[float64]()).Float()
		f.Minimum = &n
	}
	if b.Greatest != nil {
		n := reflect.ValueOf(b.Greatest).Convert(reflect.TypeFor[float64]()).Float()
		f.Maximum = &n
	}
	if b.Longest != nil {
		f.MaxLength = b.Longest
	}
	if b.Shortest != nil && *b.Shortest > 0 {
		f.MinLength = new(1)
	}
	return f
}

// admits reports whether the validator lets the value pass, as its type.
func admits(check, value reflect.Value) bool {
	return check.Call([]reflect.Value{value.Convert(check.Type().In(0))})[0].IsNil()
}

// number finds the ends of the numbers between lo and hi that are admitted, which have no gaps: nil
// where it is lo or hi, or where none is found. middle is a number between two others, or the
// first of them where there is none.
func number[T int64 | uint64 | float64](admitted func(T) bool, lo, hi T, middle func(a, b T) T) (least, greatest any) {
	in, found := within(admitted, lo, hi)
	if !found {
		return nil, nil
	}
	last := func(in, out T) T {
		for {
			at := middle(in, out)
			switch {
			case at == in || at == out:
				return in
			case admitted(at):
				in = at
			default:
				out = at
			}
		}
	}
	if !admitted(lo) {
		least = last(in, lo)
	}
	if !admitted(hi) {
		greatest = last(in, hi)
	}
	return least, greatest
}

// within looks for a number that is admitted among zero, the ends, powers of two and of ten, and
// small ones.
func within[T int64 | uint64 | float64](admitted func(T) bool, lo, hi T) (in T, found bool) {
	tried := []T{0, lo, hi}
	for _, base := range []T{2, 10} {
		for n := T(1); n <= hi/base; n *= base {
			if tried = append(tried, n); lo < 0 {
				tried = append(tried, -n)
			}
		}
	}
	for n := T(1); n <= 1000; n++ {
		if tried = append(tried, n); lo < 0 {
			tried = append(tried, -n)
		}
	}
	for _, n := range tried {
		if n >= lo && n <= hi && admitted(n) {
			return n, true
		}
	}
	return 0, false
}

// middle is the whole number between two.
func middle[T int64 | uint64](a, b T) T { return a/2 + b/2 + (a%2+b%2)/2 }

// between is the number between two of all that a float64 can be, by their order.
func between(a, b float64) float64 {
	order := func(f float64) int64 {
		if n := int64(math.Float64bits(f)); n >= 0 {
			return n
		}
		return math.MinInt64 - int64(math.Float64bits(f))
	}
	n := middle(order(a), order(b))
	if n < 0 {
		n = math.MinInt64 - n
	}
	return math.Float64frombits(uint64(n))
}

// lengths finds the lengths of texts that are admitted. size is the most that the column has,
// if that is bounded.
func (b *Bounds) lengths(check reflect.Value, size int) {
	admitted := func(n int) bool { return admits(check, reflect.ValueOf(strings.Repeat("x", n))) }
	if size > 0 && !admitted(size+1) {
		b.Longest = &size
	}
	const most = 1 << 12
	if admitted(0) {
		return
	}
	for n := 1; n <= most; n++ {
		if admitted(n) {
			b.Shortest = &n
			return
		}
	}
}

// narrow keeps the narrower ones of two bounds.
func (b *Bounds) narrow(least, greatest any) {
	if least != nil && (b.Least == nil || above(least, b.Least)) {
		b.Least = least
	}
	if greatest != nil && (b.Greatest == nil || above(b.Greatest, greatest)) {
		b.Greatest = greatest
	}
}

func above(a, b any) bool {
	switch a := a.(type) {
	case int64:
		return a > b.(int64)
	case uint64:
		return a > b.(uint64)
	default:
		return a.(float64) > b.(float64)
	}
}
