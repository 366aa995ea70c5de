package expose

import (
	"fmt"
	"math"
	"net/mail"
	"strings"
	"unicode/utf8"

	"entgo.io/ent/schema"
)

// Length bounds a text, counted in characters.
func Length[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B, minimum, maximum int) B {
	b.Validate(func(s string) error {
		if n := utf8.RuneCountInString(s); n < minimum || n > maximum {
			return fmt.Errorf("must be %d to %d characters, not %d", minimum, maximum, n)
		}
		return nil
	})
	return b.Annotations(Field{MinLength: &minimum, MaxLength: &maximum})
}

// Number is a type of field that a range can bound.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

// Range bounds a number, the ends included.
func Range[T Number, B interface {
	Validate(func(T) error) B
	Annotations(...schema.Annotation) B
}](b B, minimum, maximum T) B {
	b.Validate(func(n T) error {
		if n < minimum || n > maximum || math.IsNaN(float64(n)) {
			return fmt.Errorf("must be %v to %v", minimum, maximum)
		}
		return nil
	})
	lo, hi := float64(minimum), float64(maximum)
	return b.Annotations(Field{Minimum: &lo, Maximum: &hi})
}

// AtLeast bounds a number from below.
func AtLeast[T Number, B interface {
	Validate(func(T) error) B
	Annotations(...schema.Annotation) B
}](b B, minimum T) B {
	b.Validate(func(n T) error {
		if n < minimum || math.IsNaN(float64(n)) {
			return fmt.Errorf("must be at least %v", minimum)
		}
		return nil
	})
	lo := float64(minimum)
	return b.Annotations(Field{Minimum: &lo})
}

// Email bounds a text to one e-mail address without a display name
// (RFC 5321 lengths, RFC 5322 addr-spec).
func Email[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B) B {
	maximum := 254
	b.Validate(ValidEmail)
	return b.Annotations(Field{Format: "email", MaxLength: &maximum})
}

// ValidEmail returns an error unless s is one e-mail address.
func ValidEmail(s string) error {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || len(s) > 254 || !strings.Contains(s[strings.LastIndexByte(s, '@'):], ".") {
		return fmt.Errorf("must be an e-mail address")
	}
	return nil
}
