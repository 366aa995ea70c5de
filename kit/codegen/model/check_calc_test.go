package model_test

import (
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// A refusal of a computed value says what is allowed.
func TestComputedValuesAreChecked(t *testing.T) {
	few := []ent.Field{field.Int64("few").Default(1)}
	for want, change := range map[string]func(c *expose.Calc){
		"":                                func(*expose.Calc) {},
		"a name of lower-case letters":    func(c *expose.Calc) { c.Name = "Long" },
		"something of the entity":         func(c *expose.Calc) { c.Name = "short" },
		`shape "time"`:                    func(c *expose.Calc) { c.Shape = expose.Moments },
		"needs a Comment and an Example":  func(c *expose.Calc) { c.Comment = "" },
		"Postgres and SQLite":             func(c *expose.Calc) { c.SQLite = "1" },
		`currency ""`:                     func(c *expose.Calc) { c.Shape = expose.Amount },
		`{row}."deleted_with"`:            func(c *expose.Calc) { c.SQL = `{row}.pages * :few + {row}."deleted_with"` },
		`{row}."none"`:                    func(c *expose.Calc) { c.SQL = `{row}.pages * :few + {row}.none` },
		`"price": a column is named`:      func(c *expose.Calc) { c.SQL = `{row}.pages * :few + "price"` },
		"SELECT: it is computed":          func(c *expose.Calc) { c.SQL = `{row}.pages * :few + (SELECT 1)` },
		"now: pages by cursor":            func(c *expose.Calc) { c.SQL = `{row}.pages * :few + extract(day from now())` },
		"it reads no column":              func(c *expose.Calc) { c.SQL = `:few + 1` },
		"the expression has no :few":      func(c *expose.Calc) { c.SQL = `{row}.pages` },
		":many is none of its Input":      func(c *expose.Calc) { c.SQL = `{row}.pages * :few * :many` },
		"semicolons":                      func(c *expose.Calc) { c.SQL = `{row}.pages * :few; DROP TABLE books` },
		`input "gt"`:                      func(c *expose.Calc) { c.Input, c.SQL = []ent.Field{field.Int64("gt")}, `{row}.pages * :gt` },
		"numbers, texts, enums":           func(c *expose.Calc) { c.Input = []ent.Field{field.Strings("few")} },
		"are of inputs of actions":        func(c *expose.Calc) { c.Input = []ent.Field{field.Int64("few").Annotations(expose.Was("some"))} },
		`it is no column: Computed, Init`: func(c *expose.Calc) { c.Input = []ent.Field{field.Int64("few").Annotations(expose.By(expose.Sort))} },
	} {
		library()
		calc := expose.Calc{Name: "times", Shape: expose.Count, Comment: "Pages.", Example: 1, Input: few, SQL: `{row}."pages" * :few`}
		change(&calc)
		book.resource.Calcs = []expose.Calc{calc}
		err := judge(t)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	library()
}
