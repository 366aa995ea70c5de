package handlers

import (
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// funcs are what the templates call beside methods.
var funcs = template.FuncMap{
	"parent": parentID, "an": naming.An, "words": naming.Words, "camel": naming.Camel, "upper": strings.ToUpper,
}

// entityFile is the handlers of an entity.
var entityFile = template.Must(template.New("crud").Funcs(funcs).Parse(`{{ .Header }}

package crud
{{ with .E }}{{ $e := . }}{{ $resource := .Resource }}{{ $package := .Type.Package }}
// {{ .Group }} serves {{ words .Path }}.
type {{ .Group }} struct {
	Door   *door.Door
	Client *ent.Client
}
{{ if .Ruled }}

// {{ camel .Singular }}Fields say what a client may do with each field.
var {{ camel .Singular }}Fields = struct {
	{{ range .Ruled }}{{ .Type.StructField }}, {{ end }}_ body.Field
}{
	{{- range .Ruled }}
	{{ .Type.StructField }}: body.Field{Field: entity.{{ $e.Name }}Fields.{{ .Type.StructField }}
		{{- if .Demanded }}, Required: true{{ end }}
		{{- with .Writers }}, Writers: {{ . }}{{ end }}
		{{- if .Kept }}, Kept: true{{ end }}
		{{- if .Secret }}, Secret: true{{ end }}},
	{{- end }}
}
{{- end }}
{{- if .KeyField }}

// {{ camel .Singular }}ID returns the id of the {{ words .Singular }} with the {{ .KeyField.REST }}, if the viewer can read it.
func {{ camel .Singular }}ID(ctx context.Context, client *ent.Client, key string) ({{ .Type.ID.Type }}, error) {
	id, err := client.{{ .Name }}.Query().Where({{ $package }}.{{ .KeyField.Type.StructField }}(key)).OnlyID(ctx)
	if ent.IsNotFound(err) {
		return 0, reading.NotFound(entity.{{ .Name }})
	}
	return id, err
}
{{- end }}
{{ range .Writes }}
// {{ .Handler }} {{ template "doc" . }}: {{ upper .Method }} {{ .Path }}.
func (h {{ $e.Group }}) {{ .Handler }}(ctx context.Context{{ if .Body }}, req *server.{{ .InputType }}{{ end }}{{ if .ID1 }}, params server.{{ .Handler }}Params{{ end }}, w http.ResponseWriter) error {
	{{- if and .Nested .Parent.KeyField }}
	parent, err := {{ camel .Parent.Singular }}ID(ctx, h.Client, {{ .Param1 }})
	if err != nil {
		return err
	}
	{{- else if and .Nested (ne .Op "create") }}
	if err := h.Door.Parent(ctx, entity.{{ .Parent.Name }}, {{ .Param1 }}); err != nil {
		return err
	}
	{{- else if and .ID1 .Write $e.KeyField }}
	id, err := {{ camel $e.Singular }}ID(ctx, h.Client, {{ .Param1 }})
	if err != nil {
		return err
	}
	{{- end }}
	{{- if eq .Op "create" }}
	return h.Door.Create{{ if and .Nested (not .Parent.KeyField) }}Below(ctx, w, {{ $resource }}, door.Parent{Entity: entity.{{ .Parent.Name }}, ID: {{ .Param1 }}}, {{ else }}(ctx, w, {{ $resource }}, {{ end }}func(ctx context.Context) (door.Row, error) { return h.Insert(ctx, req{{ with $e.Fixed . }}, {{ . }}{{ end }}) })
	{{- else if eq .Op "delete" }}
	{{- if not $e.KeyField }}
	id := {{ $e.Type.ID.Type }}({{ .Param1 }})
	{{- end }}
	return h.Door.Delete(ctx, w, {{ $resource }}, {{ .RowID }}, door.Deletion{
		{{- if $e.SoftDelete }}
		Hide: func(ctx context.Context) (int, error) { return h.Client.{{ $e.Name }}.Hide(ctx, id, door.Now()) },
		{{- end }}
		Remove: func(ctx context.Context) (int, error) {
			return h.Client.{{ $e.Name }}.Delete().Where({{ $package }}.ID(id)).Exec(ctx)
		},
	})
	{{- else if .Single }}
	return h.Door.Put(ctx, w, {{ $resource }}, {{ .Scope }}, func(ctx context.Context) (bool, error) {
		return h.put(ctx, {{ .Form }}, req, {{ .ParentID }})
	})
	{{- else }}
	return h.Door.Update(ctx, w, {{ $resource }}, {{ .RowID }}, func(ctx context.Context) error {
		return h.Update(ctx, {{ .Form }}, req, {{ .RowID }})
	})
	{{- end }}
}
{{ end }}
{{- if .Inserts }}{{ template "insert" . }}{{ end }}
{{- if .Updates }}{{ template "update" . }}{{ end }}
{{- end }}
{{ define "doc" -}}
{{- $one := an .Entity.Singular -}}
{{- if eq .Op "create" }}makes {{ $one }}{{ if .Nested }} of {{ an .Parent.Singular }}{{ end }}
{{- else if eq .Op "replace" }}replaces {{ $one }}{{ if .Nested }} of {{ an .Parent.Singular }}{{ end }}
{{- else if eq .Op "patch" }}changes what the body names of {{ $one }}{{ if .Nested }} of {{ an .Parent.Singular }}{{ end }}
{{- else }}deletes {{ $one }}{{ end }}
{{- end }}
{{ define "insert" }}{{ $e := . }}
// Draft is the {{ words .Singular }} that the body describes, not made yet, and what is wrong with it.{{ if .Parents }} An id that is not 0 is the path's.{{ end }}
func (h {{ .Group }}) Draft(ctx context.Context, req *server.{{ .Name }}Create{{ range .Parents }}, {{ parent . }} int64{{ end }}) (*ent.{{ .Name }}Create, *body.Form) {
	f := body.New(ctx)
	row := h.Client.{{ .Name }}.Create()
	{{- with .CreateCurrency }}
	currency := body.Currency(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ .Standard }}, {{ .Check }})
	{{- end }}
	{{- range .CreateInputs }}
	{{- if .Caller }}
	if v, ok := body.Owner(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ if $e.FromPath . }}{{ parent .Type }}{{ else }}0{{ end }}, entity.User); ok {
		row.{{ .Type.MutationSet }}({{ .Stored "v" }})
	}
	{{- else if $e.FromPath . }}
	if {{ parent .Type }} != 0 {
		row.{{ .Type.MutationSet }}({{ .Stored (printf "body.Fixed(f, &%s, %s, %s)" .Rule (.Sent "req") (parent .Type)) }})
	} else if v, ok := body.Given(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ .Check }}); ok {
		{{- if .Refers }}
		f.Refers(&{{ .Rule }}, entity.{{ .Refers.Name }}, v)
		{{- end }}
		row.{{ .Type.MutationSet }}({{ .Stored "v" }})
	}
	{{- else }}
	if v, ok := body.Given{{ if and .Writers .Standard }}Or{{ end }}(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ if and .Writers .Standard }}{{ .Standard }}, {{ end }}{{ .Check }}); ok {
		{{- if .Refers }}
		f.Refers(&{{ .Rule }}, entity.{{ .Refers.Name }}, v)
		{{- end }}
		row.{{ .Type.MutationSet }}({{ .Stored "v" }})
	}
	{{- end }}
	{{- end }}
	return row, f
}

// Insert makes the {{ words .Singular }} that the body describes, in the context's transaction.{{ if .Parents }} An id that is not 0 is the path's.{{ end }}
func (h {{ .Group }}) Insert(ctx context.Context, req *server.{{ .Name }}Create{{ range .Parents }}, {{ parent . }} int64{{ end }}) (door.Row, error) {
	row, f := h.Draft(ctx, req{{ range .Parents }}, {{ parent . }}{{ end }})
	if err := f.Err(ctx, h.Door.Reader); err != nil {
		return door.Row{}, err
	}
	made, err := row.Save(ctx)
	if err != nil {
		return door.Row{}, err
	}
	return door.Row{ID: int64(made.ID){{ with .KeyField }}, Key: made.{{ .Type.StructField }}{{ end }}}, nil
}
{{ end }}
{{ define "update" }}{{ $e := . }}{{ $package := .Type.Package }}
{{ if .Under }}
// put changes the {{ words .Singular }}, and makes it where there is none.
func (h {{ .Group }}) put(ctx context.Context, f *body.Form, req *server.{{ .Name }}Update, parent int64) (created bool, err error) {
	{{- $key := .ParentColumn }}
	old, err := h.Client.{{ .Name }}.Query().Where({{ $package }}.{{ $key.StructField }}({{ $key.Type }}(parent))).Only(ctx)
	if ent.IsNotFound(err) {
		return true, h.begin(ctx, f, req, parent)
	}
	if err != nil {
		return false, err
	}
	return false, h.change(ctx, f, req, old)
}

// begin makes the {{ words .Singular }} as the body says.
func (h {{ .Group }}) begin(ctx context.Context, f *body.Form, req *server.{{ .Name }}Update, parent int64) error {
	row := h.Client.{{ .Name }}.Create().{{ $key.MutationSet }}({{ $key.Type }}(parent))
	{{- with .BeginCurrency }}
	currency := body.Currency(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ with .Standard }}{{ . }}{{ else }}""{{ end }}, {{ .Check }})
	{{- end }}
	{{- range .BeginInputs }}
	{{- if .Caller }}
	if v, ok := body.Owner(f, &{{ .Rule }}, {{ .Sent "req" }}, 0, entity.User); ok {
		row.{{ .Type.MutationSet }}({{ .Stored "v" }})
	}
	{{- else }}
	if v, ok := body.Given{{ if and .Writers .Standard }}Or{{ end }}(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ if and .Writers .Standard }}{{ .Standard }}, {{ end }}{{ .Check }}); ok {
		{{- if .Refers }}
		f.Refers(&{{ .Rule }}, entity.{{ .Refers.Name }}, v)
		{{- end }}
		row.{{ .Type.MutationSet }}({{ .Stored "v" }})
	}
	{{- end }}
	{{- end }}
	if err := f.Err(ctx, h.Door.Reader); err != nil {
		return err
	}
	return row.Exec(ctx)
}
{{ else }}
// Update changes the row with the id as the body says, in the context's transaction.
func (h {{ .Group }}) Update(ctx context.Context, f *body.Form, req *server.{{ .Name }}Update, id int64) error {
	old, err := h.Client.{{ .Name }}.Get(ctx, {{ .Type.ID.Type }}(id))
	if err != nil {
		return err
	}
	return h.change(ctx, f, req, old)
}
{{ end }}
func (h {{ .Group }}) change(ctx context.Context, f *body.Form, req *server.{{ .Name }}Update, old *ent.{{ .Name }}) error {
	row := h.Client.{{ .Name }}.Update().Where({{ $package }}.ID(old.ID))
	{{- with .UpdateCurrency }}
	currency := body.Currency(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ if .Standard }}body.Otherwise(f, &{{ .Rule }}, {{ .Current "old" }}, {{ .Standard }}){{ else }}{{ .Current "old" }}{{ end }}, {{ .Check }})
	{{- end }}
	{{- range .UpdateInputs }}
	{{- if not .OnUpdate }}
	body.Same{{ if .Nullable }}OrNull{{ end }}(f, &{{ .Rule }}, {{ .Sent "req" }}, {{ .Current "old" }})
	{{- else if .Nullable }}
	if v, ok := body.ChangeOrNull(f, &{{ .Rule }}, {{ .SentTo "req" "old" }}, {{ .Current "old" }}, {{ .Check }}); ok && v != nil {
		{{- if .Refers }}
		f.Refers(&{{ .Rule }}, entity.{{ .Refers.Name }}, *v)
		{{- end }}
		row.{{ .Type.MutationSet }}({{ .Stored "*v" }})
	} else if ok {
		row.{{ .Type.MutationClear }}()
	}
	{{- else }}
	if v, ok := body.Change{{ if .Standard }}Or{{ end }}(f, &{{ .Rule }}, {{ .SentTo "req" "old" }}, {{ .Current "old" }}, {{ with .Standard }}{{ . }}, {{ end }}{{ .Check }}); ok {
		{{- if .Refers }}
		f.Refers(&{{ .Rule }}, entity.{{ .Refers.Name }}, v)
		{{- end }}
		row.{{ .Type.MutationSet }}({{ .Stored "v" }})
	}
	{{- end }}
	{{- end }}
	if err := f.Err(ctx, h.Door.Reader); err != nil {
		return err
	}
	if !f.Changed() {
		return h.Door.May(ctx, entity.{{ .Name }}, policy.Update, h.Client.{{ .Name }}.Query().Where({{ $package }}.ID(old.ID)))
	}
	return door.Touched(row{{ if .Versioned }}.AddVersion(1){{ end }}.Save(ctx))
}
{{ end }}`))

// indexFile is the table of operations, and gathers the handlers of all entities.
var indexFile = template.Must(template.New("indexFile").Funcs(funcs).Parse(`{{ .Header }}

// Package crud is what REST does with entities by their schema: a table of
// all such operations, and, for now, the handlers of writes, one file for each
// entity. A handler by hand takes the place of one of these where it is a
// method of a struct that embeds [Handlers].
package crud

import (
	"{{ .Module }}/ent"
	"{{ .Module }}/internal/entity"
	"{{ .Kit }}/expose"
	"{{ .Kit }}/runtime/resource/declared"
	"{{ .Kit }}/runtime/resource/door"
)

// Handlers serves every entity that is written.
type Handlers struct {
	{{- range .Entities }}{{ if .Writes }}
	{{ .Group }}
	{{- end }}{{ end }}
}

// New returns the handlers on a door, which write with the client.
func New(d *door.Door, client *ent.Client) Handlers {
	return Handlers{
		{{- range .Entities }}{{ if .Writes }}
		{{ .Group }}: {{ .Group }}{d, client},
		{{- end }}{{ end }}
	}
}

// Entities as REST serves them.
var (
	{{- range .Entities }}
	{{ .Resource }} = &door.Resource{Entity: entity.{{ .Name }}
		{{- with .Cache }}, Cache: "{{ . }}"{{ end }}
		{{- if .Located }}, Located: true{{ end }}}
	{{- end }}
)

// Resources are what operations serve.
var Resources = []*door.Resource{
	{{- range .Entities }}
	{{ .Resource }},
	{{- end }}
}

// Operations are those that follow from the schema, by operationId.
var Operations = map[string]*declared.Operation{
	{{- range $i, $e := .Entities }}{{ $resource := .Resource }}
	{{- if $i }}
	{{ end }}
	{{- range .Calls }}
	"{{ .ID }}": {Op: expose.{{ .OpName }}, Resource: {{ $resource }}
		{{- with .Row }}, Row: "{{ . }}"{{ end }}
		{{- if .Nested }}, Parent: &declared.Parent{Entity: entity.{{ .Parent.Name }}, Row: "{{ .ID1 }}"
			{{- with .ParentKey }}, Column: "{{ .StorageKey }}"{{ else }}, Edge: "{{ .Back.Name }}"{{ end }}
			{{- if .Open }}, Through: true{{ end }}}
		{{- end }}},
	{{- end }}
	{{- end }}
}
`))
