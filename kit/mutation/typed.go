package mutation

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/gid"
)

// Typed are Ent's own mutations of an entity, which hooks of schemas see where a
// program links Ent's client. Generated code has them.
type Typed struct {
	// Types are the Go types of the fields, by their columns.
	Types map[string]reflect.Type
	// Hooks are those of the client over the database: of its Use.
	Hooks func(db dialect.Driver) []ent.Hook
	// Begin makes a mutation: of the row with the id, where that is not zero.
	Begin func(db dialect.Driver, op ent.Op, id gid.ID, where []func(*entsql.Selector)) Begun
}

// Begun is a mutation of Ent's, with methods that ent.Mutation lacks.
type Begun struct {
	Mutation ent.Mutation
	Where    func() []func(*entsql.Selector)
	// Attach names rows at the other end of an edge of many.
	Attach func(edge string, added, removed []gid.ID)
	// Made has the mutation know the row that it has made or changed.
	Made func(id gid.ID)
}

// registered are the slots of [Typed], by the types of schemas.
var registered sync.Map

// slot holds what Ent's client says of an entity: nothing, until it is linked.
type slot = atomic.Pointer[Typed]

func slotOf(s ent.Interface) *slot {
	of, _ := registered.LoadOrStore(reflect.Indirect(reflect.ValueOf(s)).Type(), new(slot))
	return of.(*slot)
}

// Register says how Ent's client mutates the entity of the schema.
func Register(s ent.Interface, t *Typed) { slotOf(s).Store(t) }

// kits is how the names of this kit's functions begin.
var kits = strings.TrimSuffix(reflect.TypeFor[Table]().PkgPath(), "mutation")

// Own reports whether one of the hooks is not this kit's. Those of the kit need no
// types.
func Own(hooks []ent.Hook) bool {
	for _, h := range hooks {
		if !strings.HasPrefix(runtime.FuncForPC(reflect.ValueOf(h).Pointer()).Name(), kits) {
			return true
		}
	}
	return false
}

// Hooked reports whether hooks see what is written through the database, beside the
// policy: those of the schema alone, without a database.
func (t *Table) Hooked(db dialect.Driver) bool { return len(t.hooks) > 1 || len(t.used(db)) > 0 }

// used are the hooks of the client's Use.
func (t *Table) used(db dialect.Driver) []ent.Hook {
	if typed := t.typed.Load(); typed != nil && db != nil {
		return typed.Hooks(db)
	}
	return nil
}

// hooked is the mutator that calls the hooks beside the policy, and then last.
func (m *Mutation) hooked(last ent.Mutator) ent.Mutator {
	used := m.table.used(m.db)
	typed := m.table.typed.Load()
	if typed == nil || len(used) == 0 && !m.table.own {
		return chain(m.table.hooks[1:], last)
	}
	return ent.MutateFunc(func(ctx context.Context, _ ent.Mutation) (ent.Value, error) {
		b, given, err := m.typedAs(typed)
		if err != nil {
			return nil, err
		}
		inner := ent.MutateFunc(func(ctx context.Context, got ent.Mutation) (ent.Value, error) {
			if err := m.take(typed, b, got, given); err != nil {
				return nil, err
			}
			value, err := last.Mutate(ctx, m)
			if err == nil && m.op.Is(ent.OpCreate|ent.OpUpdateOne) {
				b.Made(m.id)
			}
			return value, err
		})
		return chain(append(slices.Clip(used), m.table.hooks[1:]...), inner).Mutate(ctx, b.Mutation)
	})
}

// chain has each of the hooks call the next one, and the last of them last.
func chain(hooks []ent.Hook, last ent.Mutator) ent.Mutator {
	for _, hook := range slices.Backward(hooks) {
		last = hook(last)
	}
	return last
}

// typedAs is the mutation as Ent's client makes it, with the values that it was given.
func (m *Mutation) typedAs(typed *Typed) (b Begun, given map[string]any, err error) {
	b, given = typed.Begin(m.db, m.op, m.one, m.where), map[string]any{}
	if m.op.Is(ent.OpCreate) && !m.id.IsZero() {
		b.Made(m.id) // which a client or a default has given
	}
	for i, c := range m.table.Columns {
		at := &m.cells[i]
		of := typed.Types[c.Name]
		if of == nil {
			continue
		}
		switch {
		case at.set && at.value == nil, at.cleared:
			err = b.Mutation.ClearField(c.Name)
		case at.set:
			if given[c.Name], err = converted(of, at.value); err == nil {
				err = b.Mutation.SetField(c.Name, given[c.Name])
			}
		case at.added != nil:
			err = b.Mutation.AddField(c.Name, reflect.ValueOf(at.added).Convert(signed(of)).Interface())
		}
		if err != nil {
			return b, nil, fmt.Errorf("field %s of %s as hooks see it: %w", c.Field, m.table.Name, err)
		}
	}
	for edge, ends := range m.ends {
		b.Attach(edge, ends.added, ends.removed)
	}
	return b, given, nil
}

// signed is the type of what is added to a number of the type.
func signed(of reflect.Type) reflect.Type {
	if of.Kind() >= reflect.Uint && of.Kind() <= reflect.Uint64 {
		return reflect.TypeFor[int64]()
	}
	return of
}

// converted is a plain value in the type of the field.
func converted(of reflect.Type, value any) (any, error) {
	v := reflect.ValueOf(value)
	into := reflect.New(of)
	_, text := value.(string)
	switch raw, isJSON := value.(json.RawMessage); {
	case v.Type() == of:
		return value, nil
	case isJSON:
		if err := json.Unmarshal(raw, into.Interface()); err != nil {
			return nil, err
		}
		return into.Elem().Interface(), nil
	case v.CanConvert(of) && text == (of.Kind() == reflect.String):
		return v.Convert(of).Interface(), nil
	}
	if s, ok := reflect.TypeAssert[sql.Scanner](into); ok {
		err := s.Scan(value)
		return into.Elem().Interface(), err
	}
	return nil, fmt.Errorf("%T is no %s", value, of)
}

// take has the mutation be what hooks have made of Ent's.
func (m *Mutation) take(typed *Typed, b Begun, got ent.Mutation, given map[string]any) error {
	before := m.cells
	m.cells = make([]cell, len(before))
	for i, c := range m.table.Columns {
		if m.cells[i] = before[i]; typed.Types[c.Name] != nil {
			m.cells[i] = taken(got, c, before[i], given[c.Name])
		}
	}
	m.where = b.Where()
	if m.op.Is(ent.OpCreate) {
		m.id = idOf(got)
	}
	for _, edge := range got.AddedEdges() {
		if m.table.edges[edge] == "" && len(got.AddedIDs(edge)) != len(m.ends[edge].added) {
			return fmt.Errorf("a hook of %s has added to the edge %s: hooks change columns of the row, and other rows by the client of the mutation", m.table.Name, edge)
		}
	}
	for _, edge := range got.RemovedEdges() {
		if len(got.RemovedIDs(edge)) != len(m.ends[edge].removed) {
			return fmt.Errorf("a hook of %s has removed from the edge %s: hooks change columns of the row, and other rows by the client of the mutation", m.table.Name, edge)
		}
	}
	return nil
}

// idOf is the id that Ent's mutation of a new row has, zero where it has none: the type
// of what its method ID returns is the schema's.
func idOf(m ent.Mutation) gid.ID {
	method := reflect.ValueOf(m).MethodByName("ID")
	if !method.IsValid() {
		return gid.ID{}
	}
	out := method.Call(nil)
	if len(out) != 2 || !out[1].Bool() {
		return gid.ID{}
	}
	id, _ := gid.Of(Plain(out[0].Interface()))
	return id
}

// taken is the new value of a column after the mutation's hooks.
func taken(got ent.Mutation, c *Column, before cell, given any) cell {
	if value, set := got.Field(c.Name); set {
		if before.set && reflect.DeepEqual(value, given) {
			return before
		}
		return cell{value: Plain(value), set: true}
	}
	if added, is := got.AddedField(c.Name); is {
		return cell{added: Plain(added)}
	}
	switch {
	case got.FieldCleared(c.Name) && before.set:
		return before // to null
	case got.FieldCleared(c.Name):
		return cell{cleared: true}
	}
	return cell{}
}
