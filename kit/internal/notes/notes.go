// Package notes is the application that the kit's own tests run on: people write
// notes, and remarks on them. It is generated from its schemas like any service, by
// make generate, in the folders beside: so the kit's tests stand beside what they
// test and need no service.
//
// The package itself has the tables, and writes rows as SQL for tests of what knows
// of no entity; package world has the application as a whole.
package notes

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/internal/notes/migrate"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Schema has the tables, without rows.
func Schema(t testing.TB) storetest.Schema {
	t.Helper()
	return storetest.Migrated(t, migrate.Files)
}

// Each runs the test on both databases, in parallel.
func Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	Schema(t).Each(t, test)
}

var (
	userText = statement.Of(`
		INSERT INTO users (created_at, updated_at, name, email, name_fold, email_fold) VALUES ($1, $1, $2, $3, $4, $5) RETURNING id`)
	noteText = statement.Of(`
		INSERT INTO notes (created_at, updated_at, title, text, title_fold, text_fold, user_id) VALUES ($1, $1, 'On Engines', '', 'on engines', '', $2) RETURNING id`)
	remarkText = statement.Of(`
		INSERT INTO remarks (created_at, updated_at, text, note_id, user_id) SELECT $1, $1, '!', id, user_id FROM notes WHERE id = $2 RETURNING id`)
)

// User adds a user and returns their id.
func User(ctx context.Context, db *store.DB, name string) (int64, error) {
	email := strings.ToLower(name) + "@example.com"
	return add(ctx, db, userText, name, email, fold.String(name), fold.String(email))
}

// Note writes a note of the user, which is announced as note.written.
func Note(ctx context.Context, db *store.DB, user int64) (int64, error) {
	return add(ctx, db, noteText, user)
}

// Remark writes a remark on the note, by its user, which is announced as remark.made.
func Remark(ctx context.Context, db *store.DB, note int64) (int64, error) {
	return add(ctx, db, remarkText, note)
}

func add(ctx context.Context, db *store.DB, text statement.Statement, args ...any) (id int64, err error) {
	_, err = text.Row(ctx, db, []any{&id}, append([]any{time.Now().UTC()}, args...)...)
	return id, err
}
