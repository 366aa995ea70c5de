package expose

import (
	"fmt"
	"math"
	"net/mail"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"entgo.io/ent/schema"
)

// Span words what may be from minimum to maximum, for messages: "3 to 10 characters",
// "3 characters" where both are the same. units is a plural, or empty.
func Span(minimum, maximum any, units string) string {
	least, most := fmt.Sprint(minimum), fmt.Sprint(maximum)
	switch {
	case least != most:
		least += " to " + most
	case least == "1":
		units = strings.TrimSuffix(units, "s")
	}
	if units == "" {
		return least
	}
	return least + " " + units
}

// Length bounds a text to minimum to maximum characters (Unicode code points).
func Length[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B, minimum, maximum int) B {
	b.Validate(func(s string) error {
		if n := utf8.RuneCountInString(s); n < minimum || n > maximum {
			return fmt.Errorf("must be %s, not %d", Span(minimum, maximum, "characters"), n)
		}
		return nil
	})
	return b.Annotations(Field{MinLength: &minimum, MaxLength: &maximum})
}

// Number is a type of field that a range can bound.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

// Range bounds a number: minimum and maximum are allowed.
func Range[T Number, B interface {
	Validate(func(T) error) B
	Annotations(...schema.Annotation) B
}](b B, minimum, maximum T) B {
	b.Validate(func(n T) error {
		if n < minimum || n > maximum || math.IsNaN(float64(n)) {
			return fmt.Errorf("must be %s", Span(minimum, maximum, ""))
		}
		return nil
	})
	lo, hi := float64(minimum), float64(maximum)
	return b.Annotations(Field{Minimum: &lo, Maximum: &hi})
}

// AtLeast bounds a number from below: minimum is allowed.
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

// Email bounds a text to one e-mail address without a display name, in the letters
// of RFC 5321, as the format email of JSON Schema does.
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
	at := strings.LastIndexByte(s, '@')
	if err != nil || a.Address != s || len(s) > 254 || at > 64 || !validLocal(s[:at]) || !hostname.MatchString(s[at+1:]) {
		return fmt.Errorf("must be an e-mail address")
	}
	return nil
}

// hostname matches at least two labels of letters, digits and inner hyphens.
var hostname = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

// validLocal reports whether what stands before the @ is ASCII.
func validLocal(local string) bool {
	return !strings.ContainsFunc(local, func(r rune) bool { return r > unicode.MaxASCII })
}

// Pattern bounds a text by a regular expression of Go. says completes the sentence
// "must be …" of the error for other texts.
func Pattern[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B, expression, says string) B {
	pattern := regexp.MustCompile(expression)
	b.Validate(func(s string) error {
		if !pattern.MatchString(s) {
			return fmt.Errorf("must be %s", says)
		}
		return nil
	})
	return b.Annotations(Field{Pattern: expression, Says: "must be " + says})
}

// Slug bounds a text to a name that can stand in a path: 1 to 100 lower-case
// letters and digits in words joined by hyphens.
func Slug[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B) B {
	return Pattern(Length(b, 1, 100), `^[a-z0-9]+(-[a-z0-9]+)*$`, "lower-case letters and digits in words joined by hyphens")
}

// Currency bounds a text to the form of an ISO 4217 code, such as EUR.
func Currency[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B) B {
	return Pattern(Length(b, 3, 3), `^[A-Z]{3}$`, "an ISO 4217 code of three capital letters")
}

// URL bounds a text to an absolute http or https address of at most 2,000
// characters, which is one line (see [ValidLine]).
func URL[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B) B {
	maximum := longestURL
	b.Validate(func(s string) error {
		if !validURL(s) {
			return fmt.Errorf("must be an http or https address of at most %d characters", maximum)
		}
		return nil
	})
	return b.Annotations(Field{Format: "uri", MaxLength: &maximum})
}

// Items bounds a list of texts to at most maximum, each of 1 to length characters and
// of one line (see [ValidLine]). No text may be in it twice.
func Items[B interface {
	Validate(func([]string) error) B
	Annotations(...schema.Annotation) B
}](b B, maximum, length int) B {
	b.Validate(func(items []string) error {
		if len(items) > maximum {
			return fmt.Errorf("must be at most %s, not %d", Span(maximum, maximum, "items"), len(items))
		}
		seen := map[string]bool{}
		for _, item := range items {
			if n := utf8.RuneCountInString(item); n < 1 || n > length {
				return fmt.Errorf("each item must be %s, not %d", Span(1, length, "characters"), n)
			}
			if !utf8.ValidString(item) || strings.IndexByte(item, 0) >= 0 {
				return fmt.Errorf("each item must be valid UTF-8 without NUL")
			}
			if err := ValidLine(item); err != nil {
				return fmt.Errorf("each item %w", err)
			}
			if seen[item] {
				return fmt.Errorf("must not hold %q twice", item)
			}
			seen[item] = true
		}
		return nil
	})
	return b.Annotations(Field{MaxItems: &maximum, MaxLength: &length, Format: LineFormat})
}
