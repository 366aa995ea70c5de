// Package adopt begins a schema from a database that exists. It reads tables, keys, checks,
// comments and enums by Atlas' inspection, decides for each what it is in the vocabulary of
// schemas, with the reason, and writes schema files and the baseline: the migration that has
// made these tables, which changes nothing where they are. Package planner leaves alone
// what a baseline has made.
//
// Tables that no entity can be made of are left alone, and listed with advice. Nothing in
// this package writes to the database that is adopted.
package adopt

import (
	"fmt"
	"slices"
	"strings"
)

// Options say how a database is adopted.
type Options struct {
	// Taken are the Go types that schema/ has, and Names those of their tables and indexes.
	Taken, Names []string
	// Add are columns that are added to tables: "film.version".
	Add []string
	// ReadOnly are tables whose rows clients list and read, and never write.
	ReadOnly []string
}

// Plan has the decisions. Its members are what weave adopt --json prints.
type Plan struct {
	Dialect  string    `json:"dialect"`
	Entities []*Entity `json:"entities"`
	// Between are the tables that became edges of many to many.
	Between []*Between `json:"between,omitempty"`
	// Left lists objects that stay in the database and are in no schema.
	Left []Left `json:"left,omitempty"`
	// Asks are columns that entities work without, with less.
	Asks []Ask `json:"asks,omitempty"`

	database *Database
}

// Left is something that could not be kept, or is left alone.
type Left struct {
	What string `json:"what"`
	Why  string `json:"why"`
	Do   string `json:"do,omitempty"`
}

// Ask is a column that would be added to a table, which is done only where --add names it.
type Ask struct {
	Add     string `json:"add"`
	Without string `json:"without"`
}

// Between is a table of pairs.
type Between struct {
	Table string `json:"table"`
	From  string `json:"from"`
	To    string `json:"to"`
	Why   string `json:"why"`
}

// Decide decides what each table is.
func (d *Database) Decide(o Options) (*Plan, error) {
	p := &Plan{Dialect: d.Dialect, database: d}
	n := namer{taken: o.Taken}
	if err := d.clash(o.Names); err != nil {
		return nil, err
	}
	var pairs []*table
	take := func(t *table) {
		if why, do := t.refused(); why != "" {
			p.leave("table "+t.Name, why, do)
			return
		}
		p.Entities = append(p.Entities, p.entity(t, &n))
	}
	for _, t := range d.Tables {
		if !t.pairs() {
			take(t)
		}
	}
	for _, t := range d.Tables {
		switch {
		case !t.pairs():
		case p.joins(t):
			pairs = append(pairs, t)
		default:
			take(t)
		}
	}
	slices.SortStableFunc(p.Entities, func(a, b *Entity) int { return strings.Compare(a.Table, b.Table) })
	if err := p.readOnly(o.ReadOnly); err != nil {
		return nil, err
	}
	for _, e := range p.Entities {
		p.relate(e)
	}
	for _, t := range pairs {
		p.between(t)
	}
	for _, e := range p.Entities {
		e.settle()
	}
	p.Left = append(p.Left, d.Beside...)
	return p, p.add(o.Add)
}

// clash refuses a database that has something else by a name which the service needs.
func (d *Database) clash(names []string) error {
	var all []object
	var says []string
	for _, o := range d.objects {
		if slices.ContainsFunc(names, func(name string) bool { return strings.ToLower(name) == o.key }) {
			all, says = append(all, o), append(says, o.what+" "+o.name)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("the database has what is called like tables or indexes of this service: %s; both can't be in one schema of a database: rename those of the database (%s), or remove the entity from schema/ if it is an example",
		strings.Join(says, ", "), d.kind.renaming(all))
}

func (p *Plan) leave(what, why, do string) { p.Left = append(p.Left, Left{what, why, do}) }

// of is the entity of the table, nil where it has none.
func (p *Plan) of(table string) *Entity {
	i := slices.IndexFunc(p.Entities, func(e *Entity) bool { return e.Table == table })
	if i < 0 {
		return nil
	}
	return p.Entities[i]
}
