package variables_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/problem"
)

var schema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	scalar JSON
	scalar Time
	enum Color { red green }
	input Line { product: ID! quantity: Int! = 1 note: String color: Color parts: [[Int!]!] more: [Line!] any: JSON }
	type Query { a: Int }
	type Mutation {
		write(id: ID, n: Int = 7, need: Int! = 3, price: Float, on: Boolean, color: Color, at: Time, any: JSON,
			tags: [String!], maybe: [Int], line: Line, lines: [Line!]): Boolean
	}`})

type (
	object = map[string]any
	list   = []any
)

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		operation, variables string
		want                 object
		err                  string
	}{
		{`mutation { write }`, ``, object{"n": int64(7), "need": int64(3)}, ""},
		{`mutation { write(id: null, n: null) }`, ``, object{"id": nil, "n": nil, "need": int64(3)}, ""},
		{`mutation { write(id: "5", n: 5, need: -1, price: 2, on: false, color: green, at: "2026-01-02") }`, ``,
			object{"id": "5", "n": int64(5), "need": int64(-1), "price": 2.0, "on": false, "color": "green", "at": "2026-01-02"}, ""},
		{`mutation { write(id: 5, price: 1.5e1, any: {a: [1, "b", null, 2.5]}) }`, ``,
			object{"id": int64(5), "price": 15.0, "any": object{"a": list{int64(1), "b", nil, 2.5}}, "n": int64(7), "need": int64(3)}, ""},
		{`mutation { write(tags: "one", maybe: [1, null], lines: {product: 1}) }`, ``,
			object{"tags": list{"one"}, "maybe": list{int64(1), nil}, "lines": list{object{"product": int64(1), "quantity": int64(1)}}, "n": int64(7), "need": int64(3)}, ""},
		{`mutation { write(line: {product: 1, parts: [[1, 2], 3], more: [{product: "x", note: null}]}) }`, ``,
			object{"line": object{
				"product": int64(1), "quantity": int64(1), "parts": list{list{int64(1), int64(2)}, list{int64(3)}},
				"more": list{object{"product": "x", "quantity": int64(1), "note": nil}},
			}, "n": int64(7), "need": int64(3)}, ""},

		// A variable that nothing is given for.
		{`mutation($n: Int, $i: ID!, $t: String, $m: Int, $l: [Line!]) { write(n: $n, line: {product: $i, note: $t, any: {a: $t, b: 1}}, maybe: [$m], lines: $l) }`, `{"i": 4}`,
			object{"n": int64(7), "need": int64(3), "line": object{"product": int64(4), "quantity": int64(1), "any": object{"b": int64(1)}}, "maybe": list{nil}}, ""},
		{`mutation($q: Int = 2, $t: String = "x") { write(line: {product: 1, quantity: $q, note: $t}) }`, `{"t": null}`,
			object{"n": int64(7), "need": int64(3), "line": object{"product": int64(1), "quantity": int64(2), "note": nil}}, ""},
		// One that something is.
		{`mutation($l: Line, $all: [Line!], $c: Color, $any: JSON) { write(line: $l, lines: $all, color: $c, any: $any) }`,
			`{"l": {"product": "1", "parts": [3]}, "all": {"product": 2, "quantity": 2e1}, "c": "red", "any": {"a": [1]}}`,
			object{
				"line":  object{"product": "1", "quantity": int64(1), "parts": list{list{int64(3)}}},
				"lines": list{object{"product": int64(2), "quantity": int64(20)}},
				"color": "red", "any": object{"a": list{1.0}}, "n": int64(7), "need": int64(3),
			}, ""},

		{`mutation($n: Int = 1) { write(need: $n) }`, `{"n": null}`, nil, "need: must not be null"},
		{`mutation($q: Int = 1) { write(lines: [{product: 1}, {product: 1, quantity: $q}]) }`, `{"q": null}`, nil, "lines[1].quantity: must not be null"},
		{`mutation($q: Int = 1) { write(need: $q, lines: [{product: 1}, {product: 1, quantity: $q}]) }`, `{"q": null}`, nil, "need: must not be null; lines[1].quantity: must not be null"},
	} {
		doc, errs := gqlparser.LoadQueryWithRules(schema, c.operation, nil)
		if errs != nil {
			t.Errorf("%s: %v", c.operation, errs)
			continue
		}
		given, err := variables.Decode([]byte(c.variables))
		if err != nil {
			t.Fatal(err)
		}
		op := doc.Operations[0]
		for _, v := range op.VariableDefinitions { // as gqlparser does
			if _, named := given[v.Variable]; !named && v.DefaultValue != nil {
				if given == nil {
					given = object{}
				}
				given[v.Variable], _ = v.DefaultValue.Value(nil)
			}
		}
		coerced, refused := variables.Coerce(schema, op, given)
		if refused != nil {
			t.Errorf("%s: %v", c.operation, refused)
			continue
		}
		got, err := variables.Arguments(schema, op.SelectionSet[0].(*ast.Field), coerced)
		if c.err != "" {
			var found []string
			for _, d := range problem.As(err).Details {
				found = append(found, d.Field+": "+d.Message)
			}
			if got := strings.Join(found, "; "); got != c.err {
				t.Errorf("%s: %s, want %s", c.operation, got, c.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			g, _ := json.Marshal(got)
			w, _ := json.Marshal(c.want)
			t.Errorf("%s: %v\n got %s %#v\nwant %s", c.operation, err, g, got, w)
		}
	}
}

// A number is whole by its digits, not by the nearest float64.
func TestWhole(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"30": 30, "30.0": 30, "1e3": 1000, "3.0e1": 30, "300e-1": 30, "0.30E+2": 30, "-2.50e1": -25, "0": 0, "-0.0": 0, "0e-400": 0,
		"100e-2": 1, "9007199254740991.0": 1<<53 - 1,
	} {
		if got, ok := variables.Whole(json.Number(text)); !ok || got != want {
			t.Errorf("%s is %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"2.00000000000000000001", "1e-400", "30.5", "-1e-1", "305e-1", "1e400", "1e99999999999999999999", "1e-99999999999999999999"} {
		if got, ok := variables.Whole(json.Number(text)); ok {
			t.Errorf("%s is %d", text, got)
		}
	}
}
