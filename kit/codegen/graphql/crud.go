package graphql

import (
	"slices"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// mutationsFile gathers the generated mutations of all entities.
var mutationsFile = template.Must(template.New("mutations").Parse(`{{ .Header }}

// Package crud holds the root mutations that are generated: plain creates,
// updates and deletes of entities. Each is one statement that carries the
// policy (a delete that takes other rows along is a transaction), and answers
// with the id of the row alone: package plan reads what the selection asks of
// it. What they share is in package door.
package crud

import (
	"{{ .Module }}/ent"
	"{{ .Kit }}/runtime/graph/door"
)

// Mutations resolves the root mutations of every entity.
type Mutations struct {
	*door.Door
	Client *ent.Client
}
`))

var resolversFile = template.Must(template.New("crud").Parse(`{{ .Header }}
{{ with .Entity }}{{ $e := . }}{{ $package := .Type.Package }}{{ $id := printf "typedid.%sID" .Name }}
package crud

import (
	"context"

	"{{ $.Module }}/ent"
	"{{ $.Module }}/ent/{{ $package }}"
	{{- if and .Versioned .Deletes }}
	"{{ $.Module }}/ent/predicate"
	{{- end }}
	"{{ $.Module }}/ent/typedid"
	"{{ $.Kit }}/runtime/graph/door"
	"{{ $.Module }}/gql/generated"
	"{{ $.Module }}/internal/entity"
	"{{ $.Kit }}/runtime/gid"
	{{- if .OfCurrency }}
	"{{ $.Kit }}/money"
	{{- end }}
	"{{ $.Kit }}/policy"
	{{- if .Parses }}
	"{{ $.Kit }}/runtime/reading"
	{{- end }}
)
{{ if .Creates }}
// Create{{ .Name }} creates {{ .One }}.
func (m *Mutations) Create{{ .Name }}(ctx context.Context, input generated.Create{{ .Name }}Input, idempotencyKey *string) (*generated.{{ .Name }}, error) {
	call := door.Call{Entity: entity.{{ .Name }}, Verb: policy.Create, Mutation: "create{{ .Name }}", Key: idempotencyKey, Arguments: []any{input}}
	id, err := m.Once(ctx, call, func(ctx context.Context) (int64, error) {
		create, form := m.Draft{{ .Name }}(input)
		if err := m.CheckCreate(ctx, entity.{{ .Name }}, form, create.Mutation()); err != nil {
			return 0, err
		}
		row, err := create.Save(ctx)
		if err != nil {
			return 0, door.Failed(entity.{{ .Name }}, err)
		}
		return int64(row.ID), nil
	})
	if err != nil {
		return nil, err
	}
	return &generated.{{ .Name }}{ID: gid.Encode("{{ .Name }}", id)}, nil
}

// Draft{{ .Name }} is {{ .One }} that the input describes, not made yet, and what
// could not be set of it.
func (m *Mutations) Draft{{ .Name }}(input generated.Create{{ .Name }}Input) (*ent.{{ .Name }}Create, *door.Form) {
	create := m.Client.{{ .Name }}.Create()
	return create, create{{ .Name }}(create.Mutation(), input{{ with .OfCurrency }}, func() string { return {{ if .Type.Default }}{{ $package }}.{{ .Type.DefaultName }}{{ else }}money.Default{{ end }} }{{ end }})
}

func create{{ .Name }}(m *ent.{{ .Type.MutationName }}, in generated.Create{{ .Name }}Input{{ with .OfCurrency }}, currency func() string{{ end }}) *door.Form {
	form := &door.Form{}
	{{- range .Settable }}{{ if .OnCreate }}
	{{ if .RequiredOnCreate }}{{ .Required }}{{ else }}{{ .Optional }}{{ end }}
	{{- end }}{{ end }}
	return form
}
{{ end }}{{ if .Updates }}
// Update{{ .Name }} changes {{ .One }}.
func (m *Mutations) Update{{ .Name }}(ctx context.Context, id string, input generated.Update{{ .Name }}Input{{ if .Versioned }}, expectedVersion *int{{ end }}) (*generated.{{ .Name }}, error) {
	key, err := door.Key(entity.{{ .Name }}, id)
	if err != nil {
		return nil, err
	}
	update := m.Client.{{ .Name }}.Update().Where({{ $package }}.ID({{ $id }}(key)))
	form := update{{ .Name }}(update.Mutation(), input{{ with .OfCurrency }}, func() string {
		code, err := m.Client.{{ $e.Name }}.Query().Where({{ $package }}.ID({{ $id }}(key))).Select({{ $package }}.{{ .Type.Constant }}).String(ctx)
		if err != nil {
			return money.Default // the update will not find the row either
		}
		return code
	}{{ end }})
	{{- with .OfCurrency }}{{ if .OnUpdate }}
	if code, ok := update.Mutation().{{ .Type.MutationGet }}(); ok {
		if old, err := m.Client.{{ $e.Name }}.Query().Where({{ $package }}.ID({{ $id }}(key))).Only(ctx); err == nil { // else the update will not find the row either
			{{- $currency := . }}
			{{- range $e.Settable }}{{ if and (eq .Kind "Money") (eq .Currency $currency.Name) .OnUpdate }}
			form.Rescale("{{ .Name }}", input.{{ .Input }}.IsSet(), {{ if not .Type.Nillable }}&{{ end }}old.{{ .Type.StructField }}, old.{{ $currency.Type.StructField }}, code, update.Mutation().{{ .Type.MutationSet }})
			{{- end }}{{ end }}
		}
	}
	{{- end }}{{ end }}
	if err := door.CheckUpdate(ctx, m.Door, entity.{{ .Name }}, form, {{ $id }}(key), update.Mutation()); err != nil {
		return nil, err
	}
	{{- if .Versioned }}
	if expectedVersion != nil {
		update.Where({{ $package }}.Version(int64(*expectedVersion)))
	}
	{{- end }}
	w := door.Write{Entity: entity.{{ .Name }}, ID: key, Verb: policy.Update{{ if .Versioned }}, Version: expectedVersion{{ end }}}
	err = m.Update(ctx, w, update.Mutation(), func(ctx context.Context) (int, error) { return update{{ if .Versioned }}.AddVersion(1){{ end }}.Save(ctx) })
	if err != nil {
		return nil, err
	}
	return &generated.{{ .Name }}{ID: gid.Encode("{{ .Name }}", key)}, nil
}

func update{{ .Name }}(m *ent.{{ .Type.MutationName }}, in generated.Update{{ .Name }}Input{{ with .OfCurrency }}, currency func() string{{ end }}) *door.Form {
	form := &door.Form{}
	{{- range .Settable }}{{ if .OnUpdate }}
	{{ .Optional }}
	{{- end }}{{ end }}
	return form
}
{{ end }}{{ if .Deletes }}
// Delete{{ .Name }} deletes {{ .One }}.
func (m *Mutations) Delete{{ .Name }}(ctx context.Context, id string{{ if .Versioned }}, expectedVersion *int{{ end }}{{ if .SoftDelete }}, hard *bool{{ end }}) ({{ if $.Nullable }}*{{ end }}bool, error) {
	key, err := door.Key(entity.{{ .Name }}, id)
	if err != nil {
		return {{ if $.Nullable }}nil{{ else }}false{{ end }}, err
	}
	{{- if .Versioned }}
	var expected []predicate.{{ .Name }}
	if expectedVersion != nil {
		expected = append(expected, {{ $package }}.Version(int64(*expectedVersion)))
	}
	{{- end }}
	w := door.Write{Entity: entity.{{ .Name }}, ID: key, Verb: policy.Delete{{ if .Versioned }}, Version: expectedVersion{{ end }}}
	{{- if .SoftDelete }}
	if hard != nil && *hard {
		w.Verb = policy.Remove
		err = m.Run(ctx, w, func(ctx context.Context) (int, error) {
			return m.Client.{{ .Name }}.Delete().Where({{ $package }}.ID({{ $id }}(key))){{ if .Versioned }}.Where(expected...){{ end }}.Exec(ctx)
		})
		return {{ if $.Nullable }}door.Deleted(err){{ else }}err == nil, err{{ end }}
	}
	{{- end }}
	err = m.Run(ctx, w, func(ctx context.Context) ({{ if .DeletedWith }}n int, err error{{ else }}int, error{{ end }}) {
		{{- if .DeletedWith }}
		err = m.DB.InTx(ctx, func(ctx context.Context) error {
			n, err = m.Client.{{ .Name }}.Hide(ctx, {{ $id }}(key), door.Now(){{ if .Versioned }}, expected...{{ end }})
			return err
		})
		return n, err
		{{- else if .SoftDelete }}
		return m.Client.{{ .Name }}.Hide(ctx, {{ $id }}(key), door.Now(){{ if .Versioned }}, expected...{{ end }})
		{{- else }}
		return m.Client.{{ .Name }}.Delete().Where({{ $package }}.ID({{ $id }}(key))){{ if .Versioned }}.Where(expected...){{ end }}.Exec(ctx)
		{{- end }}
	})
	return {{ if $.Nullable }}door.Deleted(err){{ else }}err == nil, err{{ end }}
}
{{ end }}{{ end }}`))

// resolved is an entity as the template of its resolvers reads it.
type resolved struct{ *model.Entity }

// One is the entity in running text: "a cart item".
func (e resolved) One() string { return naming.An(e.Singular) }

// Parses reports whether an input holds texts that stand for something else.
func (e resolved) Parses() bool {
	return slices.ContainsFunc(e.Fields, func(f *model.Field) bool { return f.OnCreate() && (f.Kind == "UUID" || f.Kind == "Bytes") })
}

// Creates reports whether the entity's create is generated.
func (e resolved) Creates() bool { return e.Has(expose.Create) }

// Updates reports whether the entity's update is generated.
func (e resolved) Updates() bool { return e.Has(expose.Patch) }

// Deletes reports whether the entity's delete is generated.
func (e resolved) Deletes() bool { return e.Has(expose.Delete) }

// writeResolvers writes gql/crud.
func (g *Schema) writeResolvers(folder *source.Folder) error {
	if err := folder.WriteGo("crud.go", mutationsFile, nil); err != nil {
		return err
	}
	for _, shown := range g.model.Entities {
		e := resolved{shown}
		if !e.Creates() && !e.Updates() && !e.Deletes() {
			continue
		}
		hand := g.byHand("Mutation", "delete"+e.Name)
		if err := folder.WriteGo(naming.Snake(e.Name)+".go", resolversFile, source.Data{
			"Entity": e, "Nullable": hand == nil || !hand.Type.NonNull,
		}); err != nil {
			return err
		}
	}
	return folder.RemoveOthers("*")
}
