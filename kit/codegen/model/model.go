// Package model is Ent's graph in the vocabulary of package expose: which
// entities, fields, edges and operations the APIs show, by which names, and
// whether what a schema says of them is possible. It holds facts; what is
// written of them, in Go, SQL, GraphQL or OpenAPI, is for the emitters beside
// it, which all read the one [Model].
package model

import (
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// Model is Ent's graph in the vocabulary of the APIs: what every step after
// Ent itself generates from.
type Model struct {
	Graph *gen.Graph
	// Entities are the exposed ones, by name.
	Entities []*Entity
	// UnitIndexes are the indexes that begin with an amount.
	UnitIndexes []UnitIndex
}

// New reads the graph. A mistake in an annotation is an error that names
// the file, the field and what is allowed.
func New(graph *gen.Graph) (*Model, error) {
	m := &Model{Graph: graph}
	byType := map[string]*Entity{}
	for _, t := range graph.Nodes {
		var r expose.Resource
		exposed, err := annotation(t.Annotations, &r)
		if err != nil {
			return nil, ProblemAt(t, "", err)
		}
		if !exposed {
			continue
		}
		e, err := newEntity(t, r)
		if err != nil {
			return nil, err
		}
		m.Entities = append(m.Entities, e)
		byType[t.Name] = e
	}
	for _, e := range m.Entities {
		if err := e.addEdges(byType); err != nil {
			return nil, err
		}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	m.indexForeignKeys()
	m.indexUnits()
	return m, nil
}

// Searchable are the entities that full-text search looks in.
func (m *Model) Searchable() []*Entity {
	var all []*Entity
	for _, e := range m.Entities {
		if len(e.SearchFields) > 0 {
			all = append(all, e)
		}
	}
	return all
}
