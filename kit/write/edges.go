package write

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Edge is an edge of many to many by which clients attach rows (expose.Attached).
type Edge struct {
	*entity.Edge
	// Set is the input that lists the rows at the other end. Add and Remove are
	// inputs of changes, in the APIs that have names for them.
	Set, Add, Remove *Field
	link             *policy.Link // see [Described]
}

// Attached describes an edge by which clients attach rows. rest and graphql are
// the names of its input: "label_ids", "labelIds".
func Attached(edge *entity.Edge, rest, graphql string) *Edge {
	input := func(verb, shown, graphql string) *Field {
		return &Field{
			Field:    &entity.Field{Name: verb + rest, Column: verb + rest, REST: shown, GraphQL: []string{graphql}, Kind: entity.IDs},
			OnCreate: verb == "", OnUpdate: true, Refers: edge.To,
		}
	}
	set := input("", rest, graphql)
	if was := edge.Old; was != nil {
		set.Old = &entity.Old{Name: was.IDs, REST: was.IDs, Ending: was.Ending}
	}
	within := strings.ToUpper(graphql[:1]) + graphql[1:]
	return &Edge{
		Edge: edge, Set: set,
		Add: input("add_", "", "add"+within), Remove: input("remove_", "", "remove"+within),
	}
}

// Edge returns the edge with the name, or nil.
func (e *Entity) Edge(name string) *Edge {
	i := slices.IndexFunc(e.Edges, func(g *Edge) bool { return g.Name == name })
	if i < 0 {
		return nil
	}
	return e.Edges[i]
}

// mostEnds is how many rows a request can attach and detach.
const mostEnds = 100

// ends are the rows that an input names for an edge.
type ends struct {
	*Edge
	// replaced: the rows of set are those that it leads to.
	replaced         bool
	set, add, remove []gid.ID
	// barred are the rows of the input that the viewer may not link or unlink, with
	// the fields and the places that name them.
	barred []*reference
	// absent is set where the path names a row that the viewer can't read.
	absent error
}

// wanted are the rows that are to be attached.
func (x *ends) wanted() []gid.ID { return slices.Concat(x.set, x.add) }

// edgeInputs are the inputs of the entity's edges that the API has names for.
func (f *form) edgeInputs() (fields []*Field) {
	for _, g := range f.Entity.Edges {
		for _, field := range []*Field{g.Set, g.Add, g.Remove} {
			if f.names(field) && f.in.member(field, false) != "" {
				fields = append(fields, field)
			}
		}
	}
	return fields
}

// ids reads a list of ids, adds a finding for each invalid one, and looks for the
// rows, each once.
func (f *form) ids(field *Field, raw any) (any, bool) {
	list, isList := raw.([]any)
	if !isList {
		f.note(field, mismatch(field, "an array", raw))
		return nil, false
	}
	if len(list) > mostEnds {
		f.note(field, crowd(len(list)))
		return nil, false
	}
	ids, ok := make([]gid.ID, len(list)), true
	for i, item := range list {
		id, bad := f.in.decodeID(f.Entity.Entity, field, item)
		if bad != nil {
			bad.at, bad.value, bad.mute = fmt.Sprintf("[%d]", i), item, item == nil
			f.note(field, bad)
			ok = false
			continue
		}
		ids[i], _ = gid.Of(id)
		if !slices.Contains(ids[:i], ids[i]) {
			target := read.Target{Entity: field.Refers, ID: ids[i], Link: field.link}
			f.refs = append(f.refs, &reference{Target: target, field: field, at: fmt.Sprintf("[%d]", i)})
		}
	}
	return ids, ok
}

func crowd(n int) *finding {
	bad := broken("must be at most %d items, not %d", mostEnds, n)
	bad.mute = true
	return bad
}

// judgeEdges judges what the input says of edges.
func (f *form) judgeEdges() {
	for _, g := range f.Entity.Edges {
		x := &ends{Edge: g}
		var set bool
		x.set, set = f.list(g.Set)
		x.add, _ = f.list(g.Add)
		x.remove, _ = f.list(g.Remove)
		for _, field := range []*Field{g.Add, g.Remove} {
			if f.sent.of(field) != nil && f.sent.of(g.Set) != nil {
				f.note(field, wrong("cannot be combined with %s", f.in.member(g.Set, false)))
			}
		}
		for i, id := range x.remove {
			if slices.Contains(x.add, id) {
				f.note(g.Remove, &finding{at: fmt.Sprintf("[%d]", i), message: "is to be added, too", value: f.in.Shown(g.To.Name, id)})
			}
		}
		x.replaced = !f.making && (set || f.replace && f.sent.of(g.Set) == nil)
		if !x.replaced && len(x.wanted()) == 0 && len(x.remove) == 0 {
			continue
		}
		f.ends = append(f.ends, x)
	}
}

// list is the list in an input of ids. Null counts as absent for a new row.
func (f *form) list(field *Field) ([]gid.ID, bool) {
	value, ok := f.value(field)
	if ok && value == nil && !f.making {
		f.note(field, &finding{message: "must not be null"})
	}
	list, isList := value.([]gid.ID)
	if isList {
		f.values[field.Name] = list
	}
	return list, isList
}

// crowded notes where the inputs of one request name more rows than they can.
func crowded(forms []*form) {
	n := 0
	for _, f := range forms {
		for _, x := range f.ends {
			for _, field := range []*Field{x.Set, x.Add, x.Remove} {
				list, _ := f.values[field.Name].([]gid.ID)
				if n += len(list); n > mostEnds {
					bad := broken("names too many rows: a request can attach and detach %d", mostEnds)
					bad.mute = true
					f.note(field, bad)
					return
				}
			}
		}
	}
}

// attachNew attaches rows to new ones: one statement for each edge.
func (e *Engine) attachNew(ctx context.Context, forms []*form, rows []Row) error {
	for _, g := range forms[0].Entity.Edges {
		var from, to []gid.ID
		for i, f := range forms {
			for _, x := range f.ends {
				if x.Edge != g {
					continue
				}
				for _, id := range x.wanted() {
					from, to = append(from, rows[i].ID), append(to, id)
				}
			}
		}
		if len(to) == 0 {
			continue
		}
		if _, err := e.Reader.Attach(ctx, g.Edge, from, to); err != nil {
			return ended(g, err)
		}
	}
	return nil
}

// moveEnds attaches and detaches what the input says, and reports whether that
// changed anything. The row stays locked until the transaction ends.
func (e *Engine) moveEnds(ctx context.Context, c *Call, f *form) (bool, error) {
	if len(f.ends) == 0 {
		return false, nil
	}
	version, may, err := e.Reader.Hold(ctx, c.Entity.Entity, c.filter(), policy.Update)
	switch {
	case err != nil:
		return false, err
	case !may:
		return false, e.refusal(ctx, c)
	case c.stale(version):
		return false, c.changed()
	}
	moved := 0
	for _, x := range f.ends {
		n, err := e.move(ctx, f, c.ID, x)
		if err != nil {
			return false, err
		}
		moved += n
	}
	return moved > 0, nil
}

// move attaches and detaches rows at the other end of one edge.
func (e *Engine) move(ctx context.Context, f *form, id gid.ID, x *ends) (moved int, err error) {
	if x.absent != nil {
		return 0, x.absent
	}
	if err := e.unbarred(ctx, f, id, x); err != nil {
		return 0, err
	}
	switch {
	case x.replaced:
		moved, err = e.Reader.DetachOthers(ctx, x.Edge.Edge, id, x.set)
	case len(x.remove) > 0:
		moved, err = e.Reader.Detach(ctx, x.Edge.Edge, id, x.remove)
	}
	to := x.wanted()
	if err != nil || len(to) == 0 {
		return moved, err
	}
	from := slices.Repeat([]gid.ID{id}, len(to))
	n, err := e.Reader.Attach(ctx, x.Edge.Edge, from, to)
	return moved + n, ended(x.Edge, err)
}

// ended reports a row at the other end that was removed since it was looked for,
// or that is another tenant's, for a caller who reaches the rows of several.
func ended(g *Edge, err error) error {
	rule, _ := store.ViolationOf(err)
	if strings.HasPrefix(rule.Name, withinRule) {
		return err // see [Entity.broken]
	}
	if strings.HasPrefix(rule.Name, "tenant_") {
		return problem.New(problem.Conflict, "%s that is named belongs to another tenant", gid.An(g.To.Noun()))
	}
	if store.IsForeignKey(err) {
		return later("%s that is named was removed meanwhile: try again", gid.An(g.To.Noun()))
	}
	return err
}

// Attach attaches a row to that of the call: Row.Made where it was not
// attached before. The policy's rule on updates decides who may.
func (e *Engine) Attach(ctx context.Context, c Call, g *Edge, id gid.ID) (Row, error) {
	return e.reattach(ctx, c, &ends{Edge: g, add: []gid.ID{id}})
}

// Detach detaches a row from that of the call, if it is attached.
func (e *Engine) Detach(ctx context.Context, c Call, g *Edge, id gid.ID) error {
	_, err := e.reattach(ctx, c, &ends{Edge: g, remove: []gid.ID{id}})
	return err
}

func (e *Engine) reattach(ctx context.Context, c Call, x *ends) (Row, error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return Row{}, err
	}
	f := e.form(ctx, &c, &c.Input, form{})
	if err := f.err(); err != nil {
		return Row{}, err
	}
	if err := idempotency.Claim(ctx); err != nil {
		return Row{}, err
	}
	end := read.Target{Entity: x.To, ID: slices.Concat(x.add, x.remove)[0], Link: x.link}
	found, err := e.Reader.Find(ctx, []read.Target{end})
	switch {
	case err != nil:
		return Row{}, err
	case found[0].ID.IsZero():
		x.absent = read.NotFound(x.To)
	case !found[0].May:
		x.barred = []*reference{{Target: end}}
	}
	f.ends = []*ends{x}
	fresh := c.Expect.Absent // If-None-Match: * is about what the path names, which is not the row
	c.Expect.Absent = false
	row := Row{ID: c.ID}
	err = e.DB.InTx(ctx, func(ctx context.Context) error {
		if err := e.expected(ctx, &c, policy.Update); err != nil {
			return err
		}
		moved, err := e.rewrite(ctx, &c, f)
		if err != nil {
			return err
		}
		if fresh && !moved {
			return c.changed()
		}
		row.Made = moved
		return c.read(ctx, row)
	})
	return row, f.refused(err)
}

// dated reports whether a row has columns that say that it changed.
func (f *form) dated() bool { return f.Versioned || f.Entity.Field("updated_at") != nil }
