package schema

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/entwine-go/entwine/kit/expose"
)

// message says what a value must be.
func message(k jsonschema.ErrorKind, keywords map[string]any) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return lengths(keywords, k.Got)
	case *kind.MaxLength:
		return lengths(keywords, k.Got)
	case *kind.Minimum:
		return bounds(keywords, k.Want)
	case *kind.Maximum:
		return bounds(keywords, k.Want)
	case *kind.Enum:
		return "must be one of " + join(k.Want)
	case *kind.Const:
		return fmt.Sprintf("must be %v", k.Want)
	case *kind.Format:
		if k.Want == expose.LineFormat {
			return k.Err.Error() // which of its rules is broken
		}
		return format(k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("must be at least %s, not %d", expose.Span(k.Want, k.Want, "items"), k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must be at most %s, not %d", expose.Span(k.Want, k.Want, "items"), k.Got)
	case *kind.UniqueItems:
		return fmt.Sprintf("must not hold the same item twice: %d and %d", k.Duplicates[0], k.Duplicates[1])
	case *kind.Pattern:
		if says, ok := keywords["$comment"].(string); ok {
			return says // the schema's author has words for it
		}
		return "must match " + k.Want
	}
	return "breaks a rule"
}

func lengths(keywords map[string]any, got int) string {
	lowest, highest := keywords["minLength"], keywords["maxLength"]
	switch {
	case lowest == nil:
		return fmt.Sprintf("must be at most %s, not %d", expose.Span(highest, highest, "characters"), got)
	case highest == nil:
		return fmt.Sprintf("must be at least %s, not %d", expose.Span(lowest, lowest, "characters"), got)
	}
	return fmt.Sprintf("must be %s, not %d", expose.Span(lowest, highest, "characters"), got)
}

func bounds(keywords map[string]any, want *big.Rat) string {
	lowest, highest := keywords["minimum"], keywords["maximum"]
	switch {
	case lowest != nil && highest != nil:
		return "must be " + expose.Span(lowest, highest, "")
	case lowest != nil:
		return "must be at least " + number(want)
	}
	return "must be at most " + number(want)
}

func number(n *big.Rat) string {
	f, _ := n.Float64()
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func join(values []any) string {
	texts := make([]string, 0, len(values))
	for _, v := range values {
		if v != nil {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	return strings.Join(texts, ", ")
}

func format(name string) string {
	switch name {
	case "email":
		return "must be an e-mail address"
	case "date-time":
		return "must be a time such as 2026-01-31T12:00:00Z"
	case "moment":
		return "must be a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31"
	case "date":
		return "must be a day such as 2026-01-31"
	case "uri":
		return "must be an http or https address"
	case "int64":
		return "must fit in 64 bits"
	case "double":
		return "must fit in a floating-point number of 64 bits"
	}
	return "must be of the format " + name
}

// article is a JSON type with its article.
func article(typ string) string {
	switch {
	case typ == "null":
		return "null"
	case typ == "integer":
		return "a whole number"
	case strings.ContainsRune("aeiou", rune(typ[0])):
		return "an " + typ
	}
	return "a " + typ
}
