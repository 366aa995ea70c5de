package model

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// OffersField is the derived field that lists what can be done to a row.
const OffersField = "actions"

// MutationMember is the member of what can be done to a row that GraphQL alone has.
const MutationMember = "mutation"

// Offer is something that a row shows to be possible: an action, or a read.
type Offer struct {
	Name, Method, Path, ID string
	// Verb is the verb of the policy that the viewer needs, empty for none.
	Verb string
	// Mutation is its mutation in GraphQL, empty where there is none.
	Mutation string
	// Deleted is set for what is done to deleted rows.
	Deleted bool
	// Ending is when it ends, nil where it does not.
	Ending *expose.Ending
}

// Before and After are the path below a version's around the row's id.
func (o Offer) Before() string {
	before, _, _ := strings.Cut(o.Path, "{"+o.ID+"}")
	return before
}

// After is the path behind the row's id.
func (o Offer) After() string {
	_, after, _ := strings.Cut(o.Path, "{"+o.ID+"}")
	return after
}

// offers lists what can be done to a row, in the order of the schema.
func (e *Entity) offers() (all []Offer) {
	if e.Under != "" {
		return nil // what stands for the row in its path is not the row's
	}
	for _, a := range e.Actions {
		if c := e.actionCall(a); a.OfRow() && !a.Reads() {
			all = append(all, Offer{Name: a.Verb, Method: strings.ToUpper(c.Method), Path: c.Path, ID: c.ID1, Verb: a.Verb, Mutation: c.Mutation, Ending: c.Ending()})
		}
	}
	if e.SoftDelete && e.Offers(expose.Delete) {
		c := e.restoreCall()
		all = append(all, Offer{Name: policy.Restore, Method: "POST", Path: c.Path, ID: c.ID1, Verb: policy.Restore, Mutation: c.Mutation, Deleted: true})
	}
	path, id := e.row()
	for _, l := range e.Links {
		all = append(all, Offer{Name: l.Name, Method: "GET", Path: path + "/" + l.Name, ID: id, Verb: l.Verb})
	}
	return all
}

// addOffers adds the field that lists what can be done to a row, if anything can.
func (e *Entity) addOffers() {
	e.Offered = e.offers()
	if len(e.Offered) == 0 {
		return
	}
	first := e.Offered[0]
	e.Derived = append(e.Derived, expose.Derived{
		Name: OffersField, Comment: "What the caller can do to it now.", Shape: expose.Objects, Object: e.Name + "Action",
		Single: !e.ShowActions, SQL: `{row}."` + e.Type.ID.StorageKey() + `"`,
		Example: []map[string]any{{"name": first.Name, "method": first.Method, "href": expose.LinkBase + first.Before() + "1" + first.After()}},
		Members: []expose.Member{
			{Name: "name", Comment: "The name of the thing.", Shape: expose.Text},
			{Name: "method", Comment: "The method of the request that does it in REST.", Shape: expose.Text},
			{Name: "href", Comment: "The path of that request.", Shape: expose.Text},
			{Name: MutationMember, Comment: "The mutation that does it in GraphQL, null where none does.", Shape: expose.Text, Nullable: true},
		},
	})
}

// Right is a derived field that says whether the caller may do what clients do to
// rows by the schema's own operations.
type Right struct{ Name, Verb string }

// addRights adds the fields that say whether the caller may change and delete a row.
func (e *Entity) addRights() {
	for _, r := range []struct {
		Right
		comment string
	}{
		{Right{"viewer_can_update", policy.Update}, "Whether the caller may change it, as far as their role and their part in it say."},
		{Right{"viewer_can_delete", policy.Delete}, "Whether the caller may delete it."},
	} {
		has := e.Offers(expose.Delete)
		if r.Verb == policy.Update {
			has = e.Offers(expose.Patch) || e.Offers(expose.Replace)
		}
		if !has || slices.ContainsFunc(e.Derived, func(d expose.Derived) bool { return d.Name == r.Name }) {
			continue
		}
		e.Rights = append(e.Rights, r.Right)
		e.Derived = append(e.Derived, expose.Derived{
			Name: r.Name, Comment: r.comment, Shape: expose.Flag, Example: true, Single: true, SQL: `{row}."` + e.Type.ID.StorageKey() + `"`,
		})
	}
}

// Conditional reports whether what is offered depends on conditions of the schema.
func (e *Entity) Conditional() bool {
	return slices.ContainsFunc(e.Offered, func(o Offer) bool { return !o.Deleted })
}

// Computed reports whether the engine works out the derived field by the policies.
func (e *Entity) Computed(name string) bool {
	return name == OffersField || slices.ContainsFunc(e.Rights, func(r Right) bool { return r.Name == name })
}

// dashed is a verb in a path.
func dashed(verb string) string { return strings.ReplaceAll(verb, "_", "-") }

// articled puts the article before words.
func articled(words string) string { return naming.An(words) }
