package model

import (
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// The operations of [Model.Declared], beside those of package expose.
const (
	Act        expose.Operation = "action"
	Restore    expose.Operation = "restore"
	DoMark     expose.Operation = "mark"
	UndoMark   expose.Operation = "unmark"
	CreateMany expose.Operation = "create_many"
	UpdateMany expose.Operation = "update_many"
	DeleteMany expose.Operation = "delete_many"
	ActMany    expose.Operation = "act_many"
)

// Declared lists the operations on the entity that are neither reads nor the
// writing of a row as such: restoring, actions, marks, and many rows at once.
// Both APIs and their documents have all of them.
func (m *Model) Declared(e *Entity) (calls []*Call) {
	if e.SoftDelete && e.Offers(expose.Delete) {
		calls = append(calls, e.restoreCall())
	}
	for _, a := range e.Actions {
		calls = append(calls, e.actionCall(a))
	}
	for _, mark := range e.Marks {
		calls = append(calls, e.markCalls(mark)...)
	}
	for _, b := range e.Resource.Bulk {
		calls = append(calls, e.bulkCall(b))
	}
	return calls
}

// row is the path of a row, and the name of the id in it.
func (e *Entity) row() (path, id string) {
	if e.Under != "" {
		edge := e.Edge(e.Under)
		return "/" + edge.To.Path + "/{" + edge.To.pathID() + "}/" + e.Path, edge.To.pathID()
	}
	return "/" + e.Path + "/{" + e.pathID() + "}", e.pathID()
}

func (e *Entity) restoreCall() *Call {
	path, id := e.row()
	return &Call{
		ID: "restore" + e.Name, Mutation: "restore" + e.Name, Method: "post", Path: path + "/restore", Op: Restore, Entity: e, ID1: id,
		Tag: e.Plural(), Summary: "Restore " + articled("deleted "+e.Singular), Verb: policy.Restore, IDArgument: "id",
	}
}

func (e *Entity) actionCall(a *Action) *Call {
	c := &Call{
		ID: or(a.Names.ID, naming.GraphQL(a.Verb)+e.Name), Method: strings.ToLower(or(a.Names.Method, "post")),
		Op: Act, Entity: e, Action: a, Verb: a.Verb,
		Tag: or(a.Names.Tag, e.Plural()), Summary: or(a.Names.Summary, capital(naming.Words(a.Verb))+" "+naming.An(e.Singular)),
	}
	c.Mutation = or(a.Names.GraphQL, c.ID)
	part := "/" + dashed(or(a.Names.Path, a.Verb))
	switch {
	case a.Scope == expose.Unbound:
		c.Path = a.Names.Path
	case a.OfRow():
		c.Path, c.ID1 = e.row()
		c.IDArgument = "id"
		if a.Reads() {
			c.IDArgument = naming.GraphQL(e.Singular + "_id")
		}
	default:
		c.Path = "/" + e.Path
		if a.Create() && a.Names.Path == "" {
			part = ""
		}
	}
	if a.Scope != expose.Unbound && a.Names.Path != "." {
		c.Path += part
	}
	return c
}

func (e *Entity) markCalls(m *Mark) []*Call {
	path, id := e.row()
	one := &Call{
		ID: m.Verb + e.Name, Method: "post", Path: path + "/" + dashed(m.Verb), Op: DoMark, Entity: e, Mark: m, ID1: id,
		Tag: e.Plural(), Summary: capital(naming.Words(m.Verb)) + " " + naming.An(e.Singular), Verb: policy.Create,
		IDArgument: naming.GraphQL(e.Singular + "_id"),
	}
	one.Mutation = one.ID
	if m.Undo == "" {
		return []*Call{one}
	}
	back := *one
	back.ID, back.Method, back.Op, back.Verb = m.Undo+e.Name, "delete", UndoMark, policy.Delete
	back.Mutation, back.Summary = back.ID, capital(naming.Words(m.Undo))+" "+naming.An(e.Singular)
	return []*Call{one, &back}
}

func (e *Entity) bulkCall(b expose.Bulk) *Call {
	many := func(verb string) string {
		return capital(naming.Words(verb)) + " many " + naming.Words(naming.Snake(e.Plural()))
	}
	c := &Call{Method: methods[b.Operation], Path: "/" + e.Path + "/bulk", Entity: e, Bulk: &b, Tag: e.Plural()}
	switch b.Operation {
	case expose.Create:
		c.Op, c.Verb, c.ID, c.Summary = CreateMany, policy.Create, "create"+e.Plural(), many("create")
	case expose.Patch:
		c.Op, c.Verb, c.ID, c.Summary = UpdateMany, policy.Update, "update"+e.Plural(), many("change")
	case expose.Delete:
		c.Op, c.Verb, c.ID, c.Summary = DeleteMany, policy.Delete, "delete"+e.Plural(), many("delete")
	default:
		verb := or(b.Verb, "act_on") // none is refused
		c.Op, c.Verb, c.ID, c.Summary = ActMany, verb, naming.GraphQL(verb)+e.Plural(), many(verb)
		c.Method, c.Path = "post", c.Path+"/"+dashed(verb)
	}
	c.Mutation = c.ID
	switch {
	case c.NamesIDs():
		c.Bulk.Member = "ids"
	case b.Member == "":
		parts := strings.Split(e.Path, "/")
		c.Bulk.Member = strings.ReplaceAll(parts[len(parts)-1], "-", "_")
	}
	return c
}

// NamesIDs reports whether the operation does the same to each of the rows whose ids it is given.
func (c *Call) NamesIDs() bool { return c.Op == DeleteMany || c.Op == ActMany }

// Done is the status of a row to which the operation was done among many others.
func (c *Call) Done() int {
	switch c.Op {
	case CreateMany:
		return http.StatusCreated
	case DeleteMany:
		return http.StatusNoContent
	}
	return http.StatusOK
}

// ItemInput is the GraphQL type of one of many changes: a row, and what changes of it.
func (c *Call) ItemInput() string { return capital(c.Mutation) + "Item" }

// Comment says what the operation does, to clients of both APIs.
func (c *Call) Comment() string {
	switch {
	case c.Action != nil:
		return c.Action.Comment
	case c.Op == UndoMark:
		return c.Mark.UndoComment
	case c.Mark != nil:
		return c.Mark.Comment
	case c.Bulk != nil:
		return c.Bulk.Comment
	case c.Op == Restore:
		return "Brings " + articled("deleted "+c.Entity.Singular) + " back, with what the deletion took along."
	}
	return ""
}

// Detail follows the comment in the REST document.
func (c *Call) Detail() string {
	switch {
	case c.Action != nil:
		return c.Action.Detail
	case c.Op == DoMark:
		return c.Mark.Detail
	case c.Bulk != nil:
		return c.Bulk.Detail
	}
	return ""
}

// Conflicts reports whether the state of the row can refuse the operation: 409.
func (c *Call) Conflicts() bool {
	return c.Op == Restore || c.Action != nil && c.Action.OfRow() && !c.Reads() && !c.Action.Condition.Always()
}

// Expects reports whether the caller can name the version that the row is
// expected to be at: If-Match, and expectedVersion where versions are counted.
func (c *Call) Expects() bool {
	return c.Op == Restore || c.Action != nil && c.Action.OfRow() && !c.Reads()
}

// Arguments are those of the mutation, without expectedVersion and
// idempotencyKey.
func (c *Call) Arguments() (all []Argument) {
	if c.IDArgument != "" {
		all = append(all, Argument{Name: c.IDArgument, ID: c.Entity, Required: true})
	}
	switch {
	case c.Action != nil && (c.Action.OfRow() || c.Reads()):
		for _, f := range c.Action.Input {
			all = append(all, Argument{Name: f.GraphQL[0], Field: f, Required: f.RequiredOnCreate() && !f.NamedOrNull()})
		}
	case c.Action != nil && len(c.Action.Input) > 0:
		all = append(all, Argument{Name: "input", Object: c.Object(), Required: c.Action.InputRequired()})
	case c.Op == DoMark && len(c.Mark.By.OnBehalf) > 0:
		all = append(all, Argument{Name: c.Mark.By.GraphQL[0], Field: c.Mark.By})
	case c.Op == CreateMany:
		all = append(all, Argument{Name: "input", Object: "Create" + c.Entity.Name + "Input", Many: true, Required: true})
	case c.Op == UpdateMany:
		all = append(all, Argument{Name: "input", Object: c.ItemInput(), Many: true, Required: true})
	case c.NamesIDs():
		all = append(all, Argument{Name: "ids", ID: c.Entity, Many: true, Required: true})
		if c.Op == DeleteMany && c.Entity.SoftDelete {
			all = append(all, Argument{Name: "hard"})
		}
	}
	return all
}

// Object is the GraphQL type of the operation's input object, empty where there is none.
func (c *Call) Object() string {
	if c.Action == nil || c.Action.OfRow() || c.Reads() || len(c.Action.Input) == 0 {
		return ""
	}
	return or(c.Action.Names.Object, capital(c.Mutation)+"Input")
}

// Argument is an argument of a mutation.
type Argument struct {
	Name string
	// ID is the entity whose id it is, Object the type of an object; Field is what
	// a field of the input says. With none of them it is a flag.
	ID     *Entity
	Object string
	Field  *Field
	// Many is set for a list, Required for what has to be there.
	Many, Required bool
}

func or(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
