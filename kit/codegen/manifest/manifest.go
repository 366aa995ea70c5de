// Package manifest writes ent/manifest: the description of the service as JSON, of which
// callers see what they may (package manifest of the kit).
package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/policy"
)

var file = template.Must(template.New("manifest").Parse(`{{ .Header }}

// Package manifest has the description of the service that the manifests of its callers
// are made of.
package manifest

import _ "embed"

// Text is the description, as JSON.
//
//go:embed manifest.json
var Text []byte
`))

// Write writes the description.
func Write(tree *source.Tree, d *manifest.Manifest) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(d); err != nil {
		return err
	}
	folder := tree.Folder("ent/manifest")
	if err := folder.WriteFile("manifest.json", text.Bytes()); err != nil {
		return err
	}
	return folder.WriteGo("manifest.go", file, nil)
}

// Of is the description of the model, with the operations of the contract that belong to
// no entity.
func Of(m *model.Model, c *contract.Contract) *manifest.Manifest {
	d := &manifest.Manifest{
		Format: manifest.Format, Service: manifest.Service{Name: m.Service.Name, Version: m.Service.Version},
		GraphQL: "/graphql", Callers: c.Roles, Entities: []*manifest.Entity{},
	}
	if m.Accounts() {
		at := m.Service.Credentials.Path
		d.SignIn = &manifest.SignIn{Login: at + "login", Refresh: at + "refresh", Logout: at + "logout", Me: at + "me", Register: at + "register"}
	}
	for _, e := range m.Entities {
		d.Entities = append(d.Entities, entityOf(m, e))
	}
	for _, o := range c.Operations {
		if o.Method != "" {
			d.Operations = append(d.Operations, manifest.Operation{ID: o.ID, Method: strings.ToUpper(o.Method), Path: o.Path})
		}
	}
	return d
}

func entityOf(m *model.Model, e *model.Entity) *manifest.Entity {
	many := strings.NewReplacer("/", "_", "-", "_").Replace(e.Path)
	d := &manifest.Entity{
		Name: e.Name, Singular: e.Singular, Plural: many, Label: label(e.Singular), Labels: label(many), Description: e.Comment,
		Path: "/" + e.Path, Under: e.Under, ID: "id", Key: "id", Title: title(e), SoftDelete: e.SoftDelete,
		GraphQL: manifest.GraphQL{Type: e.Name}, PageSize: e.PageSize(), Changes: e.Changes, Live: e.Live, Deprecated: ending(e.Ending),
		Fields: []*manifest.Field{},
	}
	if e.Presence != nil {
		d.Presence = &manifest.Presence{State: []*manifest.Field{}}
		for _, m := range e.Presence.Members {
			d.Presence.State = append(d.Presence.State, memberOf(m))
		}
	}
	if e.Under != "" {
		parent := e.Edge(e.Under).To
		d.Path = "/" + parent.Path + "/{" + key(parent) + "}/" + e.Path
	}
	d.Key = key(e)
	if f := e.Field("version"); e.Versioned && f != nil {
		d.Version = f.REST
	}
	if e.Offers(expose.Read) {
		d.GraphQL.One = naming.Camel(e.Singular)
	}
	if e.Offers(expose.List) {
		d.GraphQL.List, d.Sort = naming.Camel(many)+"Connection", order(e)
	}
	for _, f := range e.SearchFields {
		d.Search = append(d.Search, f.REST)
	}
	d.Fields = append(fieldsOf(m, e), derivedOf(e)...)
	for _, g := range e.Edges {
		d.Edges = append(d.Edges, edgeOf(e, g))
	}
	for _, c := range e.Calcs {
		d.Computed = append(d.Computed, &manifest.Computed{Name: c.Name, GraphQL: c.GraphQL, Kind: kind(c.Kind), Description: c.Comment, Input: inputs(c.Arguments)})
	}
	d.State = stateOf(e)
	calls(m, e, d)
	d.Events = eventsOf(e)
	return d
}

// key is the field that stands for a row in paths.
func key(e *model.Entity) string {
	if e.KeyField != nil {
		return e.KeyField.REST
	}
	return "id"
}

// title is the field that names a row to people: what its search looks in first, or the
// first of its short texts with a usual name that every row has.
func title(e *model.Entity) string {
	if e.KeyField != nil {
		return e.KeyField.REST
	}
	shows := func(f *model.Field) bool { return f != nil && !f.Secret && f.Kind == "String" && len(f.Visible) == 0 }
	if len(e.SearchFields) > 0 && shows(e.SearchFields[0]) {
		return e.SearchFields[0].REST
	}
	for _, name := range []string{"title", "name", "client_name", "subject", "label", "number", "email", "code", "kind"} {
		if f := e.Field(name); shows(f) && !f.Type.Nillable {
			return f.REST
		}
	}
	return "id"
}

// order is that of listings, as the parameter sort has it.
func order(e *model.Entity) string {
	var terms []string
	for _, t := range e.Order() {
		sign := ""
		if t.Desc {
			sign = "-"
		}
		if t.Field != nil && t.Field.Name != "id" {
			terms = append(terms, sign+t.Field.REST)
		}
	}
	return strings.Join(terms, ",")
}

func stateOf(e *model.Entity) *manifest.State {
	f := e.Moving()
	if f == nil {
		return nil
	}
	s := &manifest.State{Field: f.REST, Values: f.Type.EnumValues(), Transitions: []manifest.Transition{}}
	for _, move := range f.Moves {
		s.Transitions = append(s.Transitions, manifest.Transition{Action: move.Verb, From: move.Froms, To: move.Tos, System: move.System})
	}
	return s
}

func eventsOf(e *model.Entity) (all []*manifest.Event) {
	topics := map[string]*manifest.Event{}
	for _, t := range e.Events {
		d := topics[t.Name]
		if d == nil {
			d = &manifest.Event{Topic: t.Name, Payload: t.Payload}
			topics[t.Name] = d
			all = append(all, d)
		}
		d.On = append(d.On, t.On)
		if t.Feeds != nil {
			d.Subscription, d.Argument, d.Description = t.Feeds.Name, t.Feeds.Argument, t.Feeds.Comment
		}
	}
	return all
}

func ending(e *expose.Ending) *manifest.Ending {
	if e == nil {
		return nil
	}
	return &manifest.Ending{Since: e.Since, Sunset: e.Sunset, Instead: e.Instead}
}

// label is a name as people read it: "Likes count".
func label(name string) string {
	words := naming.Words(naming.Snake(name))
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// judge is the entity whose policy admits to the call.
func judge(of *model.Entity, verb string) *manifest.Judge {
	return &manifest.Judge{Entity: of.Name, Verb: verb}
}

// condition is the rule of an action, nil where it can be done to every row.
func condition(r policy.Rule) *policy.Rule {
	if r.Always() {
		return nil
	}
	return &r
}
