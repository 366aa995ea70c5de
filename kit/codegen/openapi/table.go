package openapi

import (
	"slices"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gen/openapi"
)

var operationsFile = template.Must(template.New("operations").Parse(`{{ .Header }}

package spec

import (
	{{- if .Ends }}
	"github.com/entwine-go/entwine/kit/lifecycle"
	{{- end }}
	"github.com/entwine-go/entwine/kit/gen/openapi"
)

// The representations of JSON, and further ones of lists.
var (
	items = []string{"application/json", "application/xml"}
	lists = []string{"application/json", "application/xml", "text/csv", "application/x-ndjson"}
	{{- if .Live }}
	// Lists that clients follow are events, too.
	followed = []string{"application/json", "application/xml", "text/csv", "application/x-ndjson", "text/event-stream"}
	{{- end }}
)

// Operations are those of the document, by operationId. HEAD is as GET.
var Operations = map[string]*openapi.Operation{
	{{- range .Operations }}
	"{{ .ID }}": {Method: "{{ .Method }}", Path: "{{ .Path }}"
		{{- if .Body }}, Body: true{{ end }}
		{{- with .Takes }}, Takes: {{ printf "%#v" . }}{{ end }}
		{{- if .Declared }}, Declared: true{{ end }}
		{{- if .Parsed }}, Parsed: true{{ end }}
		{{- with .Noun }}, Noun: "{{ . }}"{{ end }}
		{{- if .Keyed }}, Keyed: true{{ end }}
		{{- if .NoQuery }}, Query: []string{}{{ end }}
		{{- with .Query }}, Query: {{ printf "%#v" . }}{{ end }}
		{{- with .Media }}, Media: {{ printf "%#v" . }}{{ end }}
		{{- with .IDs }}, IDs: {{ printf "%#v" . }}{{ end }}
		{{- with .Entities }}, Entities: {{ printf "%#v" . }}{{ end }}
		{{- with .Produces }}, Produces: {{ . }}{{ end }}
		{{- with .Ending }}, Ending: lifecycle.End({{ printf "%q, %q, %q" .Since .Sunset .Instead }}){{ end }}
		{{- with .Ends }}, Ends: []openapi.Part{
			{{- range . }}
			{In: openapi.{{ .In }}, Name: "{{ .Name }}"{{ with .List }}, List: "{{ . }}"{{ end }}{{ with .Value }}, Value: "{{ . }}"{{ end }}, Of: "{{ .Of }}", Ending: lifecycle.End({{ printf "%q, %q, %q" .Since .Sunset .Instead }})},
			{{- end }}
		}{{ end }}
		{{- with .Was }}, Was: []openapi.Former{
			{{- range . }}
			{Path: "{{ .Path }}", Ending: lifecycle.End({{ with .Ending }}{{ printf "%q, %q, %q" .Since .Sunset .Instead }}{{ end }})},
			{{- end }}
		}{{ end }}},
	{{- end }}
}

// Handled are the paths of the operations that handlers of app.Parts answer, by operationId.
var Handled = map[string]string{
	{{- range .Handled }}
	"{{ .ID }}": "{{ .Path }}",
	{{- end }}
}
`))

// tableRow is an operation in the generated table.
type tableRow struct {
	ID, Method, Path string
	Body, Parsed     bool
	Declared         bool
	Keyed            bool
	Query, Media     []string
	NoQuery          bool // no parameter is allowed, although the operation is Parsed
	Takes            []string
	Noun             string
	IDs, Entities    []string
	Produces         string
	Ending           *expose.Ending
	Ends             []part
	Was              []model.OldPath
}

// ends reports whether something of the operations ends.
func ends(rows []tableRow) bool {
	return slices.ContainsFunc(rows, func(r tableRow) bool { return r.Ending != nil || len(r.Ends)+len(r.Was) > 0 })
}

// anyQuery marks a hand-written operation that takes parameters that the
// document does not list.
const anyQuery = "x-any-query"

// table lists the operations of the document.
func (r *contract) table() []tableRow {
	var rows []tableRow
	eachOperation(r.document.at("paths"), func(path, method string, op *node) {
		if method == "head" {
			return
		}
		row := tableRow{ID: op.text("operationId"), Method: method, Path: path, Body: op.get("requestBody") != nil || op.get(bodyless) == true, Parsed: op.get(generated) != nil || answersEntity(op) || op.get(anyQuery) == true, Declared: op.get(answered) == nil, Keyed: r.keyed(path, method, op)}
		row.Takes, row.Noun = fileTypes(op), r.noun(op)
		if media := rawMedia(op); !slices.Equal(media, []string{"application/json"}) {
			row.Media = media
		}
		row.IDs = r.parameterNames(op, func(p *node) bool {
			is := p.text("in") == "path" && (p.at("schema").text("type") == "integer" || p.at("schema").text(openapi.Entity) != "")
			if is {
				row.Entities = append(row.Entities, p.at("schema").text(openapi.Entity))
			}
			return is
		})
		row.Produces = r.produces(op)
		row.Ending, row.Ends = endingOf(op), r.parts(op)
		row.Was, _ = op.get(oldPaths).([]model.OldPath)
		if op.get(generated) == nil && op.get(anyQuery) != true {
			query := r.parameterNames(op, func(p *node) bool { return p.text("in") == "query" })
			row.NoQuery = row.Parsed && len(query) == 0
			if !row.Parsed || answersRaw(op) {
				row.Query = query
			}
		}
		rows = append(rows, row)
	})
	return rows
}

// noun is the noun in data of an operation of the kit, where the document names one.
func (r *contract) noun(op *node) string {
	for _, status := range []string{"200", "201"} {
		schema := op.at("responses", status, "content", "application/json", "schema")
		if schema == nil {
			continue
		}
		if reference := schema.text("$ref"); reference != "" {
			schema = asNode(lookup(r.document, reference))
		}
		if noun := schema.at("properties", "data").text(openapi.Noun); noun != "" {
			return noun
		}
	}
	return ""
}

// fileTypes are the media types of a body that the handler reads by itself: of an operation
// that the kit answers, whose body is not JSON.
func fileTypes(op *node) (types []string) {
	content := op.at("requestBody", "content")
	if op.text(answered) != byKit || content == nil || content.get("application/json") != nil {
		return nil
	}
	for _, m := range content.members {
		types = append(types, m.name)
	}
	return types
}

// parameterNames lists the parameters of an operation that are of a kind.
func (r *contract) parameterNames(op *node, is func(*node) bool) []string {
	var names []string
	list, _ := op.get("parameters").([]any)
	for _, p := range list {
		n := asNode(p)
		if reference := n.text("$ref"); reference != "" {
			n = asNode(lookup(r.document, reference))
		}
		if is(n) {
			names = append(names, n.text("name"))
		}
	}
	return names
}
