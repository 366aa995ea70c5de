package model

import (
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

var topicForm = regexp.MustCompile(`^[a-z][a-z_]*(\.[a-z][a-z_]*)+$`)

// topics checks the entity's events.
func (c checker) topics() {
	seen := map[string]bool{}
	for _, t := range c.Events {
		if !topicForm.MatchString(t.Name) {
			c.wrong("", "event %q: lower-case words joined by dots are allowed, such as \"post.published\"", t.Name)
		}
		if !slices.Contains([]string{"insert", "update", "delete"}, t.On) {
			c.wrong("", "event %q on %q: insert, update and delete are allowed", t.Name, t.On)
		}
		if seen[EventName(t)] {
			c.wrong("", "event %q on %s is there twice: join the conditions by OR", t.Name, t.On)
		}
		seen[EventName(t)] = true
		c.condition("", "event "+t.Name, c.Type, t.When, t.On != "delete", t.On != "insert")
		if f := fieldOf(c.Type, t.Key); t.Key != "" && (f == nil || !namesRow(c.Type, f)) {
			c.wrong("", "event %q: key %q: an integer or a foreign key is allowed: %s", t.Name, t.Key, columns(c.Type, func(f *gen.Field) bool { return namesRow(c.Type, f) }))
		}
		for _, column := range t.Payload {
			if f := fieldOf(c.Type, column); f == nil || !f.IsString() && !f.IsEnum() && !f.Type.Type.Integer() && !namesRow(c.Type, f) {
				c.wrong("", "event %q: payload %q: columns of text or integers, and foreign keys, are allowed", t.Name, column)
			}
		}
		c.topicJob(t)
	}
}

var kindForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// topicJob checks the kind of the jobs that a topic enqueues.
func (c checker) topicJob(t expose.Topic) {
	switch {
	case t.Job == "":
	case !kindForm.MatchString(t.Job):
		c.wrong("", "event %q: job %q: lower-case words joined by underscores are allowed, such as \"post_published\"", t.Name, t.Job)
	case !slices.ContainsFunc(c.all, func(e *Entity) bool { return e.Type.Table() == "jobs" }):
		c.wrong("", "event %q: job %q: there is no table of jobs: embed tables.Job", t.Name, t.Job)
	case slices.Contains(t.Payload, "id"):
		c.wrong("", "event %q: job %q: the payload can't have id, which the arguments have already", t.Name, t.Job)
	}
}

// kept checks what the database is asked to keep of a field.
func (c checker) kept(f *gen.Field, a expose.Field) {
	if a.Forget != nil {
		key := fieldOf(c.Type, a.Forget.Column)
		if key == nil || !key.Optional || !slices.ContainsFunc(c.Type.Edges, func(e *gen.Edge) bool { return e.Field() == key }) {
			c.wrong(f.Name, "expose.ForgetWith(%q): an optional foreign key of the same entity is allowed", a.Forget.Column)
		}
		if a.File != nil && a.Forget.Replacement != "" {
			c.wrong(f.Name, "expose.ForgetWith: for the address of a file \"\" is allowed, which becomes null")
		}
		if !f.IsString() {
			c.wrong(f.Name, "expose.ForgetWith: text is allowed, not %s", f.Type)
		}
	}
	switch {
	case a.Tally == nil:
	case a.Tally.Sum != "":
		c.mean(f, a.Tally)
	default:
		c.count(f, a.Tally)
	}
}

// count checks expose.CountOf and expose.SumOf.
func (c checker) count(f *gen.Field, t *expose.Tally) {
	says := "expose.CountOf"
	if t.Column != "" {
		says = "expose.SumOf"
	}
	if !f.Type.Type.Integer() || !f.Default {
		c.wrong(f.Name, "%s: an integer with the default 0 is allowed", says)
	}
	edge := c.SchemaEdge(t.Edge)
	if edge == nil || edge.Unique {
		c.wrong(f.Name, "%s(%q): an edge to many is allowed", says, t.Edge)
		return
	}
	child := edge.Type
	if edge.M2M() {
		child = edge.Through
	}
	if t.While != "" || edge.M2M() && SoftDeleted(edge.Type) { // counted again by ids, once one of those is deleted
		switch {
		case child != nil && RowKeyOf(child) != nil:
			c.wrong(f.Name, "%s(%q): the key of %s is of several columns, and rows that count while another is not deleted are counted by a column id: an edge to rows with a field id is allowed", says, t.Edge, child.Name)
			return
		case KeyColumn(c.Type) != "":
			c.wrong(f.Name, "%s(%q): the id is in the column %s, and rows that count while another is not deleted are counted by a column id: an entity without StorageKey of its id is allowed", says, t.Edge, KeyColumn(c.Type))
			return
		}
	}
	if t.Where != nil {
		c.wrong(f.Name, "%s(%q).Where: %s", says, t.Edge, localAllowed)
		return
	}
	if child == nil {
		if t.Column != "" || t.When != "" {
			c.wrong(f.Name, "%s(%q): the rows between have no columns to add up or to ask of", says, t.Edge)
		}
		return
	}
	if t.Column != "" && !isInteger(child, t.Column) {
		c.wrong(f.Name, "expose.SumOf(%q, %q): an integer of %s is allowed: %s", t.Edge, t.Column, child.Name, columns(child, integer))
	}
	if t.While != "" && KeeperOf(child, t.While) == nil {
		c.wrong(f.Name, "%s(%q).While(%q): a foreign key of %s to what is deleted softly is allowed", says, t.Edge, t.While, child.Name)
	}
	c.condition(f.Name, says, child, t.When, true, false)
}

// mean checks expose.MeanOf.
func (c checker) mean(f *gen.Field, t *expose.Tally) {
	sum, count := c.Tally(t.Sum), c.Tally(t.Count)
	if sum == nil || count == nil || sum.Column == "" || count.Column != "" || sum.Edge != count.Edge || sum.Edge == "" {
		c.wrong(f.Name, "expose.MeanOf(%q, %q): a field by expose.SumOf and one by expose.CountOf of the same edge are allowed", t.Sum, t.Count)
	}
	if f.Type.String() != "float64" || !f.Nillable {
		c.wrong(f.Name, "expose.MeanOf: a nillable float is allowed")
	}
}

var (
	reference = regexp.MustCompile(`\b(?i:(new|old))\."?(\w+)`)
	literal   = regexp.MustCompile(`'[^']*'`)
)

// condition checks that an SQL condition speaks of columns that there are.
func (c checker) condition(name, says string, t *gen.Type, when string, isNew, isOld bool) {
	if when == "" {
		return
	}
	bare := literal.ReplaceAllString(when, "''")
	if strings.Contains(bare, ";") || strings.Contains(bare, "--") || strings.Contains(bare, "$$") {
		c.wrong(name, "%s: condition %q: one expression is allowed", says, when)
	}
	found := reference.FindAllStringSubmatch(bare, -1)
	if len(found) == 0 {
		c.wrong(name, "%s: condition %q: an expression over the columns of NEW or OLD is allowed, such as NEW.published", says, when)
	}
	for _, r := range found {
		switch {
		case r[1] != "NEW" && r[1] != "OLD":
			c.wrong(name, "%s: condition %q: NEW and OLD are written in capitals", says, when)
		case r[1] == "NEW" && !isNew:
			c.wrong(name, "%s: condition %q: a row that is deleted has no NEW, but OLD", says, when)
		case r[1] == "OLD" && !isOld:
			c.wrong(name, "%s: condition %q: NEW is allowed, and no OLD", says, when)
		}
		if r[2] != "id" && fieldOf(t, r[2]) == nil {
			c.wrong(name, "%s: condition %q: %s has no column %q", says, when, t.Name, r[2])
		}
	}
}

// fieldOf returns the field that is kept in the column, nil if there is none.
func fieldOf(t *gen.Type, column string) *gen.Field {
	for _, f := range t.Fields {
		if f.StorageKey() == column {
			return f
		}
	}
	return nil
}

func isInteger(t *gen.Type, column string) bool {
	f := fieldOf(t, column)
	return f != nil && integer(f)
}

func integer(f *gen.Field) bool { return f.Type.Type.Integer() }

// namesRow reports whether the field can name a row: it is an integer, the id, or the foreign
// key of an edge.
func namesRow(t *gen.Type, f *gen.Field) bool {
	return integer(f) || f == t.ID || edgeOf(t, f.StorageKey()) != nil
}

// columns lists the columns of the fields that have a property.
func columns(t *gen.Type, has func(*gen.Field) bool) string {
	var names []string
	for _, f := range t.Fields {
		if has(f) {
			names = append(names, f.StorageKey())
		}
	}
	return strings.Join(names, ", ")
}
