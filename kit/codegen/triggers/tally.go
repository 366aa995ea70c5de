package triggers

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// relation leads from the rows of a table to the rows that count them.
type relation struct {
	// child holds the rows that are counted, fk their column that names the
	// row of the parent table.
	child, fk, parent string
	// key is the parent's column that the fk names.
	key      string
	nullable bool
	counters []counter
	means    []mean
	// while is the child's column that names a row of the table of keepers,
	// which must not be deleted for the child to count; empty for none.
	while, keepers string
	// keyed is set where the id of a keeper or of a parent is no number. later is set where
	// the rows of a keeper that is deleted or restored are counted by a job.
	keyed, later bool
	// owned are the parent's columns without which it is not, that name rows of
	// the keepers' table: a parent goes with the row that one of them names.
	owned []string
}

// counter is a column of the parent to which each row of the child adds.
type counter struct {
	column string
	tally  expose.Tally
}

// mean is a column of the parent that is the quotient of two counters.
type mean struct{ column, sum, count string }

// adds is the amount that the row NEW or OLD adds to the counter.
func (c counter) adds(row string) string {
	amount := "1"
	if c.tally.Column != "" {
		amount = fmt.Sprintf("%s.%q", row, c.tally.Column)
	}
	if c.tally.When == "" {
		return amount
	}
	return fmt.Sprintf("CASE WHEN %s THEN %s ELSE 0 END", strings.ReplaceAll(c.tally.When, "NEW.", row+"."), amount)
}

// tallies are the triggers that keep counts, sums and means. One trigger of a
// table keeps all of them, so that it can lock their rows in one order.
func tallies(m *model.Model) []trigger {
	children := map[string][]*relation{}
	var tables []string
	for _, e := range m.Entities {
		for _, r := range relations(m, e) {
			if !slices.Contains(tables, r.child) {
				tables = append(tables, r.child)
			}
			children[r.child] = append(children[r.child], r)
		}
	}
	var triggers []trigger
	for _, table := range tables {
		for _, on := range []string{"insert", "update", "delete"} {
			triggers = append(triggers, tally(table, on, children[table]))
		}
	}
	kept := keptRelations(m)
	return slices.Concat(triggers, recounts(m, kept), steps(kept))
}

// keptRelations are the relations whose rows count while a keeper is there.
func keptRelations(m *model.Model) []*relation {
	var all []*relation
	for _, e := range m.Entities {
		for _, r := range relations(m, e) {
			if r.while != "" {
				all = append(all, r)
			}
		}
	}
	return all
}

// relations gathers the entity's tallies by the edge that they count.
func relations(m *model.Model, e *model.Entity) []*relation {
	jobs := m.HasJobs()
	var all []*relation
	byEdge := map[string]*relation{}
	for _, f := range e.Type.Fields {
		a, _ := model.FieldAnnotation(f.Annotations)
		if a.Tally == nil || a.Tally.Edge == "" {
			continue
		}
		r := byEdge[a.Tally.Edge]
		if r == nil {
			r = newRelation(e, e.SchemaEdge(a.Tally.Edge), a.Tally.While)
			r.later = r.while != "" && jobs && !r.keyed
			byEdge[a.Tally.Edge] = r
			all = append(all, r)
		}
		r.counters = append(r.counters, counter{column: f.StorageKey(), tally: *a.Tally})
	}
	for _, f := range e.Type.Fields {
		if a, _ := model.FieldAnnotation(f.Annotations); a.Tally != nil && a.Tally.Sum != "" {
			r := byEdge[e.Tally(a.Tally.Sum).Edge]
			r.means = append(r.means, mean{column: f.StorageKey(), sum: a.Tally.Sum, count: a.Tally.Count})
		}
	}
	return all
}

func newRelation(e *model.Entity, edge *gen.Edge, while string) *relation {
	r := &relation{child: edge.Rel.Table, parent: e.Type.Table(), key: e.Type.ID.StorageKey()}
	if edge.M2M() {
		near, far := 0, 1
		if edge.IsInverse() {
			near, far = 1, 0
		}
		r.fk = edge.Rel.Columns[near]
		if model.SoftDeleted(edge.Type) {
			r.while, r.keepers = edge.Rel.Columns[far], edge.Type.Table()
			r.keyed = !byNumbers(e) || model.IDsOf(edge.Type.ID) != gid.Numbers
		}
		return r
	}
	r.fk, r.child = edge.Rel.Column(), model.StoredIn(edge.Type)
	r.nullable = edge.Ref == nil || edge.Ref.Optional
	if keeper := model.KeeperOf(edge.Type, while); keeper != nil {
		r.while, r.keepers = while, keeper.Table()
		r.keyed = !byNumbers(e) || model.IDsOf(keeper.ID) != gid.Numbers
		for _, own := range e.Type.Edges {
			if own.OwnFK() && !own.Optional && own.Type == keeper {
				r.owned = append(r.owned, own.Rel.Column())
			}
		}
	}
	return r
}

// name identifies the relation.
func (r *relation) name() string { return r.child + "_" + r.fk }

// there is the condition that the row counts, empty for always.
func (r *relation) there(row string) string {
	if r.while == "" {
		return ""
	}
	alive := fmt.Sprintf("EXISTS (SELECT 1 FROM %q AS \"keeper\" WHERE \"keeper\".\"id\" = %s.%q AND \"keeper\".\"deleted_at\" IS NULL)", r.keepers, row, r.while)
	if !r.later {
		return alive
	}
	return fmt.Sprintf("COALESCE((SELECT %s.%q > \"recount\".\"place\" FROM %q AS \"recount\" WHERE %s AND \"recount\".\"keeper\" = %[1]s.%[5]q), %[6]s)",
		row, r.fk, recountsTable, r.pending(), r.while, alive)
}

func tallyName(table, on string) string { return "tally_" + table + "_on_" + on }

// tally is the trigger of the child table for one kind of statement.
func tally(table, on string, relations []*relation) trigger {
	t := trigger{name: tallyName(table, on), table: table, on: on}
	var conditions []string
	for _, r := range relations {
		conditions = append(conditions, r.when(on))
		if on != "insert" {
			t.body = append(t.body, r.update("OLD", "-"))
		}
		if on != "delete" {
			t.body = append(t.body, r.update("NEW", "+"))
		}
	}
	for _, r := range relations {
		moved := fmt.Sprintf("OLD.%q IS DISTINCT FROM NEW.%q", r.while, r.while)
		if on == "update" && r.while != "" && !slices.Contains(conditions, moved) {
			conditions = append(conditions, moved)
		}
	}
	if !slices.Contains(conditions, "") {
		t.when = strings.Join(conditions, " OR ")
	}
	t.lite = slices.Clone(t.body)
	t.body = append(locks(on, relations), t.body...)
	return t
}

// when is the condition under which a row changes the parent's columns, empty for always.
func (r *relation) when(on string) string {
	row := "NEW"
	if on == "delete" {
		row = "OLD"
	}
	var changed []string
	for _, c := range r.counters {
		if on == "update" {
			if old, now := c.adds("OLD"), c.adds("NEW"); old != now {
				changed = append(changed, "("+old+") <> ("+now+")")
			}
			continue
		}
		if c.tally.When == "" {
			changed = nil
			break
		}
		changed = append(changed, "("+strings.ReplaceAll(c.tally.When, "NEW.", row+".")+")")
	}
	if on == "update" {
		changed = append(changed, fmt.Sprintf("OLD.%q IS DISTINCT FROM NEW.%q", r.fk, r.fk))
	}
	changed = slices.Compact(changed)
	condition := strings.Join(changed, " OR ")
	if r.nullable && on != "update" {
		known := fmt.Sprintf("%s.%q IS NOT NULL", row, r.fk)
		switch len(changed) {
		case 0:
			return known
		case 1:
			return known + " AND " + condition
		}
		return known + " AND (" + condition + ")"
	}
	return condition
}

// update changes the parent of the row by what the row adds.
func (r *relation) update(row, sign string) string {
	var set []string
	values := map[string]string{}
	for _, c := range r.counters {
		values[c.column] = fmt.Sprintf("%q %s %s", c.column, sign, c.adds(row))
		set = append(set, fmt.Sprintf("%q = %s", c.column, values[c.column]))
	}
	for _, m := range r.means {
		set = append(set, fmt.Sprintf("%q = CASE WHEN %s > 0 THEN CAST(%s AS double precision) / (%s) END",
			m.column, values[m.count], values[m.sum], values[m.count]))
	}
	kept := ""
	if there := r.there(row); there != "" {
		kept = " AND " + there
	}
	return fmt.Sprintf("UPDATE %q SET %s WHERE %q = %s.%q%s;", r.parent, strings.Join(set, ", "), r.key, row, r.fk, kept)
}

// locks takes the rows that a write changes in the order of their ids, where
// they are several of one table: two writers then never wait for each other. Where
// keepers are counted later, the statement that follows has to see how far that has
// come: it begins once the row is locked, and what counts for it changes no more.
// The job that does so locks the keeper and then what it counts for, out of order: a
// writer waits for it before it holds what the job needs. The foreign key of a row
// that is added does that, and of one that is removed its keepers are locked as the
// key would.
func locks(on string, relations []*relation) []string {
	keys, id := map[string][]string{}, map[string]string{}
	later := map[string]bool{}
	var parents []string
	for _, r := range relations {
		later[r.parent] = later[r.parent] || r.later
		if keys[r.parent] == nil {
			parents = append(parents, r.parent)
			id[r.parent] = r.key
		}
		for _, row := range map[string][]string{"insert": {"NEW"}, "update": {"OLD", "NEW"}, "delete": {"OLD"}}[on] {
			keys[r.parent] = append(keys[r.parent], fmt.Sprintf("%s.%q", row, r.fk))
		}
	}
	statements := holdKeepers(on, relations, keys)
	for _, parent := range parents {
		if len(keys[parent]) > 1 || later[parent] {
			statements = append(statements, fmt.Sprintf("PERFORM 1 FROM %q WHERE %q IN (%s) ORDER BY %[2]q FOR NO KEY UPDATE;",
				parent, id[parent], strings.Join(keys[parent], ", ")))
		}
	}
	return statements
}

// holdKeepers locks the keepers of a row that is removed, where it then locks several rows
// of one table.
func holdKeepers(on string, relations []*relation, keys map[string][]string) (statements []string) {
	if on != "delete" {
		return nil
	}
	held := map[string][]string{}
	var tables []string
	for _, r := range relations {
		if !r.later || len(keys[r.parent]) < 2 {
			continue
		}
		if held[r.keepers] == nil {
			tables = append(tables, r.keepers)
		}
		held[r.keepers] = append(held[r.keepers], fmt.Sprintf("OLD.%q", r.while))
	}
	for _, table := range tables {
		statements = append(statements, fmt.Sprintf("PERFORM 1 FROM %q WHERE \"id\" IN (%s) ORDER BY \"id\" FOR KEY SHARE;", table, strings.Join(held[table], ", ")))
	}
	return statements
}
