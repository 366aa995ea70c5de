package main

import (
	"testing"

	"github.com/entwine-go/entwine/internal/migration"
	"github.com/entwine-go/entwine/internal/pgserver"
)

func TestMigrationsSayWhatTheSchemaSays(t *testing.T) {
	if _, err := pgserver.Shared(t.Context()); err != nil {
		t.Skip("NOT TESTED: ", err)
	}
	if err := migration.Verify(t.Context(), "../../migrate", wanted()); err != nil {
		t.Errorf("%v\nrun make migration NAME=…", err)
	}
}
