// Package triggers writes the objects of databases beside Ent's tables: triggers
// that announce, count, stamp and forget, the documents of full-text search, and
// indexes of expressions, in the SQL of PostgreSQL and of SQLite. Migrations make
// them; the planner of migrations asks for them here.
package triggers

import (
	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// Objects are the triggers and other objects that the schemas ask for, by Ent's name of the
// database, in the order of their creation. They announce writes in the table of events
// (expose.Topic), note changes (expose.Resource.Changes), attach files (expose.File), announce
// writes to live lists (expose.Resource.Live), count and add up (expose.CountOf, SumOf, MeanOf),
// keep trees free of cycles (expose.Tree) and tenants and other parents apart (expose.Tenant,
// expose.Within), delete and restore rows with others (expose.DeletedWith), leave removals to a
// job, forget (expose.ForgetWith), stamp (expose.StampWhen), raise the versions of rows
// (tables.Versioned), index texts for search (expose.Resource.Search), and keep of amounts the
// numbers that are shown (expose.Money).
func Objects(m *model.Model) (map[string][]Object, error) {
	all, err := allTriggers(m)
	if err != nil {
		return nil, err
	}
	kept := keptRelations(m)
	postgres, sqlite := pendingTables(m, kept), pendingTables(m, kept)
	postgres = append(postgres, leases(heard(m))...)
	written := writtenOnce(m)
	for _, t := range joined(all) {
		postgres = append(postgres, t.postgres()...)
	}
	for _, t := range all {
		if t.announces && t.on == "update" {
			t.of = written[t.table]
		}
		sqlite = append(sqlite, t.sqlite())
	}
	raised, raisedLite, err := versions(m)
	if err != nil {
		return nil, err
	}
	postgres, sqlite = append(postgres, raised...), append(sqlite, raisedLite...)
	postgres = append(postgres, turns(kept)...)
	grown, planted := trees(m)
	postgres, sqlite = append(postgres, grown...), append(sqlite, planted...)
	documents, tables := searches(m)
	postgres = append(postgres, documents...)
	sqlite = append(sqlite, tables...)
	stored, virtual := unitColumns(m)
	postgres, sqlite = append(postgres, stored...), append(sqlite, virtual...)
	for _, i := range m.UnitIndexes {
		postgres = append(postgres, unitIndex(i))
		sqlite = append(sqlite, unitIndex(i))
	}
	return map[string][]Object{dialect.Postgres: postgres, dialect.SQLite: sqlite}, nil
}

// allTriggers are those that both databases have. Those of search differ.
func allTriggers(m *model.Model) ([]trigger, error) {
	var all []trigger
	for _, e := range m.Entities {
		all = append(all, announcements(e)...)
		all = append(all, noting(e)...)
		all = append(all, attaching(e)...)
	}
	all = append(all, heard(m)...)
	all = append(all, cascades(m)...)
	all = append(all, removes(m)...)
	all = append(all, tallies(m)...)
	for _, e := range m.Entities {
		all = append(all, forgetting(e)...)
	}
	all = append(all, tenants(m)...)
	all = append(all, withins(m)...)
	stamped, err := stamps(m)
	return append(all, stamped...), err
}
