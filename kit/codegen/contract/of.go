package contract

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// Of is the contract of the model. The facts say what rules there are, the
// tables are those of the databases, and the tree has what is not declared in
// schemas: kinds of jobs, and operations by hand.
func Of(ctx context.Context, tree *source.Tree, m *model.Model, told []facts.Entity, tables []*schema.Table) (*Contract, error) {
	c := &Contract{Format: format, Service: m.Service.Name, Version: m.Service.Version, Roles: rolesOf(m, told), Tables: tablesOf(m, tables)}
	by := callers(c.Roles)
	exposed := map[string]*model.Entity{}
	for _, e := range m.Entities {
		exposed[e.Name] = e
	}
	for _, t := range m.Graph.Nodes {
		e, err := entityOf(m, t, exposed[t.Name], columns(tables, t.Table()))
		if err != nil {
			return nil, model.ProblemAt(t, "", err)
		}
		for _, f := range told {
			if f.Name == t.Name && f.Rules != nil {
				e.Rules = rulesOf(f.Rules, by)
			}
		}
		if shown := exposed[t.Name]; shown != nil && len(e.Rules) > 0 {
			e.Rules = append(e.Rules, linksOf(shown, told, by)...)
		}
		c.Entities = append(c.Entities, e)
	}
	slices.SortFunc(c.Entities, func(a, b Entity) int { return cmp.Compare(a.Name, b.Name) })
	var err error
	if c.Jobs, err = jobsOf(ctx, tree); err != nil {
		return nil, err
	}
	if err := c.addProvided(m); err != nil {
		return nil, err
	}
	return c, c.addHand(tree)
}

// columns are those of a table, by their names.
func columns(tables []*schema.Table, name string) map[string]*schema.Column {
	all := map[string]*schema.Column{}
	for _, t := range tables {
		if t.Name == name {
			for _, c := range t.Columns {
				all[c.Name] = c
			}
		}
	}
	return all
}

// entityOf describes a type; shown is nil where no API shows it.
func entityOf(m *model.Model, t *gen.Type, shown *model.Entity, columns map[string]*schema.Column) (Entity, error) {
	e := Entity{Name: t.Name, Table: t.Table(), SoftDelete: model.SoftDeleted(t)}
	var change expose.Change
	if _, err := model.Annotation(t.Annotations, &change); err != nil {
		return e, err
	}
	e.Was = change.Was
	if a := t.EntSQL(); a != nil {
		for name, sql := range a.Checks {
			e.Checks = append(e.Checks, Check{Name: name, SQL: sql})
		}
		slices.SortFunc(e.Checks, func(a, b Check) int { return cmp.Compare(a.Name, b.Name) })
	}
	if tree := model.TreeOf(t); tree != nil {
		e.Tree = &Tree{Column: tree.Key.StorageKey(), Levels: tree.Levels}
	}
	if tenant := model.TenantOf(t); tenant != nil {
		e.Tenant = &Tenant{Column: tenant.StorageColumn(), Users: tenant.Users}
		for _, role := range tenant.Roles {
			e.Tenant.Across = append(e.Tenant.Across, string(role))
		}
	}
	for _, f := range append([]*gen.Field{t.ID}, t.Fields...) {
		if strings.HasSuffix(f.Name, expose.FoldSuffix) {
			continue // it follows from the text
		}
		field, err := fieldOf(m, shown, f, columns[f.StorageKey()])
		if err != nil {
			return e, fmt.Errorf("%s: %w", f.Name, err)
		}
		e.Fields = append(e.Fields, field)
	}
	for _, g := range t.Edges {
		edge, err := edgeOf(shown, g)
		if err != nil {
			return e, fmt.Errorf("%s: %w", g.Name, err)
		}
		e.Edges = append(e.Edges, edge)
	}
	if shown != nil {
		e.show(m, shown)
	}
	return e, nil
}

// show adds what the APIs show of the entity.
func (e *Entity) show(m *model.Model, shown *model.Entity) {
	e.Exposed, e.Path, e.Under, e.Key = true, shown.Path, shown.Under, shown.Key
	if shown.Ending != nil {
		e.Deprecated, e.Sunset = true, shown.Ending.Sunset
	}
	if shown.Old != nil {
		e.WasPath = shown.Old.REST
	}
	e.Connection = naming.Camel(strings.NewReplacer("-", "_", "/", "_").Replace(e.Path)) + "Connection"
	e.Page, e.Search = shown.PageSize(), shown.Search
	if shown.Offers(expose.List) {
		var terms []string
		for _, t := range shown.Order() {
			sign := ""
			if t.Desc {
				sign = "-"
			}
			if t.Field != nil {
				terms = append(terms, sign+t.Field.Name)
			}
		}
		e.Order = strings.Join(terms, ",")
	}
	for _, d := range shown.Derived {
		if d.Name == model.OffersField {
			continue // it follows from the operations
		}
		e.Derived = append(e.Derived, Derived{
			Name: d.Name, GraphQL: model.DerivedName(d), Kind: model.DerivedKind(d), Nullable: d.Nullable,
			Meaning: strings.TrimSpace(string(d.Render) + " " + d.SQL), Values: d.Values, Members: membersOf("", d.Members),
		})
	}
	for _, c := range shown.Calcs {
		e.Calcs = append(e.Calcs, Calc{Name: c.Name, GraphQL: c.GraphQL, Kind: c.Kind, Meaning: c.Meaning(), Input: inputsOf("", c.Arguments)})
	}
	for _, g := range shown.Edges {
		if g.Tree != nil {
			e.Edges = append(e.Edges, Edge{Name: g.Name, To: g.To.Name, Relation: g.Type.Rel.Type.String(), Shown: true})
		}
	}
	e.Operations = operationsOf(m, shown)
	e.Topics = topicsOf(shown)
}

func edgeOf(shown *model.Entity, g *gen.Edge) (Edge, error) {
	var change expose.Change
	if _, err := model.Annotation(g.Annotations, &change); err != nil {
		return Edge{}, err
	}
	edge := Edge{Name: g.Name, Was: change.Was, To: g.Type.Name, Relation: g.Rel.Type.String(), Required: !g.Optional}
	switch {
	case g.M2M() && !g.IsInverse() && g.Through == nil:
		edge.Table = g.Rel.Table
	case g.OwnFK():
		edge.Column = g.Rel.Column()
	}
	if shown != nil {
		if visible := shown.Edge(g.Name); visible != nil {
			edge.Shown, edge.Filter, edge.Also = true, visible.Filter, visible.Old != nil
		}
	}
	return edge, nil
}

func topicsOf(e *model.Entity) (topics []Topic) {
	for _, t := range e.Events {
		i := slices.IndexFunc(topics, func(had Topic) bool { return had.Name == t.Name })
		if i < 0 {
			topics = append(topics, Topic{Name: t.Name, Key: t.Key, Payload: t.Payload})
			i = len(topics) - 1
		}
		topics[i].On = append(topics[i].On, strings.TrimSpace(t.On+" "+t.When))
		if t.Feeds != nil {
			topics[i].Subscription = t.Feeds.Name
		}
		if t.Job != "" && !slices.Contains(topics[i].Jobs, t.Job) {
			topics[i].Jobs = append(topics[i].Jobs, t.Job)
		}
	}
	return topics
}

// membersOf are the members of an answer, those of objects by their paths.
func membersOf(prefix string, all []expose.Member) (members []Member) {
	for _, m := range all {
		members = append(members, Member{Name: prefix + m.Name, Type: string(m.Shape), Nullable: m.Nullable})
		if m.Object != nil {
			members = append(members, membersOf(prefix+m.Name+".", m.Object.Members)...)
		}
	}
	return members
}

func tablesOf(m *model.Model, tables []*schema.Table) (all []Table) {
	for _, t := range tables {
		table := Table{Name: t.Name}
		for _, i := range t.Indexes {
			index := Index{Name: i.Name, Unique: i.Unique}
			for _, c := range i.Columns {
				index.Columns = append(index.Columns, c.Name)
			}
			if i.Annotation != nil {
				index.Where = i.Annotation.Where
			}
			table.Indexes = append(table.Indexes, index)
		}
		for _, i := range m.UnitIndexes {
			if i.Table == t.Name {
				index := Index{Name: i.Name}
				for _, term := range i.Terms {
					index.Columns = append(index.Columns, strings.Trim(term, `"`))
				}
				table.Indexes = append(table.Indexes, index)
			}
		}
		for _, k := range t.ForeignKeys {
			table.Keys = append(table.Keys, ForeignKey{Column: k.Columns[0].Name, To: k.RefTable.Name, OnDelete: string(k.OnDelete)})
		}
		slices.SortFunc(table.Indexes, func(a, b Index) int { return cmp.Compare(a.Name, b.Name) })
		slices.SortFunc(table.Keys, func(a, b ForeignKey) int { return cmp.Compare(a.Column, b.Column) })
		all = append(all, table)
	}
	slices.SortFunc(all, func(a, b Table) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Write writes the contract into the module's tree.
func (c *Contract) Write(tree *source.Tree) error {
	text, err := c.Encode()
	if err != nil {
		return err
	}
	return tree.Folder("ent").WriteFile("contract.json", text)
}

// text is the value as JSON, empty for nil.
func text(value any) string {
	if value == nil {
		return ""
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(encoded)
}
