package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// Table describes an entity's GraphQL types, by the names in the schema.
type Table struct {
	*entity.Entity
	// typename is the name of the type as JSON.
	typename string
	// types, connections and edges are the types whose fragments apply to the
	// entity, to its connection and to an edge of that.
	types, connections, edges []string
	members                   map[string]member
	conditions                map[string]condition
	orders                    map[string]*entity.Field
	computed                  map[string]*entity.Calc // orders by computed values
	links                     *read.Links
}

// member is a field of the type: a field, a computed value, an edge, or an edge as a connection.
type member struct {
	field      *entity.Field
	calc       *entity.Calc
	edge       *entity.Edge
	connection bool
}

// condition is a field of the where input: a comparison of a field, or a
// question about an edge, which takes a filter of what is there if with is set.
type condition struct {
	field *entity.Field
	// ids is the type of the ids in the field.
	ids string
	op  read.Op
	// asks is set for a question, which is answered by yes or no.
	asks bool
	edge *entity.Edge
	with bool
	// calc is set for a filter by a computed value.
	calc *entity.Calc
}

// Tables are the tables of entities by their names.
type Tables map[string]*Table

// NewTables returns the tables of the entities that the schema shows. Paths in them are
// those of the links.
func NewTables(schema *ast.Schema, entities []*entity.Entity, links *read.Links) Tables {
	all := make(Tables, len(entities))
	for _, e := range entities {
		all[e.Name] = newTable(schema, e)
		all[e.Name].links = links
	}
	return all
}

func newTable(schema *ast.Schema, e *entity.Entity) *Table {
	t := &Table{
		Entity:      e,
		typename:    strconv.Quote(e.Name),
		types:       []string{e.Name},
		connections: []string{e.Name + "Connection"},
		edges:       []string{e.Name + "Edge"},
		members:     map[string]member{},
		conditions:  map[string]condition{},
		orders:      map[string]*entity.Field{},
		computed:    map[string]*entity.Calc{},
	}
	for _, abstract := range schema.Implements[e.Name] {
		t.types = append(t.types, abstract.Name)
	}
	for _, f := range e.Fields {
		for _, name := range f.GraphQL {
			t.members[name] = member{field: f}
		}
		t.addConditions(f)
		if f.Sort {
			t.orders[strings.ToUpper(f.Name)] = f
		}
	}
	for _, c := range e.Calcs {
		t.members[c.GraphQL[0]] = member{calc: c}
		t.conditions[c.GraphQL[0]] = condition{calc: c}
		t.computed[strings.ToUpper(c.Name)] = c
	}
	for _, g := range e.Edges {
		t.members[g.GraphQL] = member{edge: g}
		if g.Many {
			t.members[g.GraphQL+"Connection"] = member{edge: g, connection: true}
		}
		if g.Filter {
			has := "has" + strings.ToUpper(g.GraphQL[:1]) + g.GraphQL[1:]
			t.conditions[has] = condition{edge: g}
			t.conditions[has+"With"] = condition{edge: g, with: true}
		}
	}
	return t
}

// suffixes are entgql's names of the comparisons.
var suffixes = map[string]read.Op{
	"": read.EQ, "NEQ": read.NEQ, "In": read.In, "NotIn": read.NotIn,
	"GT": read.GT, "GTE": read.GTE, "LT": read.LT, "LTE": read.LTE,
	"Contains": read.Contains, "HasPrefix": read.HasPrefix, "HasSuffix": read.HasSuffix,
	"Has": read.EQ, "HasAny": read.In,
}

// addConditions adds the comparisons of a field. Which of them there are is
// for the schema to say: a document that names another is not valid.
func (t *Table) addConditions(f *entity.Field) {
	name, ids := f.GraphQL[0], f.Ref
	if f.Kind.IsID() {
		ids = t.Name
	}
	if f.Filter {
		for suffix, op := range suffixes {
			t.conditions[name+suffix] = condition{field: f, ids: ids, op: op}
		}
		t.conditions[name+"IsNil"] = condition{field: f, op: read.IsNull, asks: true}
		t.conditions[name+"NotNil"] = condition{field: f, op: read.NotNull, asks: true}
	}
	if f.Fold != "" {
		t.conditions[name+"ContainsFold"] = condition{field: f, op: read.ContainsFold}
		t.conditions[name+"EqualFold"] = condition{field: f, op: read.EqualFold}
	}
}

// Check makes sure that whatever the schema says of an entity can be planned.
func (all Tables) Check(schema *ast.Schema) error {
	types := schema.Types
	for name, t := range all {
		if types[name] == nil {
			return fmt.Errorf("no type %s", name)
		}
		for _, f := range types[name].Fields {
			if _, ok := t.members[f.Name]; !ok {
				return fmt.Errorf("no plan for %s.%s", name, f.Name)
			}
		}
		if def := types[name+"WhereInput"]; def != nil {
			for _, f := range def.Fields {
				if _, ok := t.conditions[f.Name]; !ok && f.Name != "and" && f.Name != "or" && f.Name != "not" {
					return fmt.Errorf("no plan for %s.%s", def.Name, f.Name)
				}
			}
		}
		if def := types[name+"OrderField"]; def != nil {
			for _, value := range def.EnumValues {
				if t.orders[value.Name] == nil && t.computed[value.Name] == nil {
					return fmt.Errorf("no plan for %s.%s", def.Name, value.Name)
				}
			}
		}
	}
	return nil
}
