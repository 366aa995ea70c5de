// Package notes is the small application that the kit's own tests run on: the
// tables of the kit's packages beside those of people who write notes, with
// the triggers that announce them.
package notes

import (
	"context"
	_ "embed" // the tables
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

var (
	//go:embed postgres.sql
	postgres string
	//go:embed sqlite.sql
	sqlite string

	texts = store.PerDialect(postgres, sqlite)
)

// Schema has the tables, without rows.
var Schema = storetest.Schema{Key: "notes\n" + postgres + sqlite, Up: up}

// Migrations makes them in one step, on either database, as a service does.
func Migrations() (fs.FS, error) {
	files := fstest.MapFS{}
	for folder, text := range map[string]string{"postgres": postgres, "sqlite": sqlite} {
		dir := new(atlas.MemDir)
		if err := dir.WriteFile(first, []byte(text)); err != nil {
			return nil, err
		}
		sum, err := dir.Checksum()
		if err != nil {
			return nil, err
		}
		content, err := sum.MarshalText()
		if err != nil {
			return nil, err
		}
		files[folder+"/"+first] = &fstest.MapFile{Data: []byte(text)}
		files[folder+"/"+atlas.HashFileName] = &fstest.MapFile{Data: content}
	}
	return files, nil
}

// first is the name of the one migration.
const first = "20260101000000_notes.sql"

func up(ctx context.Context, db *store.DB) error {
	if _, err := db.ExecContext(ctx, texts.On(db.Dialect)); err != nil {
		return fmt.Errorf("make the tables of notes: %w", err)
	}
	return nil
}

// Each runs the test on both databases, in parallel.
func Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	Schema.Each(t, test)
}

var (
	userText   = statement.Of(`INSERT INTO users (name) VALUES ($1) RETURNING id`)
	noteText   = statement.Of(`INSERT INTO notes (text, user_id) VALUES ('On Engines', $1) RETURNING id`)
	remarkText = statement.Of(`INSERT INTO remarks (text, note_id) VALUES ('!', $1) RETURNING id`)
)

// User adds a user and returns their id.
func User(ctx context.Context, db *store.DB, name string) (int64, error) {
	return add(ctx, db, userText, name)
}

// Note writes a note of the user, which is announced as note.written.
func Note(ctx context.Context, db *store.DB, user int64) (int64, error) {
	return add(ctx, db, noteText, user)
}

// Remark writes a remark on the note, which is announced as remark.made.
func Remark(ctx context.Context, db *store.DB, note int64) (int64, error) {
	return add(ctx, db, remarkText, note)
}

func add(ctx context.Context, db *store.DB, text statement.Statement, arg any) (id int64, err error) {
	_, err = text.Row(ctx, db, []any{&id}, arg)
	return id, err
}
