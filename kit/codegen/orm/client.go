package orm

import (
	"slices"
	"text/template"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// features are Ent's optional parts that the client of every entity has. Those of
// which an entity says that Go code needs them are its own: see [expose.Client].
var features = []gen.Feature{gen.FeaturePrivacy}

// clientOf is the graph of the entities that Ent's client has, without edges to
// the others.
func clientOf(tree *source.Tree, m *model.Model) (*gen.Graph, error) {
	declared := map[string]expose.Client{}
	var kept []*load.Schema
	for _, s := range m.Graph.Schemas {
		c, err := model.ClientOf(s.Annotations)
		if err != nil {
			return nil, err
		}
		declared[s.Name] = c
		if !c.None {
			kept = append(kept, s)
		}
	}
	for i, s := range kept {
		left := *s
		left.Edges = slices.DeleteFunc(slices.Clone(s.Edges), func(e *load.Edge) bool { return declared[e.Type].None })
		left.Fields = slices.Clone(s.Fields)
		if err := keep(&left); err != nil {
			return nil, err
		}
		kept[i] = &left
	}
	cfg := *m.Graph.Config
	templates, err := templatesOf(func() *gen.Graph { return m.Graph })
	if err != nil {
		return nil, err
	}
	own, err := ownTemplatesOf(tree, templates)
	if err != nil {
		return nil, err
	}
	cfg.Templates = slices.Clone(cfg.Templates)
	if own != nil {
		cfg.Templates = append(cfg.Templates, own)
	}
	cfg.Templates = append(cfg.Templates, templates)
	graph, err := gen.NewGraph(&cfg, kept...)
	if err != nil {
		return nil, err
	}
	for _, t := range graph.Nodes {
		annotate(t, m.Graph)
		own := cfg
		own.Features = append(slices.Clone(cfg.Features), featuresOf(declared[t.Name])...)
		t.Config = &own
	}
	return graph, nil
}

// annotate gives a type of the client what emitters have said of it since the
// schemas were loaded: how GraphQL names it.
func annotate(t *gen.Type, whole *gen.Graph) {
	of := whole.Nodes[slices.IndexFunc(whole.Nodes, func(n *gen.Type) bool { return n.Name == t.Name })]
	t.Annotations = of.Annotations
	if t.ID != nil {
		t.ID.Annotations = of.ID.Annotations
	}
	for i, f := range t.Fields {
		f.Annotations = of.Fields[i].Annotations
	}
	for _, e := range t.Edges {
		e.Annotations = of.Edges[slices.IndexFunc(of.Edges, func(o *gen.Edge) bool { return o.Name == e.Name })].Annotations
	}
}

// featuresOf are those that an entity has asked for.
func featuresOf(c expose.Client) (all []gen.Feature) {
	if c.Modify {
		all = append(all, gen.FeatureModifier)
	}
	if c.Lock {
		all = append(all, gen.FeatureLock)
	}
	if c.Upsert {
		all = append(all, gen.FeatureUpsert)
	}
	return all
}

var clientFile = template.Must(template.New("client").Parse(`{{ .Header }}

// Package orm opens Ent's client over a database. It is the one package that
// links ent/runtime: policies, hooks and defaults.
package orm

import (
	"entgo.io/ent/dialect"

	"{{ .Module }}/ent"
	_ "{{ .Module }}/ent/runtime" // policies, hooks and defaults
	{{- if .Entities }}
	"{{ .Module }}/schema"
	{{- end }}
	"{{ .Kit }}/mutation"
	"{{ .Kit }}/store"
)

// Client returns Ent's client over the database, the same one each time. Its calls run
// in the transaction of their context, if there is one; its Close does nothing. Hooks
// of its Use hold for what the APIs write, too.
func Client(db *store.DB) *ent.Client { return over(db.Driver()) }

func over(db dialect.Driver) *ent.Client {
	fresh := func(db dialect.Driver) any { return ent.NewClient(ent.Driver(db)) }
	if shared, ok := db.(interface {
		Keep(key any, fresh func(dialect.Driver) any) any
	}); ok {
		return shared.Keep(client{}, fresh).(*ent.Client)
	}
	return fresh(db).(*ent.Client)
}

// client is the key of what a database keeps.
type client struct{}

// The hooks of schemas see Ent's own mutations, whichever door writes.
func init() {
	typed := ent.Mutations(over)
	{{- range .Entities }}
	mutation.Register(schema.{{ . }}{}, typed["{{ . }}"])
	{{- end }}
}
`))

// writeClient writes what opens Ent's client.
func writeClient(tree *source.Tree, client *gen.Graph) error {
	folder := tree.Folder("ent/orm")
	var names []string
	for _, t := range client.MutableNodes() { // those of template/mutations.tmpl
		if t.HasOneFieldID() && (t.ID.Type.Type.Integer() || t.ID.IsString() || t.ID.IsUUID()) {
			names = append(names, t.Name)
		}
	}
	if err := folder.WriteGo("orm.go", clientFile, source.Data{"Entities": names}); err != nil {
		return err
	}
	return folder.RemoveOthers("*.go")
}
