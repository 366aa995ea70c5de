package adopt

import (
	"fmt"
	"slices"
)

// added is a column that a table gets.
type added struct {
	name, without string
	field         Field
}

// addable are the columns that an entity works without, in the order in which they
// are asked for.
var addable = []added{
	{"version", "an update can't ask for the version that it was made for (If-Match, expectedVersion), so the last of two writers wins",
		Field{Comment: "Rises with each change, beginning with 1.", Type: "Int64", default_: "1", Computed: true}},
	{"created_at", "listings have the order of the id, and clients don't see when a row was made",
		Field{Comment: "When it was created, in UTC.", Type: "Time", default_: "tables.Now", Computed: true}},
	{"updated_at", "clients don't see when a row was last changed",
		Field{Comment: "When it was last changed, in UTC.", Type: "Time", default_: "tables.Now", Computed: true}},
}

// add adds the columns that are named, and lists those that are not.
func (p *Plan) add(names []string) error {
	known := map[string]bool{}
	for _, e := range p.Entities {
		if len(e.Key) > 0 || e.ReadOnly {
			continue // clients write no row of it
		}
		for _, a := range addable {
			name := e.Table + "." + a.name
			if _, has := e.table.Column(a.name); has || e.named(a.name) {
				continue
			}
			if known[name] = true; !slices.Contains(names, name) {
				p.Asks = append(p.Asks, Ask{name, a.without})
				continue
			}
			e.Fields = append(e.Fields, a.made())
		}
	}
	for _, name := range names {
		if !known[name] {
			return fmt.Errorf("--add %s: there is nothing to add that is called so: TABLE.version, TABLE.created_at and TABLE.updated_at are allowed, of a table that is adopted and has no such column", name)
		}
	}
	return nil
}

func (a added) made() *Field {
	f := a.field
	f.Name, f.Column = a.name, a.name
	f.Why = []string{"the next migration adds the column, with a default, so that other programs need not write it"}
	f.form = form{of: f.Type}
	if f.Type == "Time" {
		f.extra = []string{`entsql.DefaultExpr("CURRENT_TIMESTAMP")`}
	}
	return &f
}
