package database

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// renames compares the tables with those that Ent would make had everything
// the name that expose.Was says: so join tables, foreign keys and what is
// called after them follow by Ent's own rules.
func renames(tree *source.Tree, tables []*schema.Table, past *load.SchemaSpec) (all []planner.Rename, err error) {
	graph, err := orm.NewGraph(tree, past)
	if err != nil {
		return nil, fmt.Errorf("the schema under the names of expose.Was: %w", err)
	}
	were, err := tablesOf(graph)
	if err != nil {
		return nil, fmt.Errorf("the schema under the names of expose.Was: %w", err)
	}
	if len(were) != len(tables) {
		return nil, fmt.Errorf("the schema under the names of expose.Was has %d tables, and not %d", len(were), len(tables))
	}
	for i, t := range tables {
		if was := were[i]; was.Name != t.Name {
			all = append(all, planner.Rename{From: was.Name, To: t.Name})
		}
		for j, c := range t.Columns {
			if j < len(were[i].Columns) && were[i].Columns[j].Name != c.Name {
				all = append(all, planner.Rename{Table: t.Name, From: were[i].Columns[j].Name, To: c.Name})
			}
		}
	}
	return all, nil
}

// Past are the schemas under the names that expose.Was says, nil where it says
// none. It is asked for before a graph is made of them, which changes them.
func Past(spec *load.SchemaSpec) (*load.SchemaSpec, error) {
	past, changed, err := before(spec)
	if err != nil || !changed {
		return nil, err
	}
	return past, nil
}

func before(spec *load.SchemaSpec) (past *load.SchemaSpec, changed bool, err error) {
	encoded, err := json.Marshal(spec)
	if err != nil {
		return nil, false, err
	}
	past = &load.SchemaSpec{}
	if err := json.Unmarshal(encoded, past); err != nil {
		return nil, false, err
	}
	types := map[string]string{}
	fields, edges := map[string]map[string]string{}, map[string]map[string]string{}
	for _, s := range past.Schemas {
		fields[s.Name], edges[s.Name] = map[string]string{}, map[string]string{}
		if err := note(types, s.Name, s.Annotations); err != nil {
			return nil, false, err
		}
		for _, f := range s.Fields {
			if err := note(fields[s.Name], f.Name, f.Annotations); err != nil {
				return nil, false, err
			}
			changed = changed || fields[s.Name][f.Name] != ""
		}
		for _, e := range model.Ends(s) {
			if err := note(edges[s.Name], e.Name, e.Annotations); err != nil {
				return nil, false, err
			}
			changed = changed || edges[s.Name][e.Name] != ""
		}
		if err := errors.Join(exchanged(s.Name, fields[s.Name]), exchanged(s.Name, edges[s.Name])); err != nil {
			return nil, false, err
		}
	}
	if err := exchanged("", types); err != nil {
		return nil, false, err
	}
	for _, s := range past.Schemas {
		rename(s, types, fields, edges)
	}
	return past, changed || len(types) > 0, nil
}

// exchanged refuses names that change places: a database does not show whether they
// have, and their values would stay where they are.
func exchanged(entity string, names map[string]string) error {
	for _, now := range slices.Sorted(maps.Keys(names)) {
		circle := []string{now}
		for was := names[now]; was != "" && !slices.Contains(circle, was); was = names[was] {
			circle = append(circle, was)
		}
		last := circle[len(circle)-1]
		if names[last] != now || last == now {
			continue
		}
		of := &model.SchemaError{Entity: entity, Member: now}
		if entity == "" {
			of.Entity, of.Member = now, ""
		}
		of.Err = fmt.Errorf("expose.Was: %s change places, and a database does not show whether they have: give %[2]s a third name in this release, and that of now in the next one, each with expose.Was",
			strings.Join(circle, " and "), now)
		return of
	}
	return nil
}

// note notes what expose.Was says.
func note(names map[string]string, name string, annotations map[string]any) error {
	c, err := change(annotations)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if c.Was != "" {
		names[name] = c.Was
	}
	return nil
}

// rename gives a schema, and what it refers to, the names that there were.
func rename(s *load.Schema, types map[string]string, fields, edges map[string]map[string]string) {
	was := func(names map[string]string, name *string) {
		if old, ok := names[*name]; ok {
			*name = old
		}
	}
	own, lines := fields[s.Name], edges[s.Name]
	for _, f := range s.Fields {
		was(own, &f.Name)
	}
	for _, i := range s.Indexes {
		for n := range i.Fields {
			was(own, &i.Fields[n])
		}
		for n := range i.Edges {
			was(lines, &i.Edges[n])
		}
	}
	for _, e := range model.Ends(s) {
		to := e.Type
		was(lines, &e.Name)
		was(own, &e.Field)
		was(edges[to], &e.RefName)
		was(types, &e.Type)
		if e.Through != nil {
			was(types, &e.Through.T)
		}
	}
	was(types, &s.Name)
}

// change decodes what expose says of a change.
func change(annotations map[string]any) (c expose.Change, err error) {
	raw, ok := annotations[c.Name()]
	if !ok {
		return c, nil
	}
	encoded, err := json.Marshal(raw)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(encoded, &c)
}
