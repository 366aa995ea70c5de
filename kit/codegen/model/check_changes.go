package model

import (
	"fmt"
	"slices"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/policy"
)

// mostKept is how many columns a database's function for JSON takes at once.
const mostKept = 50

// changes checks expose.Resource.Changes, as far as it can be without the policy.
func (c checker) changes(tables map[string]*gen.Type) {
	switch {
	case !c.Changes:
	case tables["changes"] == nil:
		c.wrong("", "changes: there is no table of changes: embed tables.Change")
	case c.Under != "":
		c.wrong("", "changes: an entity with a path of its own is allowed, not one below %s", c.Under)
	case len(c.Judged()) > mostKept:
		c.wrong("", "changes: %d columns are flags, integers, foreign keys, enums or times: %d are allowed", len(c.Judged()), mostKept)
	}
}

// Judged are the columns that a change keeps of the row before, for the rule that says
// who could read it: flags, integers, ids and foreign keys, enums and times, tallies left out.
func (e *Entity) Judged() []*gen.Field {
	var all []*gen.Field
	for _, f := range append([]*gen.Field{e.Type.ID}, e.Type.Fields...) {
		t := f.Type.Type
		if a, err := FieldAnnotation(f.Annotations); err != nil || a.Tally != nil || f.Name == "version" {
			continue
		}
		if t == field.TypeBool || t == field.TypeEnum || t == field.TypeTime || namesRow(e.Type, f) {
			all = append(all, f)
		}
	}
	return all
}

// checkFollowed refuses a rule that can't be asked of a row as it was before.
func checkFollowed(e *Entity, read policy.Rule) (errs []error) {
	if e == nil || !e.Changes {
		return nil
	}
	kept := e.Judged()
	for _, t := range read.Terms() {
		wrong := ""
		switch {
		case t.ForeignTable != "":
			wrong = fmt.Sprintf("%s asks rows of %q, which change without a write of the row", t.Says, t.ForeignTable)
		case t.Table != "":
			continue // below such a term
		case t.Other != "":
			wrong = fmt.Sprintf("%s compares two columns", t.Says)
		case t.Column != "" && !slices.ContainsFunc(kept, func(f *gen.Field) bool { return f.StorageKey() == t.Column }):
			wrong = fmt.Sprintf("%s asks %q, which is not kept of the row before", t.Says, t.Column)
		}
		if wrong != "" {
			errs = append(errs, ProblemAt(e.Type, "", fmt.Errorf("changes: Read of the policy: %s: conditions on the caller and on flags, integers, foreign keys, enums and null of the row are allowed", wrong)))
		}
	}
	return errs
}
