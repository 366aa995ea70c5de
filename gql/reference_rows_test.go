package gql_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// row is a row by its columns.
type row map[string]any

func (r row) id() int64 { return r["id"].(int64) }

// memory is all rows of all tables, and which of them a viewer can read.
type memory struct {
	db     *store.DB
	tables map[string][]row
	viewer *viewer.Viewer
	seen   map[string]map[int64]bool
}

func readMemory(t *testing.T, db *store.DB) *memory {
	t.Helper()
	w := &memory{db: db, tables: map[string][]row{}}
	for _, e := range entity.All {
		w.tables[e.Table] = w.rows(t, `SELECT * FROM "`+e.Table+`" ORDER BY id`)
		for _, g := range e.Edges {
			if g.Join != nil {
				w.tables[g.Join.Table] = w.rows(t, `SELECT * FROM "`+g.Join.Table+`"`)
			}
		}
	}
	return w
}

func (w *memory) rows(t *testing.T, query string, args ...any) (all []row) {
	t.Helper()
	rows, err := w.db.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		r := row{}
		for i, c := range columns {
			r[c] = *values[i].(*any)
			if text, ok := r[c].([]byte); ok {
				r[c] = string(text)
			}
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// seenBy asks ent which rows the viewer can read.
func (w *memory) seenBy(t *testing.T, client *ent.Client, v *viewer.Viewer) *memory {
	t.Helper()
	seen := map[string]map[int64]bool{}
	ctx := viewer.With(t.Context(), v)
	for _, e := range entity.All {
		seen[e.Name] = map[int64]bool{}
		query := reflect.ValueOf(client).Elem().FieldByName(e.Name).MethodByName("Query").Call(nil)[0]
		out := query.MethodByName("IDs").Call([]reflect.Value{reflect.ValueOf(ctx)})
		if err, _ := reflect.TypeAssert[error](out[1]); err != nil {
			t.Fatal(err)
		}
		if e.Rules.Readable(v, false).Never() {
			delete(seen, e.Name) // the viewer gets the error
			continue
		}
		for i := range out[0].Len() {
			seen[e.Name][out[0].Index(i).Int()] = true
		}
	}
	return &memory{db: w.db, tables: w.tables, viewer: v, seen: seen}
}

func (w *memory) readable(e *kitentity.Entity) []row {
	return slices.DeleteFunc(slices.Clone(w.tables[e.Table]), func(r row) bool { return !w.seen[e.Name][r.id()] })
}

func (w *memory) find(rows []row, id int64) row {
	i := slices.IndexFunc(rows, func(r row) bool { return r.id() == id })
	if i < 0 {
		return nil
	}
	return rows[i]
}

// across are the rows at the other end of an edge that can be read by way of it.
func (w *memory) across(g *kitentity.Edge, from row) []row {
	rows := w.readable(g.To)
	if g.Through {
		rows = slices.DeleteFunc(slices.Clone(w.tables[g.To.Table]), func(r row) bool { return r["deleted_at"] != nil && !g.Required })
	}
	return slices.DeleteFunc(rows, func(r row) bool {
		switch {
		case g.Join != nil:
			return !slices.ContainsFunc(w.tables[g.Join.Table], func(j row) bool {
				return j[g.Join.From] == from.id() && j[g.Join.To] == r.id()
			})
		case g.Own:
			return from[g.Column] != r.id()
		}
		return r[g.Column] != from.id()
	})
}

// field writes what a field shows.
func (x *execution) field(e *kitentity.Entity, f *kitentity.Field, r row, selected *ast.Field, path []any) response {
	if !f.Visible(x.viewer) {
		return x.fail(path)
	}
	value := x.value(e, f, r)
	if value == nil {
		return ""
	}
	switch f.Kind {
	case kitentity.ID:
		return quoted(gid.Encode(e.Name, r.id()))
	case kitentity.Ref:
		return quoted(gid.Encode(f.Ref, value.(int64)))
	case kitentity.Time:
		return quoted(value.(time.Time).UTC().Format(time.RFC3339Nano))
	case kitentity.Money:
		return response(money.Append(nil, value.(int64), x.value(e, f.Currency, r).(string)))
	case kitentity.JSON:
		return response(fmt.Sprint(value))
	case kitentity.Strings:
		var b bytes.Buffer
		if err := json.Compact(&b, []byte(fmt.Sprint(value))); err != nil {
			x.Fatal(err)
		}
		return response(b.String())
	case kitentity.Objects:
		return x.objects(e, f, r, selected, path, fmt.Sprint(value))
	case kitentity.String, kitentity.Enum:
		return text(fmt.Sprint(value))
	}
	return response(fmt.Sprint(value))
}

// objects writes the selected members of a list of objects.
func (x *execution) objects(e *kitentity.Entity, f *kitentity.Field, r row, selected *ast.Field, path []any, stored string) response {
	var objects []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(stored), &objects); err != nil {
		x.Fatal(err)
	}
	typ := api.GraphQL().Types[selected.Definition.Type.Name()]
	return x.list(selected.Definition.Type, len(objects), path, func(i int, path []any) response {
		return x.object(typ, selected.SelectionSet, path, func(s *ast.Field, _ []any) response {
			m := f.Members[slices.IndexFunc(f.Members, func(m kitentity.Member) bool { return m.GraphQL == s.Name })]
			var minor int64
			if value := objects[i][m.Name]; !m.Money || json.Unmarshal(value, &minor) != nil {
				return response(value)
			}
			return response(money.Append(nil, minor, x.value(e, f.Currency, r).(string)))
		})
	})
}

// text is a JSON string as the APIs write it: < and > are letters like others.
func text(s string) response {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return response(strings.TrimSpace(b.String()))
}

// value reads a field of a row.
func (x *execution) value(e *kitentity.Entity, f *kitentity.Field, r row) any {
	value := r[f.Column]
	if len(f.Offers) > 0 {
		return x.offers(e, f, r)
	}
	if f.May != nil {
		return x.may(e, f.May, r)
	}
	if f.Expression != "" {
		expression := strings.NewReplacer("{row}", `"r"`, "{viewer}", fmt.Sprint(x.viewer.UserID)).Replace(f.Expression)
		value = x.rows(x.T, fmt.Sprintf(`SELECT (%s) AS "value" FROM "%s" AS "r" WHERE id = %d`, expression, e.Table, r.id()))[0]["value"]
	}
	if f.Render != nil && value != nil {
		value = string(f.Render(nil, []byte(value.(string))))
	}
	return value
}

// offers lists what the viewer can do to a row, as it would be stored.
func (x *execution) offers(e *kitentity.Entity, f *kitentity.Field, r row) any {
	var all []string
	for _, o := range f.Offers {
		if !x.may(e, &o, r) {
			continue
		}
		mutation := "null"
		if o.Mutation != "" {
			mutation = `"` + o.Mutation + `"`
		}
		all = append(all, fmt.Sprintf(`{"name":"%s","method":"%s","href":"%s%s%d%s","mutation":%s}`, o.Name, o.Method, expose.LinkBase, o.Before, r.id(), o.After, mutation))
	}
	return "[" + strings.Join(all, ",") + "]"
}

// may reports whether the viewer can do it to the row.
func (x *execution) may(e *kitentity.Entity, o *kitentity.Offer, r row) bool {
	rule := o.Rule
	if o.Verb != "" {
		rule = policy.Both(rule, e.Rules.May(x.viewer, o.Verb))
	}
	var where sql.Builder
	where.SetDialect(x.db.Dialect.Name())
	rule.Write(ruleWriter{&where}, "r")
	condition, args := where.Query()
	query := fmt.Sprintf(`SELECT 1 FROM "%s" AS "r" WHERE id = %d AND (%s)`, e.Table, r.id(), condition)
	deleted := r["deleted_at"] != nil
	return deleted == o.Deleted && len(x.rows(x.T, query, args...)) > 0
}

// ruleWriter writes rules with Ent's builder.
type ruleWriter struct{ *sql.Builder }

func (w ruleWriter) WriteString(text string) { w.Builder.WriteString(text) }
func (w ruleWriter) Arg(value any)           { w.Builder.Arg(value) }

// compareBy compares rows by the terms and then by their ids, in the last
// direction; nulls come last in both.
func compareBy(terms []kitentity.Term, a, b row) int {
	desc := false
	for _, term := range terms {
		desc = term.Desc
		x, y := a[term.Field.Column], b[term.Field.Column]
		switch {
		case x == nil && y == nil:
			continue
		case x == nil:
			return 1
		case y == nil:
			return -1
		}
		if c := compareValues(x, y); c != 0 {
			return map[bool]int{true: -c, false: c}[desc]
		}
	}
	c := cmp.Compare(a.id(), b.id())
	return map[bool]int{true: -c, false: c}[desc]
}

func compareValues(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	case time.Time:
		return a.Compare(b.(time.Time))
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// mayAsk reports whether the viewer may see all that a filter asks about.
func (x *execution) mayAsk(e *kitentity.Entity, where map[string]any) bool {
	for name, value := range where {
		var inner []any
		to := e
		switch edge, with := edgeAsked(e, name); {
		case value == nil:
			continue
		case name == "not" || name == "and" || name == "or":
			inner = listOf(value)
		case edge != nil && with:
			inner, to = listOf(value), edge.To
		case edge == nil:
			if f, _ := comparison(e, name); !f.Visible(x.viewer) {
				return false
			}
		}
		for _, w := range inner {
			if !x.mayAsk(to, w.(map[string]any)) {
				return false
			}
		}
	}
	return true
}

// edgeAsked is the edge that hasName and hasNameWith ask about.
func edgeAsked(e *kitentity.Entity, name string) (edge *kitentity.Edge, with bool) {
	for _, g := range e.Edges {
		has := "has" + strings.ToUpper(g.GraphQL[:1]) + g.GraphQL[1:]
		if g.Filter && (name == has || name == has+"With") {
			return g, name != has
		}
	}
	return nil, false
}

// comparison is the field that a condition compares, and how.
func comparison(e *kitentity.Entity, name string) (f *kitentity.Field, how string) {
	for _, other := range e.Fields {
		if rest, ok := strings.CutPrefix(name, other.GraphQL[0]); ok && (f == nil || len(rest) < len(how)) {
			f, how = other, rest
		}
	}
	return f, how
}

// passes reports whether the row passes the filter. A comparison with null is false, except
// that null differs from each value.
func (x *execution) passes(e *kitentity.Entity, r row, where map[string]any) bool {
	for name, value := range where {
		if value != nil && !x.holds(e, r, name, value) {
			return false
		}
	}
	return true
}

func (x *execution) holds(e *kitentity.Entity, r row, name string, value any) bool {
	all := func(e *kitentity.Entity, r row) bool {
		return !slices.ContainsFunc(listOf(value), func(w any) bool { return !x.passes(e, r, w.(map[string]any)) })
	}
	switch edge, with := edgeAsked(e, name); {
	case name == "not":
		return !x.passes(e, r, value.(map[string]any))
	case name == "and":
		return all(e, r)
	case name == "or":
		return slices.ContainsFunc(listOf(value), func(w any) bool { return x.passes(e, r, w.(map[string]any)) })
	case with:
		return slices.ContainsFunc(x.across(edge, r), func(r row) bool { return all(edge.To, r) })
	case edge != nil:
		return (len(x.across(edge, r)) > 0) == value.(bool)
	}
	f, how := comparison(e, name)
	return x.compares(e, f, r, how, value)
}

func (x *execution) compares(e *kitentity.Entity, f *kitentity.Field, r row, how string, value any) bool {
	have := r[f.Column]
	switch how {
	case "IsNil":
		return (have == nil) == value.(bool)
	case "NotNil":
		return (have != nil) == value.(bool)
	case "NEQ":
		return !x.compares(e, f, r, "", value)
	case "NotIn":
		return !x.compares(e, f, r, "In", value)
	case "In", "HasAny":
		return slices.ContainsFunc(listOf(value), func(v any) bool { return x.compares(e, f, r, map[string]string{"In": "", "HasAny": "Has"}[how], v) })
	}
	if have == nil {
		return false
	}
	switch how {
	case "Has":
		var list []string
		if err := json.Unmarshal([]byte(fmt.Sprint(have)), &list); err != nil {
			x.Fatal(err)
		}
		return slices.Contains(list, value.(string))
	case "Contains":
		return strings.Contains(have.(string), value.(string))
	case "HasPrefix":
		return strings.HasPrefix(have.(string), value.(string))
	case "HasSuffix":
		return strings.HasSuffix(have.(string), value.(string))
	case "ContainsFold":
		return strings.Contains(fold.String(have.(string)), fold.String(value.(string)))
	case "EqualFold":
		return fold.String(have.(string)) == fold.String(value.(string))
	}
	c := compareValues(orderable(x, e, f, r, have), operand(x, f, have, value))
	switch how {
	case "GT":
		return c > 0
	case "GTE":
		return c >= 0
	case "LT":
		return c < 0
	case "LTE":
		return c <= 0
	}
	return c == 0
}

// comparable is the value by which a field is compared: amounts by their worth in the
// currency's main unit.
func orderable(x *execution, e *kitentity.Entity, f *kitentity.Field, r row, have any) any {
	if f.Kind != kitentity.Money {
		return have
	}
	var amount float64
	if err := json.Unmarshal(money.Append(nil, have.(int64), x.value(e, f.Currency, r).(string)), &amount); err != nil {
		x.Fatal(err)
	}
	return amount
}

// operand is the value that a field is compared with.
func operand(x *execution, f *kitentity.Field, have, value any) any {
	switch f.Kind {
	case kitentity.ID, kitentity.Ref:
		return idOf(value)
	case kitentity.Time:
		t, err := time.Parse(time.RFC3339Nano, value.(string))
		if err != nil {
			x.Fatal(err)
		}
		return t
	case kitentity.Money, kitentity.Float:
		switch v := value.(type) {
		case json.Number:
			n, _ := v.Float64()
			return n
		case int64:
			return float64(v)
		}
	case kitentity.Int:
		return int64(number(value, 0))
	}
	return value
}

// idOf is the integer in a global id.
func idOf(value any) int64 {
	text := fmt.Sprint(value)
	for _, e := range entity.All {
		if id, err := gid.Unmarshal(e.Name, text); err == nil {
			return id.Int()
		}
	}
	return 0
}
