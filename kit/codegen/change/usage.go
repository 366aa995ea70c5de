package change

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// Use is how often a caller used something that is deprecated, as entwine usage
// --json writes it.
type Use struct {
	Day      string `json:"day"` // the last one
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	KeyID    int64  `json:"key_id,omitempty"`
	UserID   int64  `json:"user_id,omitempty"`
	Agent    string `json:"agent"`
	Requests int64  `json:"requests"`
}

// window is how far back uses count.
const window = 90 * 24 * time.Hour

// ReadUses reads what entwine usage --json wrote.
func ReadUses(text []byte) (uses []Use, err error) {
	if err := json.Unmarshal(text, &uses); err != nil {
		return nil, fmt.Errorf("it is not what entwine usage --json writes: %w", err)
	}
	return uses, nil
}

// User is a caller who used what goes.
type User struct {
	KeyID  int64  `json:"key_id,omitempty"`
	UserID int64  `json:"user_id,omitempty"`
	Agent  string `json:"agent"`
	// Requests is how often, in the last 90 days, and Last the last day.
	Requests int64  `json:"requests"`
	Last     string `json:"last"`
}

// String names the caller as commands do: "key 3 (billing), 12 requests, last on 2027-01-31".
func (u User) String() string {
	caller := "anonymous"
	switch {
	case u.KeyID != 0:
		caller = fmt.Sprintf("key %d", u.KeyID)
	case u.UserID != 0:
		caller = fmt.Sprintf("user %d", u.UserID)
	}
	return fmt.Sprintf("%s (%s), %d requests, last on %s", caller, u.Agent, u.Requests, u.Last)
}

// Used says of the findings that take something from clients who used it, in the 90 days
// up to the day. Uses of things that were not deprecated were not counted. The report
// says so.
func Used(found []Finding, before *contract.Contract, uses []Use, day time.Time) {
	first := day.Add(-window).Format(time.DateOnly)
	for i := range found {
		f := &found[i]
		if f.Effects.REST == Safe && f.Effects.GraphQL == Safe || !takes(f) {
			continue
		}
		t := target(before, f)
		f.Counted = t.deprecated
		all := map[User]*User{}
		for _, u := range uses {
			if u.Day < first || !t.named(u.Name) {
				continue
			}
			f.Counted = true
			key := User{KeyID: u.KeyID, UserID: u.UserID, Agent: u.Agent}
			if all[key] == nil {
				all[key] = &User{KeyID: u.KeyID, UserID: u.UserID, Agent: u.Agent}
			}
			all[key].Requests += u.Requests
			all[key].Last = max(all[key].Last, u.Day)
		}
		for _, u := range all {
			f.Users = append(f.Users, *u)
		}
		slices.SortFunc(f.Users, func(a, b User) int {
			return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.KeyID, b.KeyID), cmp.Compare(a.UserID, b.UserID), cmp.Compare(a.Agent, b.Agent))
		})
		f.Asked = true
	}
}

// takes reports whether the change takes something away that clients name.
func takes(f *Finding) bool {
	return slices.Contains([]int{2, 3, 4, 5, 10, 11, 24, 25, 26, 30, 40, 49}, f.Kind)
}

// counted are the names by which uses are counted of what a finding is about.
type counted struct {
	exact []string
	// types are those of GraphQL whose parts are meant, all of them.
	types      []string
	deprecated bool
}

// named reports whether the use is of it: "Post.subtitle", "PostWhereInput.subtitleIn",
// "Mutation.publishPost", "publishPost", "Post.status=dead".
func (n counted) named(use string) bool {
	if slices.Contains(n.exact, use) {
		return true
	}
	whole, _, _ := strings.Cut(use, "=")
	if whole != use && slices.Contains(n.exact, whole) {
		return true
	}
	of, _, ok := strings.Cut(use, ".")
	return ok && slices.Contains(n.types, of)
}

// target finds what the finding is about in the contract before.
func target(c *contract.Contract, f *Finding) (n counted) {
	subject, verb, _ := strings.Cut(f.What, " ")
	of, part, ofField := strings.Cut(subject, ".")
	e := entity(c, of)
	if e == nil && f.Was != "" {
		e = entity(c, f.Was)
	}
	if e == nil {
		n.hand(c, f.What)
		return n
	}
	switch {
	case verb != "":
		n.operation(e, verb)
	case ofField:
		n.field(e, part, f)
	default:
		n.entity(e)
	}
	return n
}

// entity adds all that clients name of the entity.
func (n *counted) entity(e *contract.Entity) {
	n.deprecated = e.Deprecated
	for _, o := range e.Operations {
		n.add(&o)
	}
	for _, name := range []string{naming.Camel(naming.Snake(e.Name)), e.Connection} {
		n.exact = append(n.exact, "Query."+name)
	}
	for _, verb := range []string{"create", "update", "delete", "restore", "set"} {
		n.exact = append(n.exact, "Mutation."+verb+e.Name)
	}
	n.types = typesOf(e)
}

func typesOf(e *contract.Entity) []string {
	return []string{e.Name, "Create" + e.Name + "Input", "Update" + e.Name + "Input", e.Name + "WhereInput", e.Name + "OrderField"}
}

func (n *counted) add(o *contract.Operation) {
	n.deprecated = n.deprecated || o.Deprecated
	n.exact = append(n.exact, o.ID, strings.ToUpper(o.Method)+" "+o.Path)
	if o.GraphQL != "" {
		n.exact = append(n.exact, "Mutation."+o.GraphQL, "Query."+o.GraphQL)
	}
}

// operation adds an operation, or one of its inputs: "publish note".
func (n *counted) operation(e *contract.Entity, said string) {
	for i := range e.Operations {
		o := &e.Operations[i]
		switch input, ok := strings.CutPrefix(said, o.Key+" "); {
		case said == o.Key:
			n.add(o)
		case ok:
			camel := naming.Camel(input)
			n.exact = append(n.exact, "Mutation."+o.GraphQL+"("+camel+":)", o.ID+"."+input, e.Name+"."+strings.TrimPrefix(o.Key, "do ")+"."+input)
		}
	}
}

// field adds a field, an edge or what is derived, by each of its names.
func (n *counted) field(e *contract.Entity, part string, f *Finding) {
	n.exact = append(n.exact, e.Name+"."+part, e.Name+"."+naming.Camel(part))
	graphql := []string{naming.Camel(part)}
	had := field(e.Fields, part)
	if had == nil && f.Was != "" {
		had = field(e.Fields, f.Was)
	}
	if had != nil && had.Shown != nil {
		n.deprecated = had.Shown.Deprecated || had.Shown.WasREST != ""
		n.exact = append(n.exact, e.Name+"."+had.Shown.REST)
		graphql = append(graphql, had.Shown.GraphQL...)
		for _, old := range []string{had.Shown.WasREST, had.Shown.WasGraphQL} {
			if old != "" {
				n.exact = append(n.exact, e.Name+"."+old)
				graphql = append(graphql, old)
			}
		}
	}
	for _, name := range graphql {
		for _, of := range typesOf(e)[:3] {
			n.exact = append(n.exact, of+"."+name)
		}
		n.exact = append(n.exact, e.Name+"OrderField."+strings.ToUpper(naming.Snake(name)))
		for _, suffix := range filters {
			n.exact = append(n.exact, e.Name+"WhereInput."+name+suffix)
		}
	}
	if had == nil || had.Shown == nil { // an edge
		within := naming.Pascal(part)
		n.exact = append(n.exact, e.Name+"."+naming.Camel(part)+"Connection", e.Name+"WhereInput.has"+within, e.Name+"WhereInput.has"+within+"With")
	}
	if had != nil && len(had.Values) > 0 {
		n.types = append(n.types, e.Name+naming.Pascal(part))
	}
}

// filters are the suffixes of GraphQL's filters.
var filters = []string{
	"", "NEQ", "In", "NotIn", "GT", "GTE", "LT", "LTE", "Contains", "ContainsFold", "HasPrefix", "HasSuffix", "EqualFold", "IsNil", "NotNil", "Has", "HasAny",
}

// hand adds an operation by hand: "post /auth/login", "query whoami".
func (n *counted) hand(c *contract.Contract, said string) {
	for i := range c.Operations {
		o := &c.Operations[i]
		if said == o.Key || strings.HasPrefix(said, o.Key+" ") {
			n.add(o)
		}
	}
}
