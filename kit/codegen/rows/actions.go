package rows

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// Acts lists what can be done to rows beside writing them.
func (e *entity) Acts() (all []action) {
	for _, a := range e.Actions {
		all = append(all, action{a})
	}
	return all
}

// KeyType is the Go type of the ids of its rows.
func (e *entity) KeyType() string {
	return map[gid.Form]string{gid.Numbers: "int64", gid.Texts: "string", gid.UUIDs: "uuid.UUID"}[model.IDsOf(e.Type.ID)]
}

// RowID is Go that makes a value of that type of the id of a row.
func (e *entity) RowID() string {
	return map[gid.Form]string{gid.Numbers: "id.Int()", gid.Texts: "id.String()", gid.UUIDs: "id.UUID()"}[model.IDsOf(e.Type.ID)]
}

// MarkList lists what users do to rows and take back.
func (e *entity) MarkList() []*model.Mark { return e.Marks }

// Makes reports whether a method makes rows of judged input.
func (e *entity) Makes() bool { return e.Upsert != nil && e.Upsert.Run != "" }

// Methods lists the actions that methods carry out.
func (e *entity) Methods() (all []action) {
	for _, a := range e.Acts() {
		if a.Method() != "" {
			all = append(all, a)
		}
	}
	return all
}

// Beside are the inputs of an operation that are no fields.
func (e *entity) Beside(o expose.Operation) []input { return inputs(e.Extra[o]) }

// action is an action as Go speaks of it.
type action struct{ *model.Action }

// Fields are the fields of its input.
func (a action) Fields() []input { return inputs(a.Input) }

// OnceType is the Go type of what its method shows this once, empty where that is nothing.
func (a action) OnceType() string {
	if a.Method() == "" || len(a.Answer.Once) == 0 {
		return ""
	}
	return a.Type() + "Once"
}

// Lists are the fields that are lists of objects.
func (a action) Lists() (lists []input) {
	for _, f := range a.Fields() {
		if f.Kind == "Objects" {
			lists = append(lists, f)
		}
	}
	return lists
}

// input is a field of an input as Go speaks of it.
type input struct{ *model.Field }

func inputs(fields []*model.Field) []input {
	all := make([]input, len(fields))
	for i, f := range fields {
		all[i] = input{f}
	}
	return all
}

// Of are the fields of each object.
func (f input) Of() []input { return inputs(f.Members) }

// Go is the field's name in Go.
func (f input) Go() string { return naming.Pascal(f.Name) }

// Absent reports whether a value can be missing that has no zero value of that meaning.
func (f input) Absent() bool {
	switch f.Kind {
	case "String", "Enum", "Strings", "JSON", "Bytes", "Objects":
		return false
	}
	return f.Type.Optional && !f.Type.Default
}

// Plain is the Go type of its values.
func (f input) Plain() string {
	if f.Kind == "JSON" {
		return f.Type.Type.String()
	}
	return kitentity.Named(f.EntityKind()).Go
}

// Object is the Go type of the objects of a list.
func (f input) Object(of string) string { return of + naming.Pascal(naming.Singular(f.Name)) }

// GoType is the type of the field in the Go type of the input.
func (f input) GoType(of string) string {
	switch {
	case f.Kind == "Objects":
		return "[]" + f.Object(of)
	case f.Absent():
		return "*" + f.Plain()
	}
	return f.Plain()
}

// Read reads the field of judged values.
func (f input) Read(of string) string {
	switch {
	case f.Kind == "Objects":
		return fmt.Sprintf("write.Each(in, %q, %s)", f.Name, naming.Camel(naming.Snake(f.Object(of))))
	case f.Absent():
		return fmt.Sprintf("write.Maybe[%s](in, %q)", f.Plain(), f.Name)
	}
	return fmt.Sprintf("write.Of[%s](in, %q)", f.Plain(), f.Name)
}

// Says is the comment on the field in Go.
func (f input) Says() string {
	text := strings.ReplaceAll(f.Type.Comment(), "\n", " ")
	if f.Kind == "Money" {
		text += " In minor units."
	}
	return text
}

// Described is the field as package write takes it; the schema adds the rest.
func (f input) Described() string {
	var b strings.Builder
	fmt.Fprintf(&b, "{Field: &kitentity.Field{Name: %q, Column: %[1]q, REST: %q, GraphQL: %s, Kind: kitentity.%s", f.Name, f.REST, quoted(f.GraphQL), f.EntityKind())
	if f.Ref != "" {
		fmt.Fprintf(&b, ", Ref: %q", f.Ref)
	}
	if f.Type.IsEnum() {
		fmt.Fprintf(&b, ", Values: %s", quoted(f.Type.EnumValues()))
	}
	if f.Type.Optional || f.NamedOrNull() {
		b.WriteString(", Nullable: true")
	}
	if own := f.Entity.Field(f.Currency); f.Currency != "" && own != nil && !f.inInput() {
		fmt.Fprintf(&b, ", Currency: entity.%sFields.%s", f.Entity.Name, own.Type.StructField())
	}
	if old := f.Old; old != nil && old.REST+old.GraphQL != "" {
		fmt.Fprintf(&b, ", Old: &kitentity.Old{Name: %q, REST: %q, GraphQL: %q, Ending: lifecycle.End(%q, %q, %q)}",
			old.Name, old.REST, old.GraphQL, old.Ending.Since, old.Ending.Sunset, old.Ending.Instead)
	}
	b.WriteString("}")
	if f.RequiredOnCreate() {
		b.WriteString(", Required: true")
	}
	if f.Ref != "" {
		fmt.Fprintf(&b, ", Refers: entity.%s", f.Ref)
	}
	if f.Kind == "JSON" {
		decode := "write.JSON[" + f.Type.Type.String() + "]"
		if f.Type.Type.RType != nil && f.Type.Type.RType.Ident == "map[string]interface {}" {
			decode = "write.Object"
		}
		b.WriteString(", Decode: " + decode)
	}
	if f.Format == expose.MomentFormat || f.Format == expose.EndFormat {
		fmt.Fprintf(&b, ", Span: %q", f.Format)
	}
	if len(f.Members) > 0 {
		b.WriteString(", Members: []*write.Field{\n")
		for _, m := range f.Of() {
			b.WriteString(m.Described() + ",\n")
		}
		b.WriteString("}")
	}
	return b.String() + "}"
}

// inInput reports whether the currency of the amount is named by the input.
func (f input) inInput() bool {
	for _, a := range f.Entity.Actions {
		mine, currency := false, false
		for _, other := range a.Input {
			mine = mine || other == f.Field
			currency = currency || other.Name == f.Currency
		}
		if mine {
			return currency
		}
	}
	return false
}

func quoted(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = fmt.Sprintf("%q", text)
	}
	return "[]string{" + strings.Join(all, ", ") + "}"
}

// writeActions writes what is done to rows by their declarations, and asks for
// the methods that they need.
func writeActions(tree *source.Tree, folder *source.Folder, m *model.Model) error {
	var asking []*entity
	for _, shown := range m.Entities {
		e := &entity{shown}
		if len(e.Methods()) > 0 || e.Makes() {
			asking = append(asking, e)
		}
		if len(e.Actions) == 0 {
			continue
		}
		if err := folder.WriteImporting(naming.Snake(e.Name)+"_actions.go", actionsFile, source.Data{"E": e}, e.imports(tree.Module)); err != nil {
			return err
		}
	}
	return folder.WriteImporting("methods.go", methodsFile, source.Data{"Asking": asking}, []string{"context", "github.com/google/uuid", source.Kit + "/write"})
}

var functions = template.FuncMap{
	"keeps": model.Keeps,
	"camel": func(name string) string { return naming.Camel(naming.Snake(name)) },
	"words": naming.Words, "snake": naming.Snake, "pascal": naming.Pascal,
}

// actionsFile writes the file with an entity's actions.
var actionsFile = template.Must(template.New("actions").Funcs(functions).Parse(`{{ .Header }}

package rows
{{ with .E }}{{ $e := . }}
{{- range .Acts }}{{ $type := .Type }}{{ if and .Method .Input }}
// {{ $type }} is what a caller names who asks for it: {{ .Comment }}
type {{ $type }} struct {
	{{- range .Fields }}
	{{ .Go }} {{ .GoType $type }} // {{ .Says }}
	{{- end }}
}

func {{ camel $type }}(in write.Values) {{ $type }} {
	return {{ $type }}{
		{{- range .Fields }}
		{{ .Go }}: {{ .Read $type }},
		{{- end }}
	}
}
{{ range .Lists }}{{ $object := .Object $type }}
// {{ $object }} is one of its {{ words .Name }}.
type {{ $object }} struct {
	{{- range .Of }}
	{{ .Go }} {{ .GoType $object }} // {{ .Says }}
	{{- end }}
}

func {{ camel $object }}(in write.Values) {{ $object }} {
	return {{ $object }}{
		{{- range .Of }}
		{{ .Go }}: {{ .Read $object }},
		{{- end }}
	}
}
{{ end }}{{ end }}{{ if .OnceType }}
// {{ .OnceType }} is shown this once, and to no repetition: {{ .Comment }}
type {{ .OnceType }} struct {
	{{- range .Answer.Once }}
	{{ pascal .Name }} string // {{ .Comment }}
	{{- end }}
}
{{ end }}{{ end }}
// {{ camel .Name }}Actions are what can be done to {{ words .Path }}.
func {{ camel .Name }}Actions() []*write.Action {
	return write.Declared(schema.{{ .Name }}{},
		{{- range .Acts }}
		write.Bound{ // {{ .Verb }}
			{{- if .Input }}
			Input: []*write.Field{
				{{- range .Fields }}
				{{ .Described }},
				{{- end }}
			},
			{{- end }}
			{{- if .OnceType }}
			Show: func(ctx context.Context, methods any, id gid.ID, in write.Values) (write.Result, write.Once, error) {
				result, once, err := methods.(*Methods).{{ $e.Name }}.{{ .Method }}(ctx{{ if .OfRow }}, {{ $e.RowID }}{{ end }}{{ if .Input }}, {{ camel .Type }}(in){{ end }})
				return result, write.Once{ {{- range .Answer.Once }}{{ printf "%q" .Name }}: once.{{ pascal .Name }}, {{ end -}} }, err
			},
			{{- else if .Method }}
			Run: func(ctx context.Context, methods any, id gid.ID, in write.Values) (write.Result, error) {
				return methods.(*Methods).{{ $e.Name }}.{{ .Method }}(ctx{{ if .OfRow }}, {{ $e.RowID }}{{ end }}{{ if .Input }}, {{ camel .Type }}(in){{ end }})
			},
			{{- end }}
		},
		{{- end }}
	)
}
{{ end }}`))

// methodsFile asks for the methods behind actions.
var methodsFile = template.Must(template.New("methods").Funcs(functions).Parse(`{{ .Header }}

package rows

// Methods are those behind the actions that columns alone can't carry out.
type Methods struct {
	{{- range .Asking }}
	{{ .Name }} {{ .Name }}Methods
	{{- end }}
}

// NewMethods returns the methods: none can be left out.
func NewMethods(
	{{- range .Asking }}
	{{ camel .Name }} {{ .Name }}Methods,
	{{- end }}
) *Methods {
	return &Methods{
		{{- range .Asking }}
		{{ .Name }}: {{ camel .Name }},
		{{- end }}
	}
}
{{ range .Asking }}{{ $e := . }}
// {{ .Name }}Methods are the methods of {{ words .Path }}.
type {{ .Name }}Methods interface {
	{{- if .Makes }}
	// {{ .Upsert.Comment }}
	Create(ctx context.Context, in write.Values) (write.Result, error)
	{{- end }}
	{{- range .Methods }}
	// {{ .Comment }}
	{{ .Method }}(ctx context.Context{{ if .OfRow }}, id {{ $e.KeyType }}{{ end }}{{ if .Input }}, in {{ .Type }}{{ end }}) (write.Result, {{ with .OnceType }}{{ . }}, {{ end }}error)
	{{- end }}
}
{{ end }}`))
