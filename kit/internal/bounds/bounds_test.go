package bounds_test

import (
	"errors"
	"math"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/internal/bounds"
)

// Every validator of Ent's builders that sets a bound says what it allows, and one that is
// not Ent's is not asked.
func TestBoundsOfValidators(t *testing.T) {
	for want, f := range map[string]ent.Field{
		"must be 1 to 9":                        field.Int("n").Range(1, 9),
		"must be 5":                             field.Int("n").Range(5, 5),
		"must be -9 to -1":                      field.Int8("n").Range(-9, -1),
		"must be 70 to 100":                     field.Int("n").Range(0, 100).Min(70),
		"must be at least 1":                    field.Int64("n").Positive(),
		"must be at least 0":                    field.Int16("n").NonNegative(),
		"must be at most -1":                    field.Int32("n").Negative(),
		"must be at most 9223372036854775806":   field.Int64("n").Max(math.MaxInt64 - 1),
		"must be at least 9223372036854775807":  field.Int64("n").Min(math.MaxInt64),
		"must be 3 to 250":                      field.Uint8("n").Range(3, 250),
		"must be at least 18446744073709551615": field.Uint64("n").Min(math.MaxUint64),
		"must be 0.5 to 99.95":                  field.Float("n").Range(0.5, 99.95),
		"must be at least 1e-06":                field.Float("n").Positive(),
		"must be at most -1.25":                 field.Float("n").Max(-1.25),
		"must be 1 to 280 bytes":                field.Text("s").NotEmpty().MaxLen(280),
		"must be at most 64 bytes":              field.String("s").MaxLen(64),
		"must not be empty":                     field.String("s").NotEmpty(),
		"must be at least 300 bytes":            field.String("s").MinLen(300),
		"":                                      field.Int("n").Validate(func(int) error { return errors.New("no") }),
		"must be at least 10":                   field.Int("n").Min(10).Validate(func(int) error { panic("asked") }),
	} {
		if got := bounds.Of(f.Descriptor()).Says(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A range without any number that is tried is not known: nothing is said of it.
func TestABoundThatIsNotFound(t *testing.T) {
	if b := bounds.Of(field.Int("n").Range(1_000_003, 1_000_005).Descriptor()); b.Says() != "" {
		t.Errorf("it says %q", b.Says())
	}
}
