package gql_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// randomQueries is how many are asked in a test.
const randomQueries = 400

// PostgreSQL and SQLite answer byte for byte the same to random queries, and no valid query
// causes an internal error: they are made up from the schema, with fragments, aliases,
// directives, filters, orders and pages.
func TestBothDatabasesAnswerRandomQueriesAlike(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	lite, pg := schema.SQLite(t), schema.Postgres(t)
	var handlers []http.Handler
	var rows map[string][]int64
	for _, db := range []*store.DB{lite, pg} {
		fill := storetest.NewFiller(db, migrate.Tables, 5)
		for range 8 {
			for _, table := range migrate.Tables {
				fill.Row(t, table)
			}
		}
		handlers = append(handlers, over(t, db, graph.Options{Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}))
		rows = fill.IDs
	}
	viewers := []*viewer.Viewer{{UserID: 2, Role: viewer.Admin}, viewer.Anonymous(), {UserID: 3, Role: viewer.Admin}, {UserID: 1, Role: "user"}, {KeyID: 1, Permissions: []viewer.Permission{viewer.Read}}}
	answered := 0
	for n := range uint64(randomQueries) {
		m := &maker{rnd: rand.New(rand.NewPCG(n, 1)), schema: api.GraphQL(), rows: rows}
		query, v := m.query(), viewers[n%uint64(len(viewers))]
		ask(t, handlers[0], viewers[(n+1)%uint64(len(viewers))], query) // what one of them keeps is another's
		var answers []string
		for _, h := range handlers {
			answers = append(answers, ask(t, h, v, query))
		}
		if answers[0] != answers[1] {
			t.Fatalf("query %d of %+v:\n%s\nSQLite     %s\nPostgreSQL %s", n, v, query, answers[0], answers[1])
		}
		if strings.Contains(answers[0], "INTERNAL_SERVER_ERROR") || strings.Contains(answers[0], "GRAPHQL_VALIDATION_FAILED") {
			t.Fatalf("query %d of %+v:\n%s\n%s", n, v, query, answers[0])
		}
		if !strings.HasPrefix(answers[0], `{"data":null`) && strings.Contains(answers[0], `":{`) {
			answered++
		}
	}
	if answered < randomQueries/3 {
		t.Errorf("%d of %d queries were answered with something: too few to tell", answered, randomQueries)
	}
}

// The parts of a deferred answer, put together, equal the answer without @defer.
func TestPartsAreTheWhole(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	for _, db := range []*store.DB{schema.SQLite(t), schema.Postgres(t)} {
		fill := storetest.NewFiller(db, migrate.Tables, 5)
		for range 8 {
			for _, table := range migrate.Tables {
				fill.Row(t, table)
			}
		}
		h := over(t, db, graph.Options{Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
		parted := 0
		for n := range uint64(randomQueries) {
			m := &maker{rnd: rand.New(rand.NewPCG(n, 2)), schema: api.GraphQL(), rows: fill.IDs, defers: 8}
			query, v := m.query(), &viewer.Viewer{UserID: 2, Role: viewer.Admin}
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, deferring(query).WithContext(viewer.With(t.Context(), v)))
			parts := partsOf(t, answer)
			var got, want assembled
			for _, part := range parts {
				got.add(t, part)
			}
			want.add(t, withoutCost(t, []byte(ask(t, h, v, query))))
			if (got.errors > 0) != (want.errors > 0) || got.errors == 0 && !reflect.DeepEqual(got.data, want.data) {
				t.Fatalf("query %d: %s\n got %s\nwant %v", n, query, strings.Join(parts, "\n     "), want.data)
			}
			if len(parts) > 1 {
				parted++
			}
		}
		if parted < randomQueries/10 {
			t.Errorf("%d of %d queries were answered in parts: too few to tell", parted, randomQueries)
		}
	}
}

var theirVariables = map[string]any{"yes": true, "no": false, "n": 3}

func ask(t *testing.T, h http.Handler, v *viewer.Viewer, query string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": theirVariables})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(viewer.With(t.Context(), v)))
	return w.Body.String()
}

// maker makes queries up.
type maker struct {
	rnd     *rand.Rand
	schema  *ast.Schema
	rows    map[string][]int64
	aliases int
	// defers is how many fragments it may still defer.
	defers int
	// specified leaves out what is for the service to choose: cursors, what is
	// deleted, expressions, and the root fields beside those that every entity has.
	specified bool
}

func (m *maker) one(in int) bool { return m.rnd.IntN(in) == 0 }

// query makes a query of entities.
func (m *maker) query() string {
	var roots []*ast.FieldDefinition
	beside := generated.Queries()
	for _, f := range m.schema.Query.Fields {
		if _, ok := beside[f.Name]; m.entity(f.Type) && (!m.specified || !ok && strings.HasPrefix(f.Position.Src.Name, "generated/")) {
			roots = append(roots, f)
		}
	}
	var b strings.Builder
	b.WriteString("query($yes: Boolean!, $no: Boolean!, $n: Int) { unused: __typename @skip(if: $yes) other: __typename @include(if: $no) third: usersConnection(first: $n) @include(if: $no) { totalCount } ")
	for range 1 + m.rnd.IntN(2) {
		f := roots[m.rnd.IntN(len(roots))]
		m.aliases++
		fmt.Fprintf(&b, "r%d: ", m.aliases)
		m.field(&b, f, "", 1)
	}
	b.WriteString("}")
	return b.String()
}

// entity reports whether a type leads to entities.
func (m *maker) entity(t *ast.Type) bool {
	name := strings.TrimSuffix(t.Name(), "Connection")
	if name == "Node" {
		return false
	}
	for _, e := range entity.All {
		if e.Name == name {
			return true
		}
	}
	return false
}

func (m *maker) field(b *strings.Builder, f *ast.FieldDefinition, parent string, depth int) {
	b.WriteString(f.Name)
	var args []string
	for _, a := range f.Arguments {
		if m.specified && a.Name == "includeDeleted" {
			continue
		}
		if m.specified && a.Name == "last" && m.one(2) && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "first") }) {
			args = append(args, fmt.Sprint("last: ", 1+m.rnd.IntN(4)))
			continue
		}
		if a.Type.NonNull || m.one(2) {
			if text := m.argument(a, f, depth); text != "" {
				args = append(args, a.Name+": "+text)
			}
		}
	}
	if len(args) > 0 {
		b.WriteString("(" + strings.Join(args, ", ") + ")")
	}
	switch m.rnd.IntN(12) {
	case 0:
		b.WriteString(" @include(if: $yes)")
	case 1:
		b.WriteString(" @skip(if: $no)")
	}
	m.selection(b, m.schema.Types[f.Type.Name()], depth)
	b.WriteString(" ")
}

func (m *maker) selection(b *strings.Builder, def *ast.Definition, depth int) {
	if !def.IsCompositeType() {
		return
	}
	b.WriteString(" { ")
	if def.Kind == ast.Object && m.one(3) {
		fmt.Fprintf(b, "... on %s @include(if: $yes) { ", def.Name)
		m.fields(b, def, depth)
		b.WriteString("} ")
	}
	if m.defers > 0 && m.one(2) {
		m.defers--
		fmt.Fprintf(b, "... @defer(label: \"d%d\") { ", m.defers)
		m.fields(b, def, depth)
		if m.defers > 0 && m.one(3) {
			m.defers--
			fmt.Fprintf(b, "... on %s @defer { ", def.Name)
			m.fields(b, def, depth)
			b.WriteString("} ")
		}
		b.WriteString("} ")
	}
	m.fields(b, def, depth)
	b.WriteString("} ")
}

func (m *maker) fields(b *strings.Builder, def *ast.Definition, depth int) {
	written := 0
	for _, i := range m.rnd.Perm(len(def.Fields)) {
		f := def.Fields[i]
		inner := m.schema.Types[f.Type.Name()]
		if strings.HasPrefix(f.Name, "__") || m.specified && (f.Type.Name() == "Cursor" || calculated(f.Name)) || written >= 4 || depth > 4 && inner.IsCompositeType() && inner.Name != "PageInfo" {
			continue
		}
		written++
		if len(f.Arguments) > 0 || m.aliases < 20 && m.one(4) {
			if m.aliases++; m.aliases > 28 {
				continue // the limit of aliases
			}
			fmt.Fprintf(b, "a%d: ", m.aliases)
		}
		m.field(b, f, def.Name, depth+1)
	}
	if written == 0 {
		b.WriteString("__typename ")
	}
}

// argument makes a value that is valid, if not always found.
func (m *maker) argument(a *ast.ArgumentDefinition, f *ast.FieldDefinition, depth int) string {
	switch {
	case a.Name == "first" || a.Name == "limit":
		return strconv.Itoa(1 + m.rnd.IntN(4))
	case a.Name == "page":
		return strconv.Itoa(1 + m.rnd.IntN(2))
	case a.Name == "last" || a.Name == "after" || a.Name == "before":
		return "" // first is there, or nothing
	}
	return m.value(a.Type, strings.TrimSuffix(f.Type.Name(), "Connection"), 1)
}

func (m *maker) value(t *ast.Type, about string, depth int) string {
	if t.Elem != nil {
		return "[" + m.value(t.Elem, about, depth) + "]"
	}
	def := m.schema.Types[t.NamedType]
	switch def.Kind {
	case ast.Enum:
		values := slices.DeleteFunc(slices.Clone(def.EnumValues), func(v *ast.EnumValueDefinition) bool { return m.specified && calculated(v.Name) })
		return values[m.rnd.IntN(len(values))].Name
	case ast.InputObject:
		return m.object(def, depth)
	}
	switch t.NamedType {
	case "ID":
		return m.id(about)
	case "Int":
		return strconv.Itoa(m.rnd.IntN(6))
	case "Float":
		return strconv.Itoa(m.rnd.IntN(4)) + ".25"
	case "Boolean":
		return strconv.FormatBool(m.one(2))
	case "Time":
		return `"2026-01-01T00:00:00.00000` + strconv.Itoa(m.rnd.IntN(8)) + `Z"`
	}
	return strconv.Quote([]string{"alpha", "Beta", "a", "É", "%", "ω", "_"}[m.rnd.IntN(7)])
}

// calculated is whether a field, or an order, is an expression of SQL.
func calculated(name string) bool {
	return slices.ContainsFunc(entity.All, func(e *kitentity.Entity) bool {
		return slices.ContainsFunc(e.Calcs, func(c *kitentity.Calc) bool {
			return slices.Contains(c.GraphQL, name) || strings.EqualFold(c.Name, name)
		})
	})
}

func (m *maker) object(def *ast.Definition, depth int) string {
	var members []string
	for _, i := range m.rnd.Perm(len(def.Fields)) {
		f := def.Fields[i]
		deep := m.schema.Types[f.Type.Name()].Kind == ast.InputObject
		if !f.Type.NonNull && (len(members) > 1 || deep && depth > 2) || m.specified && calculated(f.Name) {
			continue
		}
		members = append(members, f.Name+": "+m.value(f.Type, referred(strings.TrimSuffix(def.Name, "WhereInput"), f.Name), depth+1))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// referred is the type of the ids in a field of an entity's filter.
func referred(name, field string) string {
	for _, e := range entity.All {
		for _, f := range e.Fields {
			if e.Name == name && f.Ref != "" && strings.HasPrefix(field, f.GraphQL[0]) {
				return f.Ref
			}
		}
	}
	return name
}

// id is a global id of a type, of a row that may be there.
func (m *maker) id(typ string) string {
	for _, e := range entity.All {
		if e.Name == typ {
			if ids := m.rows[e.Table]; len(ids) > 0 && !m.one(5) {
				return strconv.Quote(gid.Encode(typ, ids[m.rnd.IntN(len(ids))]))
			}
			return strconv.Quote(gid.Encode(typ, 77))
		}
	}
	return `"1"`
}
