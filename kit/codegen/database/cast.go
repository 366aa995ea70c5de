package database

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

var casting = regexp.MustCompile(`(?i)\bCAST\s*\(`)

// casts is the expression with entwine_cast in the place of CAST: SQLite's own makes
// 0 of a text that is no number, and what PostgreSQL refuses would be lost.
func casts(expression string) (string, error) {
	at := casting.FindStringIndex(expression)
	if at == nil {
		return expression, nil
	}
	end, as := operand(expression[at[1]:])
	if as < 0 {
		return "", fmt.Errorf("%s: CAST(… AS …) is not closed", expression)
	}
	inside := expression[at[1] : at[1]+end]
	kind := strings.ToLower(strings.Join(strings.Fields(inside[as+len(" AS "):]), " "))
	if !migration.Casts(kind) {
		return "", fmt.Errorf("SQLite has no cast to %s; smallint, integer, bigint, real, double precision, numeric, text and boolean are allowed", kind)
	}
	value, err := casts(inside[:as])
	if err != nil {
		return "", err
	}
	rest, err := casts(expression[at[1]+end:])
	return expression[:at[0]] + "entwine_cast(" + value + ", '" + kind + "'" + rest, err
}

// operand is where the parenthesis that begins before the text ends, and where its
// last AS is that stands in no other one and in no text; -1 where there is none.
func operand(text string) (end, as int) {
	depth, quote := 0, byte(0)
	as = -1
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return i, as
		case c == ')':
			depth--
		case depth == 0 && i+4 <= len(text) && strings.EqualFold(text[i:i+4], " AS "):
			as = i
		}
	}
	return len(text), -1
}

// strict are the expressions, by the database, with casts that refuse what they can't
// read on each.
func strict(set map[string]string) (map[string]string, error) {
	all := map[string]string{}
	for _, d := range store.Dialects {
		all[d.Name()] = set[d.Name()]
		if d.StrictCasts() {
			continue
		}
		var err error
		if all[d.Name()], err = casts(set[d.Name()]); err != nil {
			return nil, err
		}
	}
	return all, nil
}
