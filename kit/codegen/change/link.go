package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// link is the form of an edge in the database: a foreign key, or a join table.
type link struct {
	edge     string // "Post.author"
	from, to string // entities, as they are called now
	// place is the column with its table, or the join table, as called now.
	table, column string
	required      bool
	unique        bool
	declared      bool // the column is a field
}

// name is the edge's own.
func (l link) name() string { return l.edge[strings.Index(l.edge, ".")+1:] }

// links compares the foreign keys and join tables of all entities: an edge is
// declared at both ends and is one change.
func (j *judge) links() {
	had, has := j.linksOf(j.before, j.typed), j.linksOf(j.after, func(name string) string { return name })
	var gone, come []link
	for _, l := range had {
		if !slices.ContainsFunc(has, l.same) && entity(j.after, l.from) != nil && entity(j.after, l.to) != nil {
			gone = append(gone, l)
		}
	}
	for _, l := range has {
		if !slices.ContainsFunc(had, l.same) && j.existed(l.from) && (l.column == "" || j.existed(l.to)) {
			come = append(come, l)
		}
	}
	for _, l := range come {
		i := slices.IndexFunc(gone, func(g link) bool { return g.turns(l) })
		if i >= 0 {
			j.turned(gone[i], l)
			gone = slices.Delete(gone, i, i+1)
			continue
		}
		j.linked(l)
	}
	for _, l := range gone {
		if !l.declared { // its field reports it
			j.cover(l.table, l.column)
			r := reachOf(entity(j.after, l.from))
			r.column = l.column
			r.cursors, r.events = false, false
			j.add(10, l.edge, "the edge goes, with what it leads to", r).ask(l.name(), "edge", l.alike(come))
		}
	}
}

// existed reports whether an entity that there is was there before.
func (j *judge) existed(name string) bool {
	for was, now := range j.types {
		if now == name {
			return entity(j.before, was) != nil
		}
	}
	return false
}

// linksOf are the links of a contract, by names of now.
func (j *judge) linksOf(c *contract.Contract, name func(string) string) (all []link) {
	for i := range c.Entities {
		e := &c.Entities[i]
		for _, g := range e.Edges {
			l := link{edge: name(e.Name) + "." + g.Name, from: name(e.Name), to: name(g.To), required: g.Required, unique: g.Relation == "O2O"}
			switch {
			case g.Table != "":
				l.table = j.joinTable(c, e, g)
			case g.Column != "":
				l.table, l.column = j.table(e.Table), j.column(c, e, g.Column)
				l.declared = slices.ContainsFunc(e.Fields, func(f contract.Field) bool { return f.Column == g.Column })
			default:
				continue
			}
			all = append(all, l)
		}
	}
	return all
}

// column is the column's name after the change.
func (j *judge) column(c *contract.Contract, e *contract.Entity, column string) string {
	if c != j.before {
		return column
	}
	now := entity(j.after, j.typed(e.Name))
	if now == nil {
		return column
	}
	for _, f := range now.Fields {
		if was := field(e.Fields, f.Was); was != nil && was.Column == column && field(e.Fields, f.Name) == nil {
			return f.Column
		}
	}
	return column
}

// joinTable is the join table's new name, which follows the edge's name.
func (j *judge) joinTable(c *contract.Contract, e *contract.Entity, g contract.Edge) string {
	if c != j.before {
		return g.Table
	}
	now := entity(j.after, j.typed(e.Name))
	if now == nil {
		return g.Table
	}
	for _, edge := range now.Edges {
		if edge.Name == g.Name || edge.Was == g.Name {
			if edge.Table == "" {
				continue
			}
			if edge.Table != g.Table && edge.Name == g.Name && now.Name == e.Name && now.Table == e.Table {
				j.moved(11, now.Name+"."+edge.Name, fmt.Sprintf("the table between is %s, and was %s", edge.Table, g.Table), "edge.Table", reach{table: edge.Table})
			}
			j.tableNames[g.Table] = edge.Table
			return edge.Table
		}
	}
	return g.Table
}

func (l link) same(o link) bool { return l.table == o.table && l.column == o.column && l.to == o.to }

// turns reports whether the other link takes the place of this one between the
// same entities.
func (l link) turns(o link) bool {
	ends := l.from == o.from && l.to == o.to || l.from == o.to && l.to == o.from
	return ends && (l.table != o.table || (l.column == "") != (o.column == ""))
}

func (j *judge) turned(was, now link) {
	for _, l := range []link{was, now} {
		j.cover(l.table, l.column)
	}
	r := reachOf(entity(j.after, now.from))
	r.table, r.column = was.table, was.column
	r.cursors, r.events = r.rest, r.rest
	j.add(36, now.edge, "it takes the place of "+was.edge, r).ask(was.name(), "edge", was.alike([]link{now}))
	// The ends that the two have in the APIs are part of it.
	j.covered[was.from+" "+was.to], j.covered[was.to+" "+was.from] = true, true
}

// linked judges an edge that there was not.
func (j *judge) linked(l link) {
	e := entity(j.after, l.from)
	j.cover(l.table, l.column)
	r := reach{sql: true, table: l.table, column: l.column}
	f := fieldOf(e, l.column)
	switch {
	case l.column == "": // of a new table, whose keys have no row to look at
		j.add(34, l.edge, "a new edge to "+l.to+", with a table between", r, some(locks))
		return
	case !l.required:
		j.add(34, l.edge, "a new edge to "+l.to, r)
		return
	}
	sent := f != nil && f.Shown != nil && f.Shown.Required
	r.rest, r.graphql, r.jobs = e.Exposed && sent, e.Exposed && sent, []string{l.column}
	if f != nil && f.Backfill != "" {
		j.add(35, l.edge, "a new edge to "+l.to+" that every row has", r, none(rows), some(old))
		return
	}
	j.add(35, l.edge, "a new edge to "+l.to+" that every row has", r)
}

func fieldOf(e *contract.Entity, column string) *contract.Field {
	i := slices.IndexFunc(e.Fields, func(f contract.Field) bool { return f.Column == column })
	if i < 0 {
		return nil
	}
	return &e.Fields[i]
}

// edges compares what the APIs show of the edges of an entity.
func (j *judge) edges(was, now *contract.Entity, r reach) {
	shown := r
	shown.sql, shown.cursors, shown.events, shown.jobs = false, false, false, nil
	for _, had := range was.Edges {
		if !had.Shown || entity(j.after, j.typed(had.To)) == nil || j.covered[now.Name+" "+j.typed(had.To)] {
			continue
		}
		what := now.Name + "." + had.Name
		i := slices.IndexFunc(now.Edges, func(g contract.Edge) bool { return g.Name == had.Name || g.Was == had.Name })
		if i < 0 {
			if !j.found10(what) && (had.Column == "" || fieldOf(now, had.Column) != nil) {
				j.add(10, what, "the edge goes", shown)
			}
			continue
		}
		j.edge(what, now, had, now.Edges[i], r, shown)
	}
}

// edge compares what the APIs show of an edge; r is the reach of the entity and
// shown the part of it that the APIs are.
func (j *judge) edge(what string, of *contract.Entity, was, now contract.Edge, r, shown reach) {
	if was.Name != now.Name {
		renamed := shown
		if now.Also {
			renamed.rest, renamed.graphql = false, false
		}
		renamed.sql = was.Table != now.Table || was.Column != now.Column && fieldOf(of, now.Column) == nil
		says := "it was " + was.Name + ": the target stays, the name does not"
		if now.Also {
			says = "it was " + was.Name + ": the target stays, and clients may use either name"
		}
		j.add(11, of.Name+"."+now.Name, says, renamed)
	}
	if !now.Shown {
		if to := entity(j.after, now.To); to != nil && to.Exposed { // else that is a change of the entity
			j.add(26, what, "no API shows the edge any longer", shown)
		}
		return
	}
	if was.Relation != now.Relation {
		j.add(36, what, "it is "+now.Relation+", and was "+was.Relation, r)
	}
	if was.Filter && !now.Filter {
		filtered := shown
		filtered.cursors, filtered.rest = r.cursors, shown.rest && many(was)
		j.add(30, what, "listings are not filtered by it any longer", filtered)
	}
	if !was.Filter && now.Filter {
		j.add(added, what, "listings can be filtered by it", shown)
	}
}

// many reports whether the edge leads to many rows, which is what listings of
// REST are filtered by.
func many(g contract.Edge) bool { return g.Relation == "O2M" || g.Relation == "M2M" }

// found10 reports whether it was said that it goes.
func (j *judge) found10(what string) bool {
	return slices.ContainsFunc(j.found, func(f Finding) bool { return f.Kind == 10 && f.What == what })
}
