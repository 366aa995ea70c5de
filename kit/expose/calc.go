package expose

import (
	"errors"
	"fmt"
	"strings"

	"entgo.io/ent"
)

// Calc is a value of a row that the database computes where it is asked for, from
// columns of the row and from arguments that the caller gives. Both APIs read it,
// filter and sort by it (doc/schema/calc.md):
//
//	{Name: "distance", Shape: expose.Decimal, Comment: "How far it is from a point, in degrees.", Example: 1.5,
//		Input: []ent.Field{
//			expose.Range(field.Float("lat"), -90, 90).Comment("The latitude of the point."),
//			expose.Range(field.Float("lng"), -180, 180).Comment("Its longitude."),
//		},
//		SQL: `sqrt(power({row}."lat" - :lat, 2) + power({row}."lng" - :lng, 2))`}
type Calc struct {
	// Name is the name in REST v1; GraphQL's is its camelCase form, if GraphQL is
	// empty.
	Name    string `json:"name"`
	GraphQL string `json:"graphql,omitempty"`
	// Comment describes it, Example is shown in the OpenAPI document.
	Comment string `json:"comment"`
	Example any    `json:"example,omitempty"`
	// Shape is its type: Text, Count, Decimal, Flag or Amount.
	Shape Shape `json:"shape"`
	// Input are the arguments, in the vocabulary of fields: bounds, defaults,
	// enums, [Example]. One without a default is required, unless it is Optional:
	// it is NULL then.
	Input []ent.Field `json:"input,omitempty"`
	// SQL is the expression: {row}."lat" is a column of the row, :lat an argument,
	// bound as a parameter, and :now the time of the request, or of the first page
	// of those by cursor. It reads the row and the arguments alone.
	SQL string `json:"sql,omitempty"`
	// Postgres and SQLite are the expressions in place of SQL, where no text reads
	// the same on both databases.
	Postgres string `json:"postgres,omitempty"`
	SQLite   string `json:"sqlite,omitempty"`
	// Currency names the field with the currency of an amount.
	Currency string `json:"currency,omitempty"`
}

// CalcNow is the argument that every [Calc] has: a time.
const CalcNow = "now"

// CalcTerm is a part of the expression of a [Calc]: verbatim SQL, a column of the
// row, or an argument. Two of the members are empty.
type CalcTerm struct{ SQL, Column, Argument string }

// rowBefore stands before the name of a column of the row.
const rowBefore = `{row}.`

// CalcTerms takes the expression of a [Calc] apart. Quoted texts and names are
// copied unchanged.
func CalcTerms(text string) ([]CalcTerm, error) {
	var terms []CalcTerm
	start, at := 0, 0
	flush := func(end int) {
		if end > start {
			terms = append(terms, CalcTerm{SQL: text[start:end]})
		}
	}
	for at < len(text) {
		n := 1
		switch rest := text[at:]; {
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "/*"), rest[0] == ';', rest[0] == '$', rest[0] == '?':
			return nil, fmt.Errorf("%q: an expression is allowed, without comments, parameters and semicolons", rest[:min(len(rest), 2)])
		case rest[0] == '\'', rest[0] == '"':
			end := strings.IndexByte(rest[1:], rest[0])
			if end < 0 {
				return nil, errors.New("a quotation has no end")
			}
			n = end + 2
		case strings.HasPrefix(rest, "::"):
			n = 2
		case rest[0] == ':':
			name := word(rest[1:])
			if name == "" {
				break
			}
			flush(at)
			terms = append(terms, CalcTerm{Argument: name})
			n = 1 + len(name)
			start = at + n
		case rest[0] == '{':
			column, length := columnOf(rest)
			if length == 0 {
				return nil, errors.New(`a column of the row is allowed in braces: {row}."price"`)
			}
			flush(at)
			terms = append(terms, CalcTerm{Column: column})
			n = length
			start = at + n
		}
		at += n
	}
	flush(at)
	return terms, nil
}

// columnOf returns the column that the text begins with, {row}."price", and how
// long that is: 0 where it begins with none.
func columnOf(text string) (name string, length int) {
	rest, ok := strings.CutPrefix(text, rowBefore)
	if !ok {
		return "", 0
	}
	if quoted, isQuoted := strings.CutPrefix(rest, `"`); isQuoted {
		name = word(quoted)
		if name == "" || !strings.HasPrefix(quoted[len(name):], `"`) {
			return "", 0
		}
		return name, len(rowBefore) + len(name) + len(`""`)
	}
	name = word(rest)
	if name == "" {
		return "", 0
	}
	return name, len(rowBefore) + len(name)
}

// word is the name that the text begins with, in lower case, empty where there is none.
func word(text string) string {
	n := strings.IndexFunc(text, func(c rune) bool { return c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	if n < 0 {
		n = len(text)
	}
	if n > 0 && text[0] >= '0' && text[0] <= '9' {
		return ""
	}
	return text[:n]
}

// CalcOf returns the declaration of the schema's Calc with the name.
func CalcOf(s ent.Interface, name string) Calc {
	r, _ := ResourceOf(s)
	for _, c := range r.Calcs {
		if c.Name == name {
			return c
		}
	}
	return Calc{}
}
