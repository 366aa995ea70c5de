package planner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/lib/pq"
)

// byHand begins the names of functions, triggers, indexes and tables that migrations
// make by hand. They are left alone, as every view is that no object makes: no schema
// declares them, so none can ask that they go.
const byHand = "byhand_"

// alone reports whether the part is left alone where no object makes it.
func (p part) alone() bool {
	return strings.HasPrefix(p.name, byHand) || p.kind == "view" || p.kind == "materialized view"
}

// adopt has the desired state have what migrations have made by hand: it is made again
// where it would go with what is in its way, such as a table that SQLite makes anew.
func (s *state) adopt(current *state) {
	var objects []made
	for key, p := range maps.All(current.parts) {
		if _, has := s.parts[key]; has || !p.alone() {
			continue
		}
		s.parts[key] = p
		objects = append(objects, made{Object{Name: p.kind + " " + p.name + " of a migration by hand", Create: p.create()}, []string{key}})
	}
	slices.SortFunc(objects, func(a, b made) int { // those that others may need are made first
		return cmp.Or(cmp.Compare(s.parts[b.keys[0]].rank(), s.parts[a.keys[0]].rank()), cmp.Compare(a.Name, b.Name))
	})
	s.last = append(s.last, objects...)
}

// create is the statement that makes the part, from the database's own text of it.
func (p part) create() string {
	if verb := strings.ToUpper(p.kind); strings.HasSuffix(verb, "VIEW") && !strings.HasPrefix(strings.ToUpper(p.text), "CREATE") {
		return "CREATE " + verb + " " + pq.QuoteIdentifier(p.name) + " AS " + p.text
	}
	return p.text
}
