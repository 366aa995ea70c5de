package gql_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Planned reads answer byte for byte what the algorithm of GraphQL's
// specification answers: fields are resolved one at a time, over all rows in
// memory, with no plan, no SQL but for what rows there are and who may read
// them (which ent's own queries say), and nothing that is read together.
func TestPlansAnswerAsExecutionIsSpecified(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	db := schema.Postgres(t)
	fill := storetest.NewFiller(db, migrate.Tables, 11)
	for range 8 {
		for _, table := range migrate.Tables {
			fill.Row(t, table)
		}
	}
	client := orm.Client(db)
	handler := over(t, db, graph.Options{Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	all := readMemory(t, db)
	judged := 0
	for _, v := range []*viewer.Viewer{{UserID: 2, Role: viewer.Admin}, viewer.Anonymous(), {UserID: 3, Role: "moderator"}, {UserID: 1, Role: "user"}, {KeyID: 1, Permissions: []viewer.Permission{viewer.Read}}} {
		seen := all.seenBy(t, client, v)
		for n := range uint64(randomQueries / 4) {
			m := &maker{rnd: rand.New(rand.NewPCG(n, 2)), schema: api.GraphQL(), rows: fill.IDs, specified: true}
			if judge(t, handler, seen, m.query()) {
				judged++
			}
		}
	}
	if judged < randomQueries/2 {
		t.Errorf("%d queries were judged: too few to tell", judged)
	}
}

// judge compares the answer with the specified one. It reports false for a
// query whose arguments are refused, which says nothing of its execution.
func judge(t *testing.T, handler http.Handler, w *memory, query string) bool {
	t.Helper()
	text := ask(t, handler, w.viewer, query)
	var answer struct {
		Data   json.RawMessage
		Errors []struct {
			Path       []any
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s\n%v: %s", query, err, text)
	}
	var failed []string
	for _, e := range answer.Errors {
		if e.Extensions.Code == "BAD_USER_INPUT" || e.Extensions.Code == "QUERY_TOO_COMPLEX" {
			return false
		}
		failed = append(failed, fmt.Sprint(e.Path))
	}
	x := &execution{memory: w, T: t, variables: map[string]any{"yes": true, "no": false, "n": int64(3)}}
	data := x.run(query)
	if string(answer.Data) != data {
		same := 0
		for same < min(len(data), len(answer.Data)) && data[same] == answer.Data[same] {
			same++
		}
		t.Fatalf("%+v asks\n%s\nand is answered, after %d bytes,\n%.300s\nwhere the specification says\n%.300s", w.viewer, query, same, answer.Data[same:], data[same:])
	}
	// Errors below a null may be left out.
	for _, path := range failed {
		if !slices.Contains(x.failed, path) {
			t.Fatalf("%+v asks\n%s\nand is told of an error at %s, not at one of %v", w.viewer, query, path, x.failed)
		}
	}
	if len(failed) == 0 && len(x.failed) > 0 {
		t.Fatalf("%+v asks\n%s\nand is told of no error, where there are some at %v", w.viewer, query, x.failed)
	}
	return true
}

// execution answers one query.
type execution struct {
	*memory
	*testing.T
	variables map[string]any
	failed    []string
}

// response is a value with what may be null decided: "" is null.
type response string

func (x *execution) run(query string) string {
	x.Helper()
	document, err := gqlparser.LoadQueryWithRules(api.GraphQL(), query, rules.NewDefaultRules())
	if err != nil {
		x.Fatalf("%s: %v", query, err)
	}
	data := x.object(api.GraphQL().Query, document.Operations[0].SelectionSet, nil, func(f *ast.Field, path []any) response {
		return x.root(f, path)
	})
	return cmp.Or(string(data), "null")
}

func (x *execution) fail(path []any) response {
	x.failed = append(x.failed, fmt.Sprint(path))
	return ""
}

// collect is CollectFields of the specification: by the names under which the
// fields are answered, in their order.
func (x *execution) collect(typ *ast.Definition, set ast.SelectionSet) (names []string, fields map[string][]*ast.Field) {
	fields = map[string][]*ast.Field{}
	var add func(ast.SelectionSet)
	add = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				if x.included(s.Directives) {
					if fields[s.Alias] == nil {
						names = append(names, s.Alias)
					}
					fields[s.Alias] = append(fields[s.Alias], s)
				}
			case *ast.InlineFragment:
				if x.included(s.Directives) && (s.TypeCondition == typ.Name || slices.Contains(typ.Interfaces, s.TypeCondition)) {
					add(s.SelectionSet)
				}
			}
		}
	}
	add(set)
	return names, fields
}

func (x *execution) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		if value, _ := d.Arguments.ForName("if").Value.Value(x.variables); value == (d.Name == "skip") {
			return false
		}
	}
	return true
}

// object writes the selected fields of an object.
func (x *execution) object(typ *ast.Definition, set ast.SelectionSet, path []any, resolve func(*ast.Field, []any) response) response {
	names, fields := x.collect(typ, set)
	var b strings.Builder
	null := false
	for i, name := range names {
		f := *fields[name][0]
		f.SelectionSet = nil
		for _, same := range fields[name] {
			f.SelectionSet = append(f.SelectionSet, same.SelectionSet...)
		}
		var value response
		if f.Name == "__typename" {
			value = quoted(typ.Name)
		} else {
			value = resolve(&f, append(slices.Clone(path), name))
		}
		null = null || value == "" && f.Definition.Type.NonNull
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0] + string(quoted(name)) + ":" + cmp.Or(string(value), "null"))
	}
	if null {
		return ""
	}
	return response(cmp.Or(b.String(), "{") + "}")
}

// list writes the rows as a list of the type.
func (x *execution) list(typ *ast.Type, count int, path []any, each func(i int, path []any) response) response {
	items := make([]string, count)
	null := false
	for i := range items {
		item := each(i, append(slices.Clone(path), i))
		null = null || item == "" && typ.Elem.NonNull
		items[i] = cmp.Or(string(item), "null")
	}
	if null {
		return ""
	}
	return response("[" + strings.Join(items, ",") + "]")
}

func quoted(text string) response {
	b, _ := json.Marshal(text)
	return response(b)
}

// root resolves a field of Query: one row by its id, or a connection.
func (x *execution) root(f *ast.Field, path []any) response {
	e := entityCalled(strings.TrimSuffix(f.Definition.Type.Name(), "Connection"))
	if x.seen[e.Name] == nil {
		return x.fail(path)
	}
	if f.Definition.Type.Name() != e.Name {
		return x.connection(e, f, x.readable(e), path)
	}
	if r := x.find(x.readable(e), idOf(f.ArgumentMap(x.variables)["id"])); r != nil {
		return x.row(e, r, f, path)
	}
	return x.fail(path)
}

func entityCalled(name string) *kitentity.Entity {
	for _, e := range entity.All {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// connection resolves a connection over the rows.
func (x *execution) connection(e *kitentity.Entity, f *ast.Field, rows []row, path []any) response {
	rows, ok := x.listed(e, f, rows)
	if !ok {
		return x.fail(path)
	}
	size := 20
	if strings.HasPrefix(f.ObjectDefinition.Name, "Query") {
		size = e.Limit
	}
	args := f.ArgumentMap(x.variables)
	page := rows[:min(len(rows), number(args["first"], size))]
	before := false
	if last, ok := args["last"]; ok {
		page, before = rows[max(0, len(rows)-number(last, 0)):], true
	}
	typ := api.GraphQL().Types[f.Definition.Type.Name()]
	return x.object(typ, f.SelectionSet, path, func(f *ast.Field, path []any) response {
		switch f.Name {
		case "totalCount":
			return response(fmt.Sprint(len(rows)))
		case "totalCountExact": // false only of very many rows
			return "true"
		case "nodes":
			return x.list(f.Definition.Type, len(page), path, func(i int, path []any) response { return x.row(e, page[i], f, path) })
		case "pageInfo":
			return x.object(api.GraphQL().Types["PageInfo"], f.SelectionSet, path, func(f *ast.Field, _ []any) response {
				return response(fmt.Sprint((f.Name == "hasPreviousPage") == before && len(page) < len(rows)))
			})
		}
		return x.list(f.Definition.Type, len(page), path, func(i int, path []any) response {
			edge := api.GraphQL().Types[f.Definition.Type.Name()]
			return x.object(edge, f.SelectionSet, path, func(f *ast.Field, path []any) response { return x.row(e, page[i], f, path) })
		})
	})
}

// listed are the rows that pass the field's filter, in its order. It reports
// false where the viewer may not see what they are asked by.
func (x *execution) listed(e *kitentity.Entity, f *ast.Field, rows []row) ([]row, bool) {
	args := f.ArgumentMap(x.variables)
	if where, ok := args["where"].(map[string]any); ok {
		if !x.mayAsk(e, where) {
			return nil, false
		}
		rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !x.passes(e, r, where) })
	}
	terms := e.Sort
	if order := listOf(args["orderBy"]); len(order) > 0 {
		terms = nil
		for _, o := range order {
			o := o.(map[string]any)
			i := slices.IndexFunc(e.Fields, func(f *kitentity.Field) bool { return strings.EqualFold(f.Name, o["field"].(string)) })
			if !e.Fields[i].Visible(x.viewer) {
				return nil, false
			}
			terms = append(terms, kitentity.Term{Field: e.Fields[i], Desc: o["direction"] == "DESC"})
		}
	}
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b row) int { return compareBy(terms, a, b) })
	return rows, true
}

// row resolves the fields of an entity.
func (x *execution) row(e *kitentity.Entity, r row, f *ast.Field, path []any) response {
	return x.object(api.GraphQL().Types[e.Name], f.SelectionSet, path, func(f *ast.Field, path []any) response {
		if field := e.GraphQLField(f.Name); field != nil {
			return x.field(e, field, r, f, path)
		}
		name := strings.TrimSuffix(f.Name, "Connection")
		i := slices.IndexFunc(e.Edges, func(g *kitentity.Edge) bool { return g.GraphQL == name })
		edge := e.Edges[i]
		rows := x.across(edge, r)
		switch {
		case !edge.Many && len(rows) == 0 && f.Definition.Type.NonNull:
			return x.fail(path)
		case !edge.Many && len(rows) == 0:
			return ""
		case !edge.Many:
			return x.row(edge.To, rows[0], f, path)
		case f.Name != name:
			return x.connection(edge.To, f, rows, path)
		}
		rows, ok := x.listed(edge.To, f, rows)
		if !ok {
			return x.fail(path)
		}
		rows = rows[:min(len(rows), number(f.ArgumentMap(x.variables)["first"], 100))]
		return x.list(f.Definition.Type, len(rows), path, func(i int, path []any) response { return x.row(edge.To, rows[i], f, path) })
	})
}

func number(value any, otherwise int) int {
	switch n := value.(type) {
	case int64:
		return int(n)
	case json.Number:
		i, _ := n.Int64()
		return int(i)
	}
	return otherwise
}

func listOf(value any) []any {
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{value}
}
