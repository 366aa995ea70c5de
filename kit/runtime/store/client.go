package store

import (
	"github.com/entwine-go/entwine/ent"
	_ "github.com/entwine-go/entwine/ent/runtime" // policies, hooks and defaults: nobody else links them
)

// Client returns Ent's client over the database. Its calls run in the
// transaction of their context, if there is one; its Close does nothing.
func Client(db *DB) *ent.Client { return ent.NewClient(ent.Driver(db.Driver())) }
