package main

import (
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestMigrationsSayWhatTheSchemaSays(t *testing.T) {
	storetest.NeedPostgres(t)
	if err := planner.Verify(t.Context(), "../../migrate", wanted()); err != nil {
		t.Errorf("%v\nrun make migration NAME=…", err)
	}
}
