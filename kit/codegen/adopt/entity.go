package adopt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	atschema "ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/gid"
)

// Entity is the entity of a table.
type Entity struct {
	Name  string `json:"entity"`
	Table string `json:"table"`
	Path  string `json:"path"`
	File  string `json:"file"`
	// Operations are those that both APIs have.
	Operations []string `json:"operations"`
	Fields     []*Field `json:"fields"`
	Edges      []*Edge  `json:"edges,omitempty"`
	// Key are the fields that are the key together, none where that is the id alone.
	Key []string `json:"key,omitempty"`
	// ReadOnly is set where clients write no row.
	ReadOnly bool `json:"read_only,omitempty"`
	// Why are the decisions about the whole, Checks what the database keeps by itself.
	Why    []string `json:"why,omitempty"`
	Checks []string `json:"checks,omitempty"`

	Comment string     `json:"-"`
	Indexes []indexing `json:"-"`
	Derived []derived  `json:"-"`

	table *table
	// unmade are reasons why clients can't make rows.
	unmade []string
}

// derived is a text that follows from a column.
type derived struct {
	Name, Column, Comment string
	Nullable              bool
}

// SQL is the column as a text.
func (d derived) SQL() string { return fmt.Sprintf("CAST({row}.%q AS text)", d.Column) }

type indexing struct {
	Fields []string
	Unique bool
}

// elsewhere are the ends of names of files that Go reads on some systems alone, or in tests.
var elsewhere = regexp.MustCompile(`_(test|aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)$`)

func (p *Plan) entity(t *table, n *namer) *Entity {
	e := &Entity{Table: t.Name, table: t, Comment: comment(t.Attrs)}
	var why string
	e.Name, e.Path, why = n.entity(t.Name)
	e.File = "schema/" + naming.Snake(e.Name)
	if elsewhere.MatchString(e.File) {
		e.File += "_row"
	}
	e.File += ".go"
	if why != "" {
		e.Why = append(e.Why, why)
	}
	if e.Comment == "" {
		e.Comment = naming.Words(naming.Snake(e.Name)) + ", a row of the table " + t.Name + "."
		e.Comment = strings.ToUpper(e.Comment[:1]) + e.Comment[1:]
	}
	for _, c := range t.Columns {
		if left := e.column(c); left != nil {
			p.Left = append(p.Left, *left)
		}
	}
	for _, a := range t.Attrs {
		if check, ok := a.(*atschema.Check); ok {
			e.Checks = append(e.Checks, check.Expr)
		}
	}
	key, _ := t.Column(t.keys()[0])
	if len(t.keys()) > 1 {
		for _, key := range t.keys() {
			e.Key = append(e.Key, e.field(key).Name)
		}
		return e
	}
	if t.forms[key.Name].id() == "Int64" && !t.kind.numbers(t.Table, key) {
		e.unmade = append(e.unmade, "the database gives no new row "+gid.An(key.Name))
	}
	return e
}

// settle says what clients can do, once fields and edges are known.
func (e *Entity) settle() {
	e.index()
	if len(e.Key) > 0 {
		e.Why = append(e.Why, "its key is "+strings.Join(e.table.keys(), " and ")+" together: the id of a row has their values with ~ between them, in a view that the next migration makes, with an index of the ids; the client that makes a row gives them, and they never change")
	}
	e.Operations = []string{"list", "create", "read", "replace", "patch", "delete"}
	switch {
	case e.ReadOnly:
		e.Operations = []string{"list", "read"}
		e.Why = append(e.Why, "list and read alone: other programs write it")
	case len(e.unmade) > 0:
		e.Operations = []string{"list", "read", "patch", "delete"}
		e.Why = append(e.Why, "no create and no replace: "+strings.Join(e.unmade, "; "))
	}
	if !slices.ContainsFunc(e.Fields, func(f *Field) bool { return f.Name != "id" && !f.Computed && !f.part }) {
		e.Operations = slices.DeleteFunc(e.Operations, func(o string) bool { return o == "replace" || o == "patch" })
	}
}

// index says the indexes of the table as far as fields have their columns: each once.
func (e *Entity) index() {
	for _, i := range e.table.Indexes {
		in := indexing{Unique: i.Unique}
		for _, c := range columns(i) {
			f := e.field(c)
			if f == nil || f.form.uncompared || f.form.bare || f.Name == "id" {
				in.Unique = false
				break
			}
			in.Fields = append(in.Fields, f.Name)
		}
		at := slices.IndexFunc(e.Indexes, func(o indexing) bool { return slices.Equal(o.Fields, in.Fields) })
		switch {
		case len(in.Fields) == 0:
		case at < 0:
			e.Indexes = append(e.Indexes, in)
		default:
			e.Indexes[at].Unique = e.Indexes[at].Unique || in.Unique
		}
	}
}

// field is that of the column, nil where it has none.
func (e *Entity) field(column string) *Field {
	i := slices.IndexFunc(e.Fields, func(f *Field) bool { return f.Column == column })
	if i < 0 {
		return nil
	}
	return e.Fields[i]
}

// named reports whether a field or an edge is called so.
func (e *Entity) named(name string) bool {
	return slices.ContainsFunc(e.Fields, func(f *Field) bool { return f.Name == name }) || slices.ContainsFunc(e.Edges, func(g *Edge) bool { return g.Name == name })
}

// Closed are the verbs of the operations, which admins have until the policy is opened.
func (e *Entity) Closed() (verbs []string) {
	for verb, operation := range map[string]string{"Create": "create", "Update": "patch", "Delete": "delete"} {
		if slices.Contains(e.Operations, operation) {
			verbs = append(verbs, verb)
		}
	}
	slices.Sort(verbs)
	return verbs
}

// Exposed is the expression of the operations.
func (e *Entity) Exposed() string {
	if len(e.Operations) == 6 {
		return "expose.CRUD()"
	}
	var names []string
	for _, o := range e.Operations {
		names = append(names, "expose."+strings.ToUpper(o[:1])+o[1:])
	}
	return fmt.Sprintf("[]expose.Operation{%s}", strings.Join(names, ", "))
}
