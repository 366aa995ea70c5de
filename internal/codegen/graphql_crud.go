package main

import (
	"fmt"
	"path/filepath"
	"text/template"

	"github.com/entwine-go/entwine/internal/expose"
)

var crudFile = template.Must(template.New("crud").Parse(`{{ .Header }}

package crud

import (
	"context"

	"{{ .Module }}/ent"
	"{{ .Module }}/ent/{{ .Entity.Type.Package }}"
	{{- if and .Entity.Versioned .Entity.Deletes }}
	"{{ .Module }}/ent/predicate"
	{{- end }}
	"{{ .Module }}/ent/typedid"
	"{{ .Module }}/gql/generated"
	"{{ .Module }}/internal/entity"
	"{{ .Module }}/internal/gid"
	{{- if .Entity.OfCurrency }}
	"{{ .Module }}/internal/money"
	{{- end }}
	"{{ .Module }}/internal/policy"
	"{{ .Module }}/internal/problem"
)
{{ with .Entity }}{{ $e := . }}{{ $id := printf "typedid.%sID" .Name }}
{{- if .Creates }}
// Create{{ .Name }} creates {{ $.One }}.
func (m *Mutations) Create{{ .Name }}(ctx context.Context, input generated.Create{{ .Name }}Input) (*generated.{{ .Name }}, error) {
	create := m.Client.{{ .Name }}.Create()
	bad := setCreate{{ .Name }}(create.Mutation(), input{{ with .OfCurrency }}, func() string { return {{ if .Type.Default }}{{ $e.Type.Package }}.{{ .Type.DefaultName }}{{ else }}money.Default{{ end }} }{{ end }})
	if err := checkCreate(ctx, m.Reader, entity.{{ .Name }}, create.Mutation(), bad{{ .Refs true }}); err != nil {
		return nil, err
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, failed(entity.{{ .Name }}, err)
	}
	return &generated.{{ .Name }}{ID: gid.Encode("{{ .Name }}", int64(row.ID))}, nil
}

func setCreate{{ .Name }}(m *ent.{{ .Type.MutationName }}, in generated.Create{{ .Name }}Input{{ with .OfCurrency }}, currency func() string{{ end }}) (bad []problem.Detail) {
	{{- range .Settable }}{{ if .OnCreate }}
	{{ if .RequiredOnCreate }}{{ .Required }}{{ else }}{{ .Optional }}{{ end }}
	{{- end }}{{ end }}
	return bad
}
{{ end }}
{{- if .Updates }}
// Update{{ .Name }} changes {{ $.One }}.
func (m *Mutations) Update{{ .Name }}(ctx context.Context, id string, input generated.Update{{ .Name }}Input{{ if .Versioned }}, expectedVersion *int{{ end }}) (*generated.{{ .Name }}, error) {
	key, err := key(entity.{{ .Name }}, id)
	if err != nil {
		return nil, err
	}
	update := m.Client.{{ .Name }}.Update().Where({{ .Type.Package }}.ID({{ $id }}(key)))
	bad := setUpdate{{ .Name }}(update.Mutation(), input{{ with .OfCurrency }}, func() string {
		code, err := m.Client.{{ $e.Name }}.Query().Where({{ $e.Type.Package }}.ID({{ $id }}(key))).Select({{ $e.Type.Package }}.{{ .Type.Constant }}).String(ctx)
		if err != nil {
			return money.Default // the update will not find the row either
		}
		return code
	}{{ end }})
	if err := checkUpdate(ctx, m.Reader, entity.{{ .Name }}, update.Mutation(), {{ $id }}(key), bad{{ .Refs false }}); err != nil {
		return nil, err
	}
	w := write{entity: entity.{{ .Name }}, id: key, verb: policy.Update{{ if .Versioned }}, version: expectedVersion{{ end }}}
	if empty(update.Mutation()) {
		err = m.touch(ctx, w)
	} else {
		{{- if .Versioned }}
		if expectedVersion != nil {
			update.Where({{ .Type.Package }}.Version(int64(*expectedVersion)))
		}
		w.rows, err = update.AddVersion(1).Save(ctx)
		{{- else }}
		w.rows, err = update.Save(ctx)
		{{- end }}
		err = m.outcome(ctx, w, err)
	}
	if err != nil {
		return nil, err
	}
	return &generated.{{ .Name }}{ID: gid.Encode("{{ .Name }}", key)}, nil
}

func setUpdate{{ .Name }}(m *ent.{{ .Type.MutationName }}, in generated.Update{{ .Name }}Input{{ with .OfCurrency }}, currency func() string{{ end }}) (bad []problem.Detail) {
	{{- range .Settable }}{{ if .OnUpdate }}
	{{ .Optional }}
	{{- end }}{{ end }}
	return bad
}
{{ end }}
{{- if .Deletes }}
// Delete{{ .Name }} deletes {{ $.One }}.
func (m *Mutations) Delete{{ .Name }}(ctx context.Context, id string{{ if .Versioned }}, expectedVersion *int{{ end }}) ({{ if not $.Nullable }}bool{{ else }}*bool{{ end }}, error) {
	key, err := key(entity.{{ .Name }}, id)
	if err != nil {
		return {{ if $.Nullable }}nil{{ else }}false{{ end }}, err
	}
	w := write{entity: entity.{{ .Name }}, id: key, verb: policy.Delete{{ if .Versioned }}, version: expectedVersion{{ end }}}
	{{- if .Versioned }}
	var expected []predicate.{{ .Name }}
	if expectedVersion != nil {
		expected = append(expected, {{ .Type.Package }}.Version(int64(*expectedVersion)))
	}
	{{- end }}
	{{- if .DeletedWith }}
	err = m.DB.InTx(ctx, func(ctx context.Context) (err error) {
		w.rows, err = m.Client.{{ .Name }}.Hide(ctx, {{ $id }}(key), now(){{ if .Versioned }}, expected...{{ end }})
		return err
	})
	{{- else if .SoftDelete }}
	w.rows, err = m.Client.{{ .Name }}.Hide(ctx, {{ $id }}(key), now(){{ if .Versioned }}, expected...{{ end }})
	{{- else }}
	w.rows, err = m.Client.{{ .Name }}.Delete().Where({{ .Type.Package }}.ID({{ $id }}(key))).{{ if .Versioned }}Where(expected...).{{ end }}Exec(ctx)
	{{- end }}
	return {{ if $.Nullable }}deleted({{ else }}true, {{ end }}m.outcome(ctx, w, err){{ if $.Nullable }}){{ end }}
}
{{ end }}
{{- end }}`))

// crudBase is what the resolvers of all entities share.
var crudBase = template.Must(template.New("crud base").Parse(`{{ .Header }}

// Package crud holds the root mutations that are generated: plain creates,
// updates and deletes of entities. Each is one statement that carries the
// policy (a delete that takes other rows along is a transaction), and answers
// with the id of the row alone: package gql reads what the selection asks of it. Bad input is reported all at once, by the names
// that the input has.
package crud

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"time"

	entgo "entgo.io/ent"
	"github.com/99designs/gqlgen/graphql"

	"{{ .Module }}/ent"
	"{{ .Module }}/internal/gid"
	"{{ .Module }}/internal/listing"
	"{{ .Module }}/internal/money"
	"{{ .Module }}/internal/policy"
	"{{ .Module }}/internal/problem"
	"{{ .Module }}/internal/store"
	"{{ .Module }}/internal/viewer"
)

// Mutations resolves the root mutations of every entity.
type Mutations struct {
	DB     *store.DB
	Client *ent.Client
	Reader *listing.Reader
}

// mutation is what Ent's mutations have in common.
type mutation interface {
	entgo.Mutation
	Invalid() []problem.Detail
}

// checkCreate refuses a create that the caller may not do or whose input is bad.
func checkCreate(ctx context.Context, r *listing.Reader, e *listing.Entity, m interface {
	mutation
	GuardCreate(context.Context) error
}, bad []problem.Detail, refs ...reference) error {
	if err := e.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return err
	}
	if err := m.GuardCreate(ctx); err != nil {
		return err
	}
	return inputs(ctx, r, e, m, bad, refs)
}

// checkUpdate refuses an update that the caller may not do or whose input is bad.
func checkUpdate[ID any](ctx context.Context, r *listing.Reader, e *listing.Entity, m interface {
	mutation
	GuardUpdate(context.Context, ID) error
}, id ID, bad []problem.Detail, refs ...reference) error {
	if err := e.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return err
	}
	if err := m.GuardUpdate(ctx, id); err != nil {
		return err
	}
	return inputs(ctx, r, e, m, bad, refs)
}

// reference is a field that names a row of another entity.
type reference struct {
	field string
	to    *listing.Entity
}

// inputs is the error for all that is wrong with the input. What could not
// even be set is reported once, and rows that are named must be there.
func inputs(ctx context.Context, r *listing.Reader, e *listing.Entity, m mutation, bad []problem.Detail, refs []reference) error {
	seen := map[string]bool{}
	for _, d := range bad {
		seen[d.Field] = true
	}
	for _, d := range m.Invalid() {
		if !seen[d.Field] {
			bad = append(bad, d)
		}
	}
	for _, ref := range refs {
		id := named(m, ref.field)
		if id == 0 || ref.to.Name == "User" && id == viewer.From(ctx).UserID {
			continue
		}
		readable, err := r.Readable(ctx, ref.to, id)
		if err != nil {
			return err
		}
		if !readable {
			bad = append(bad, problem.Rulef(ref.field, gid.Encode(ref.to.Name, id), "names no %s", ref.to.Singular))
		}
	}
	return inInput(e, problem.Inputs(bad...))
}

// named is the id that a field is set to, 0 if it is not.
func named(m mutation, field string) int64 {
	value, ok := m.Field(field)
	if v := reflect.ValueOf(value); ok && v.CanInt() {
		return v.Int()
	}
	return 0
}

// failed is what a client is told of a write that failed.
func failed(e *listing.Entity, err error) error { return inInput(e, store.Problem(err)) }

// inInput gives the details of a problem the names that their fields have in the input.
func inInput(e *listing.Entity, err error) error {
	p := problem.As(err)
	if p == nil || len(p.Details) == 0 {
		return err
	}
	renamed := *p
	renamed.Details = make([]problem.Detail, len(p.Details))
	for i, d := range p.Details {
		if f := e.Field(strings.TrimSuffix(d.Field, "_fold")); f != nil {
			d.Field = "input." + f.GraphQL[0]
		}
		renamed.Details[i] = d
	}
	return &renamed
}

// key is the id that a mutation names.
func key(e *listing.Entity, id string) (int64, error) {
	n, err := gid.Parse(e.Name, id)
	if err != nil {
		return 0, problem.Inputs(problem.Invalidf("id", id, "%v", err))
	}
	return n, nil
}

// write is an update or a delete of a row.
type write struct {
	entity  *listing.Entity
	id      int64
	verb    string
	version *int
	rows    int
}

// outcome is nil if the row was written, and otherwise says why it was not.
func (m *Mutations) outcome(ctx context.Context, w write, err error) error {
	if err != nil {
		return failed(w.entity, err)
	}
	if w.rows > 0 {
		return nil
	}
	if err := m.current(ctx, w); err != nil {
		return err
	}
	return m.Reader.Why(ctx, w.entity, w.id, w.verb)
}

// touch answers an update that changes nothing: as one that does would be.
func (m *Mutations) touch(ctx context.Context, w write) error {
	if err := m.current(ctx, w); err != nil {
		return err
	}
	may, err := m.Reader.May(ctx, w.entity, w.id, w.verb)
	if err != nil || may {
		return err
	}
	return m.Reader.Why(ctx, w.entity, w.id, w.verb)
}

// current refuses a write of a row that has another version than is expected.
func (m *Mutations) current(ctx context.Context, w write) error {
	if w.version == nil {
		return nil
	}
	other := listing.And{
		listing.ByID(w.entity, w.id),
		listing.Cond{Field: w.entity.Field("version"), Op: listing.NEQ, Value: int64(*w.version)},
	}
	stale, err := m.Reader.Exists(ctx, w.entity, other)
	if err != nil || !stale {
		return err
	}
	return problem.New(problem.PreconditionFailed, "the %s has another version by now", w.entity.Singular)
}

// empty reports whether nothing is to be changed.
func empty(m entgo.Mutation) bool { return len(m.Fields()) == 0 && len(m.ClearedFields()) == 0 }

// set applies an input that may be absent. Null clears, where there is
// something that clears.
func set[T any](bad *[]problem.Detail, name string, input graphql.Omittable[*T], to func(T), clear func()) {
	switch value, given := input.ValueOK(); {
	case !given:
	case value != nil:
		to(*value)
	case clear != nil:
		clear()
	default:
		*bad = append(*bad, null(name))
	}
}

// setList applies a list that may be absent.
func setList[T any](bad *[]problem.Detail, name string, input graphql.Omittable[[]T], to func([]T), clear func()) {
	value, given := input.ValueOK()
	switch {
	case !given:
	case value != nil:
		to(value)
	case clear != nil:
		clear()
	default:
		*bad = append(*bad, null(name))
	}
}

func null(name string) problem.Detail { return problem.Invalidf(name, nil, "cannot be null") }

// ref applies a foreign key: the id of a row of the type.
func ref(bad *[]problem.Detail, name, typ, id string, to func(int64)) {
	n, err := gid.Parse(typ, id)
	if err != nil {
		*bad = append(*bad, problem.Invalidf(name, id, "%v", err))
		return
	}
	to(n)
}

// amount applies an amount of money, a decimal number of the currency.
func amount(bad *[]problem.Detail, name string, number float64, currency string, to func(int64)) {
	minor, err := money.Parse(strconv.FormatFloat(number, 'f', -1, 64), currency)
	if err != nil {
		*bad = append(*bad, problem.Rulef(name, number, "%v", err))
		return
	}
	to(minor)
}

// chosen is the value that a mutation sets, or else another.
func chosen(get func() (string, bool), other func() string) string {
	if value, ok := get(); ok {
		return value
	}
	return other()
}

func deleted(err error) (*bool, error) {
	if err != nil {
		return nil, err
	}
	done := true
	return &done, nil
}

func now() time.Time { return store.Time(time.Now()) }
`))

// Creates, Updates and Deletes report which mutations are generated.
func (e *Entity) Creates() bool { return e.Has(expose.Create) }

// Updates reports whether the entity's update is generated.
func (e *Entity) Updates() bool { return e.Has(expose.Patch) }

// Deletes reports whether the entity's delete is generated.
func (e *Entity) Deletes() bool { return e.Has(expose.Delete) }

// Refs are the fields by which a create or an update names rows of other
// entities, as further arguments of its check.
func (e *Entity) Refs(creates bool) string {
	var refs string
	for _, edge := range e.Edges {
		f := edge.Type.Field()
		if f == nil || e.Field(f.Name) == nil {
			continue
		}
		if shown := e.Field(f.Name); creates && shown.OnCreate() || !creates && shown.OnUpdate() {
			refs += fmt.Sprintf(", reference{%q, entity.%s}", f.Name, edge.To.Name)
		}
	}
	return refs
}

// writeResolvers writes gql/crud.
func (g *graphqlSchema) writeResolvers(dir string) error {
	kept := map[string]bool{"crud.go": true}
	if err := writeGo(filepath.Join(dir, "crud.go"), crudBase, map[string]any{"Header": header, "Module": module}); err != nil {
		return err
	}
	for _, e := range g.model.Entities {
		if !e.Creates() && !e.Updates() && !e.Deletes() {
			continue
		}
		hand := g.byHand("Mutation", "delete"+e.Name)
		name := snake(e.Name) + ".go"
		kept[name] = true
		if err := writeGo(filepath.Join(dir, name), crudFile, map[string]any{
			"Header": header, "Module": module, "Entity": e, "One": e.one(),
			"Nullable": hand == nil || !hand.Type.NonNull,
		}); err != nil {
			return err
		}
	}
	return removeOthers(dir, kept)
}
