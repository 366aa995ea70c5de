package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// unnamed refuses entities whose rows have no id of their own, and views, of which
// nothing could be generated. The others go on.
func unnamed(t *gen.Type) error {
	var a field.Annotation
	if _, err := Annotation(t.Annotations, &a); err != nil {
		return ProblemAt(t, "", err)
	}
	switch {
	case t.IsView():
		return ProblemAt(t, "", fmt.Errorf("ent.View: no client is generated for a view: a table is allowed, or expose.Derived for what follows from a row; a view that a migration makes by hand is read in SQL"))
	case t.ID == nil || len(a.ID) > 0:
		if _, member, err := NewRowKey(t, a.ID); t.ID != nil && err != nil {
			return ProblemAt(t, member, err)
		}
		return ProblemAt(t, "", fmt.Errorf("field.ID(%s): rows between two entities (edge.Through) have an id of their own: leave it out, and have index.Fields(…).Unique() over the fields keep them distinct", `"`+strings.Join(a.ID, `", "`)+`"`))
	}
	return nil
}

// sharedTables refuses entities of one table. SQLite takes names for the same that differ in
// their case alone.
func sharedTables(graph *gen.Graph) (errs []error) {
	of := map[string]*gen.Type{}
	for _, t := range graph.Nodes {
		name := strings.ToLower(t.Table())
		if other := of[name]; other != nil {
			errs = append(errs, ProblemAt(t, "", fmt.Errorf("entsql.Table: %q is the table of %s, too: a name of its own is allowed, whatever its case", t.Table(), other.Name)))
		}
		of[name] = t
	}
	return errs
}

// demanded refuses edges that a row must have and clients could not name.
func (c checker) demanded(edge *gen.Edge) {
	switch {
	case edge.Optional || !c.Has(expose.Create):
	case !edge.OwnFK():
		c.wrong(edge.Name, "edge.Required: %s is made alone, and the edge is kept in %s: an edge that is not required is allowed", c.Name, edge.Type.Name)
	case edge.Field() == nil:
		c.wrong(edge.Name, "edge.Required: no client could name the row, so every create would fail: Field(%q) is allowed, which names its foreign key", edge.Name+"_id")
	}
}

// clocks are the expressions for the current time that a column may have as its default.
// SQLite has it in another form than all other times, so that one is written in its place.
var clocks = []string{"CURRENT_TIMESTAMP", "NOW()"}

// Clock reports whether the expression is one for the current time.
func Clock(expression string) bool {
	bare := strings.ToUpper(strings.TrimSpace(expression))
	return slices.Contains(clocks, bare) || slices.Contains(clocks, strings.TrimSuffix(strings.TrimPrefix(bare, "("), ")"))
}

// stored checks what is said of how the table of the entity is kept.
func (c checker) stored() {
	var a entsql.Annotation
	if _, err := Annotation(c.Type.Annotations, &a); err != nil {
		c.wrong("", "entsql: %v", err)
	}
	if a.ViewAs != "" || len(a.ViewFor) > 0 {
		c.wrong("", "entsql.View: the entity is a table: leave it out")
	}
	if a.Skip {
		c.wrong("", "entsql.Skip: no migration would make the table that the APIs read: leave it out")
	}
}

// storedField checks what is said of how the column of the field is kept.
func (c checker) storedField(f *gen.Field) {
	var a entsql.Annotation
	if _, err := Annotation(f.Annotations, &a); err != nil {
		c.wrong(f.Name, "entsql: %v", err)
	}
	if a.Default != "" && f.IsUUID() {
		c.wrong(f.Name, "entsql.Default(%q): PostgreSQL reads it as a number: entsql.DefaultExpr(%q) is allowed", a.Default, "'"+a.Default+"'")
	}
	if f.IsTime() {
		for _, x := range append(slices.Collect(maps.Values(a.DefaultExprs)), a.DefaultExpr) {
			if x != "" && !Clock(x) {
				c.wrong(f.Name, "entsql.DefaultExpr(%q): SQLite keeps times as text of one form: CURRENT_TIMESTAMP is allowed, or a Default in Go", x)
			}
		}
	}
	if shown := c.Field(f.Name); shown != nil && shown.Ending == nil && f.IsDeprecated() {
		c.wrong(f.Name, "Deprecated: only Go code would know: expose.Deprecated(…) beside it says so in both APIs")
	}
}
