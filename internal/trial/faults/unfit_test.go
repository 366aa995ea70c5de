package faults_test

import (
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// A process of the version before is not ready once a migration has renamed what it
// reads, for all it could answer is 500.
func TestAProcessThatAMigrationHasLeftBehind(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite://" + filepath.Join(t.TempDir(), "left.db") },
		"postgres": func(t *testing.T) string { return migratetest.Schema(t).PostgresURL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := database(t)
			s := trial.Start(t, "ENTWINE_DATABASE_URL="+url, "ENTWINE_LOG_LEVEL=info")
			s.Ask(t, "GET", "/readyz", "").Want(t, 200)
			db, err := store.Open(t.Context(), store.Config{URL: url, Conns: 2})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			migrate := func(version, text string) {
				t.Helper()
				for _, one := range []string{text, "INSERT INTO entwine_revisions SELECT '" + version + "', description, applied, total, executed_at, hash, details FROM entwine_revisions LIMIT 1"} {
					if _, err := db.ExecContext(t.Context(), one); err != nil {
						t.Fatal(err)
					}
				}
			}
			migrate("29990101000000", "ALTER TABLE posts RENAME COLUMN title TO heading")
			s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 500)
			s.Ask(t, "GET", "/readyz", "").Want(t, 503, `"status":"unavailable"`, `"database":"failed"`)
			s.Output.Wait(t, "what this program reads: posts.title")
			migrate("29990102000000", "ALTER TABLE posts RENAME COLUMN heading TO title")
			s.Ask(t, "GET", "/readyz", "").Want(t, 200)
			s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
		})
	}
}
