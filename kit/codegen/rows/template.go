package rows

import (
	"text/template"
)

// entityFile describes how an entity is written.
var entityFile = template.Must(template.New("rows").Funcs(functions).Parse(`{{ .Header }}

package rows
{{ with .E }}{{ $e := . }}{{ $package := .Type.Package }}{{ $id := .Type.ID.Type }}
// {{ .Name }} describes how {{ words .Path }} are written.
var {{ .Name }} = &writing.Entity{
	Entity: entity.{{ .Name }}, Versioned: {{ .Versioned }}, SoftDelete: {{ .SoftDelete }}, Cascades: {{ .Cascades }}, Unhooked: {{ .Unhooked }},
	Fields: []*writing.Field{
		{{- range .Inputs }}
		{Field: entity.{{ $e.Name }}Fields.{{ .Type.StructField }}
			{{- if .OnCreate }}, OnCreate: true{{ end }}
			{{- if .OnUpdate }}, OnUpdate: true{{ end }}
			{{- if .Demanded }}, Required: true{{ end }}
			{{- with .Writers }}, Writers: {{ . }}{{ end }}
			{{- if .Caller }}, Caller: true{{ end }}
			{{- if .Kept }}, Kept: true{{ end }}
			{{- if .Secret }}, Secret: true{{ end }}
			{{- with .Standard }}, Default: func() any { return writing.Plain({{ . }}) }{{ end }}
			{{- with .Check }}, Check: {{ . }}{{ end }}
			{{- with .Stored }}, Stored: {{ . }}{{ end }}
			{{- with .Decode }}, Decode: {{ . }}{{ end }}
			{{- with .Refers }}, Refers: entity.{{ .To.Name }}{{ if .To.KeyField }}, Key: "{{ .Name }}"{{ end }}{{ end }}},
		{{- end }}
	},
	{{- with .Follows }}
	Follows: []writing.Follow{
		{{- range . }}
		{Column: "{{ .Column }}", Of: "{{ .Of }}", As: "{{ .As }}"},
		{{- end }}
	},
	{{- end }}
	{{- if .Defaults }}
	Defaults: []writing.Column{
		{{- range .Defaults }}
		{Name: "{{ .StorageKey }}", Default: func() any { return writing.Plain({{ $package }}.{{ .DefaultName }}{{ if .DefaultFunc }}(){{ end }}) }},
		{{- end }}
	},
	{{- end }}
	Create: func(c writing.Client) writing.Insert {
		b := c.(*ent.Client).{{ .Name }}.Create()
		return writing.Insert{Mutation: b.Mutation(), Builder: b}
	},
	Insert: func(ctx context.Context, c writing.Client, all ...writing.Insert) ([]writing.Row, error) {
		return insert(ctx, all, c.(*ent.Client).{{ .Name }}.CreateBulk, func(row *ent.{{ .Name }}) writing.Row {
			return writing.Row{ID: int64(row.ID), Made: true{{ with .KeyField }}, Key: row.{{ .Type.StructField }}{{ end }}}
		})
	},
	Update: func(c writing.Client) writing.Update {
		b := c.(*ent.Client).{{ .Name }}.Update()
		return writing.Update{Mutation: b.Mutation(), Run: b.Save, Modify: func(m ...func(*sql.UpdateBuilder)) { b.Modify(m...) }}
	},
	Remove: func(ctx context.Context, c writing.Client, id int64, where ...func(*sql.Selector)) (int, error) {
		d := c.(*ent.Client).{{ .Name }}.Delete().Where(conditions[predicate.{{ .Name }}](where)...)
		if id != 0 {
			d.Where({{ $package }}.ID({{ $id }}(id)))
		}
		return d.Exec(ctx)
	},
	{{- if .SoftDelete }}
	Hide: func(ctx context.Context, c writing.Client, id int64, where ...func(*sql.Selector)) (int, error) {
		return c.(*ent.Client).{{ .Name }}.Hide(ctx, {{ $id }}(id), store.Time(time.Now()), conditions[predicate.{{ .Name }}](where)...)
	},
	Restore: func(ctx context.Context, c writing.Client, id int64, where ...func(*sql.Selector)) (int, error) {
		return c.(*ent.Client).{{ .Name }}.Restore(ctx, {{ $id }}(id), conditions[predicate.{{ .Name }}](where)...)
	},
	{{- end }}
	Get: func(ctx context.Context, c writing.Client, where ...func(*sql.Selector)) (func(string) any, error) {
		row, err := c.(*ent.Client).{{ .Name }}.Query().Where(conditions[predicate.{{ .Name }}](where)...).Only(ctx)
		if err != nil {
			return nil, err
		}
		return func(field string) any {
			switch field {
			{{- range .Inputs }}
			case "{{ .Name }}":
				return {{ .Current "row" }}
			{{- end }}
			}
			return nil
		}, nil
	},
	{{- with .Attached }}
	Edges: []*writing.Edge{
		{{- range . }}
		writing.Attached(entity.{{ $e.Name }}.Edge("{{ .Name }}"), "{{ .IDs }}", "{{ .GraphQLIDs }}"),
		{{- end }}
	},
	{{- end }}
	{{- with .MarkList }}
	Marks: []*writing.Mark{
		{{- range . }}
		{
			Mark: marks(schema.{{ $e.Name }}{}, "{{ .Verb }}"), Of: {{ .Of.Name }}, Count: entity.{{ $e.Name }}Fields.{{ .Count.Type.StructField }},
			To: {{ .Of.Name }}.Field("{{ .To.Name }}"), By: {{ .Of.Name }}.Field("{{ .By.Name }}"),
		},
		{{- end }}
	},
	{{- end }}
	{{- if .Acts }}
	Actions: {{ camel .Name }}Actions(),
	{{- end }}
	{{- if .Links }}
	Links: resource(schema.{{ $e.Name }}{}).Links,
	{{- end }}
	{{- if .Upsert }}
	Upsert: resource(schema.{{ $e.Name }}{}).Upsert,
	{{- end }}
	{{- with .Makes }}
	Making: func(ctx context.Context, methods any, in writing.Values) (writing.Result, error) {
		return methods.(*Methods).{{ $e.Name }}.Create(ctx, in)
	},
	{{- end }}
	{{- with .Beside "create" }}
	CreateBeside: writing.Inputs(beside(schema.{{ $e.Name }}{}, "create"), []*writing.Field{
		{{- range . }}
		{{ .Described }},
		{{- end }}
	}),
	{{- end }}
	{{- with .Beside "patch" }}
	UpdateBeside: writing.Inputs(beside(schema.{{ $e.Name }}{}, "patch"), []*writing.Field{
		{{- range . }}
		{{ .Described }},
		{{- end }}
	}),
	{{- end }}
}
{{ if .Moving }}
func init() { {{ .Name }}.State = writing.Stateful(schema.{{ .Name }}{}, entity.{{ .Name }}) }
{{ end }}{{ end }}`))

// indexFile gathers the descriptions.
var indexFile = template.Must(template.New("index").Parse(`{{ .Header }}

// Package rows describes to package writing how each exposed entity is written:
// what inputs can do with its fields, and Ent's mutations.
package rows

import (
	"context"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"

	"{{ .Module }}/ent/orm"
	"{{ .Kit }}/expose"
	"{{ .Kit }}/runtime/reading"
	"{{ .Kit }}/runtime/store"
	"{{ .Kit }}/runtime/writing"
)

// All lists the exposed entities.
var All = []*writing.Entity{
	{{- range .Entities }}
	{{ .Name }},
	{{- end }}
}

// Engine returns an engine that writes all of them.
func Engine(db *store.DB) *writing.Engine {
	return &writing.Engine{
		DB: db, Client: orm.Client(db), Entities: All,
		Reader: &reading.Reader{DB: db, Dialect: db.Dialect},
	}
}

// resource is what the schema says of how it is exposed.
func resource(s ent.Interface) expose.Resource {
	r, _ := expose.ResourceOf(s)
	return r
}

// marks is what the schema says of a mark.
func marks(s ent.Interface, verb string) expose.Mark {
	r := resource(s)
	return r.Marks[slices.IndexFunc(r.Marks, func(m expose.Mark) bool { return m.Verb == verb })]
}

// beside are the inputs of an operation that are no fields of the entity.
func beside(s ent.Interface, operation expose.Operation) []ent.Field {
	r := resource(s)
	return r.Beside[slices.IndexFunc(r.Beside, func(b expose.Beside) bool { return slices.Contains(b.On, operation) })].Input
}

// conditions are conditions of ours in Ent's type.
func conditions[P ~func(*sql.Selector)](where []func(*sql.Selector)) []P {
	all := make([]P, len(where))
	for i, w := range where {
		all[i] = w
	}
	return all
}

// insert makes rows in one statement.
func insert[B interface {
	Save(ctx context.Context) (R, error)
}, R any, M interface {
	Save(ctx context.Context) ([]R, error)
}](ctx context.Context, all []writing.Insert, bulk func(...B) M, made func(R) writing.Row) ([]writing.Row, error) {
	if len(all) == 1 {
		row, err := all[0].Builder.(B).Save(ctx)
		if err != nil {
			return nil, err
		}
		return []writing.Row{made(row)}, nil
	}
	builders := make([]B, len(all))
	for i, one := range all {
		builders[i] = one.Builder.(B)
	}
	saved, err := bulk(builders...).Save(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]writing.Row, len(saved))
	for i, row := range saved {
		rows[i] = made(row)
	}
	return rows, nil
}
`))
