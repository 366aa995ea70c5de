package notes_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/internal/notes/ent/digest"
	"github.com/entwine-go/entwine/kit/internal/notes/migrate"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

func TestTheMigrationLeadsToTheSchema(t *testing.T) {
	t.Parallel()
	for _, d := range store.Dialects {
		if err := migration.Matches(migrate.Files, digest.Schema, d.Name()); err != nil {
			t.Errorf("%v: make notes writes the migration anew", err)
		}
	}
}
