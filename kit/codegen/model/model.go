// Package model is Ent's graph in the vocabulary of package expose: which
// entities, fields, edges and operations the APIs show, by which names, and
// whether what a schema says of them is possible. It holds facts; the emitters
// beside it, which all read the one [Model], write Go, SQL, GraphQL and OpenAPI of
// them.
//
// It is one package because the declarations of an entity refer to each other: an
// action is checked against fields, states, policies and edges, and all checks read
// the one graph.
package model

import (
	"errors"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/expose"
)

// Model is Ent's graph in the vocabulary of the APIs: what every step after
// Ent itself generates from.
type Model struct {
	Graph *gen.Graph
	// Service describes the service as a whole.
	Service expose.Service
	// Entities are the exposed ones, by name.
	Entities []*Entity
	// UnitIndexes are the indexes that Ent does not know: those that begin with
	// an amount, and those of the tables between two entities.
	UnitIndexes []UnitIndex

	ruled map[string]bool // the types whose policies are policy.Rules
	mixed map[string]bool // those of them that have rules of mixins
	// Hooked is set where an entity has hooks that are not the kit's: they see the
	// mutations of Ent's client, which the program then links.
	Hooked bool
}

// New reads the graph. Mistakes in annotations, and in what a program could
// tell of the schemas (nothing, if it was not asked), are errors of type
// [SchemaError], joined.
func New(graph *gen.Graph, told ...facts.Entity) (*Model, error) {
	m, errs := Read(graph, told...)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return m, nil
}

// Read is [New] for who looks for more mistakes: with mistakes, the model is
// of what could be read.
func Read(graph *gen.Graph, told ...facts.Entity) (*Model, []error) {
	m := &Model{Graph: graph, ruled: map[string]bool{}, mixed: map[string]bool{}}
	for _, f := range told {
		m.ruled[f.Name], m.mixed[f.Name] = f.Rules != nil && !f.Partial, f.Mixed
		m.Hooked = m.Hooked || f.Hooked
	}
	byType := map[string]*Entity{}
	var errs []error
	errs = append(errs, sharedTables(graph)...)
	for _, t := range graph.Nodes {
		if err := unnamed(t); err != nil {
			errs = append(errs, err)
			continue
		}
		var r expose.Resource
		exposed, err := Annotation(t.Annotations, &r)
		if err != nil {
			errs = append(errs, ProblemAt(t, "", err))
		}
		if !exposed || err != nil {
			continue
		}
		e, wrong := newEntity(t, r)
		errs = append(errs, wrong...)
		m.Entities = append(m.Entities, e)
		byType[t.Name] = e
	}
	jobs := m.HasJobs()
	for _, e := range m.Entities {
		e.InSteps = jobs && e.SoftDelete && fieldOf(e.Type, "deleted_with") != nil && e.Type.ID.StorageKey() == "id"
		e.addEdges(byType)
		e.addSubscriptions(byType)
		e.addMarks(byType)
		errs = append(errs, e.addActions()...)
		errs = append(errs, e.addCalcs()...)
		e.addMeasures()
		e.addOffers()
		e.addRights()
		e.olds()
	}
	for _, f := range told {
		if e := byType[f.Name]; e != nil {
			e.Rules = f.Rules
		}
	}
	errs = append(errs, m.mistakes(told)...)
	if len(errs) > 0 {
		return m, errs
	}
	for _, e := range m.Entities {
		e.addChecks()
	}
	m.indexSelective()
	m.indexTenants()
	m.indexForeignKeys()
	m.indexUnits()
	m.indexJoins()
	return m, nil
}

// mistakes are those of the model as a whole.
func (m *Model) mistakes(told []facts.Entity) []error {
	return slices.Concat(m.check(), m.checkGraphQL(), m.checkTenants(), m.checkWithin(), m.checkFacts(told), m.checkTenantRules(told), m.checkRequires())
}

// HasJobs reports whether the service has a table of jobs.
func (m *Model) HasJobs() bool {
	return slices.ContainsFunc(m.Graph.Nodes, func(t *gen.Type) bool { return t.Table() == "jobs" })
}

// Caller is the entity whose rows are the callers: what fields with
// expose.Caller refer to, the first one's, and where there is no such field the entity of
// which a query answers with the caller's own row. It is empty where there is neither.
func (m *Model) Caller() string {
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if f.Caller && f.Ref != "" {
				return f.Ref
			}
		}
	}
	for _, e := range m.Entities {
		if slices.ContainsFunc(e.Resource.Queries, func(q expose.Query) bool { return q.Caller }) {
			return e.Name
		}
	}
	return ""
}

// Followed are the entities whose changes programs follow.
func (m *Model) Followed() []*Entity {
	var all []*Entity
	for _, e := range m.Entities {
		if e.Changes {
			all = append(all, e)
		}
	}
	return all
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
