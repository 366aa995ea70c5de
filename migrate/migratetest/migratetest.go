// Package migratetest gives a test of this service databases of its own, with
// the service's migrations applied. The databases are package storetest's.
package migratetest

import (
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate"
)

// Schema is the schema of every migration.
func Schema(t testing.TB) storetest.Schema {
	t.Helper()
	return storetest.Migrated(t, migrate.Files)
}

// Each runs the test on both databases, in parallel, with every migration applied.
func Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	Schema(t).Each(t, test)
}

// Kept returns the database at the address, migrated: one that outlasts the
// benchmark, so that a million rows are filled in once.
func Kept(t testing.TB, url string) *store.DB {
	t.Helper()
	return Schema(t).Kept(t, url)
}
