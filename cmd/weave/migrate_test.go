package main_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestMigrationsSayWhatTheSchemaSays(t *testing.T) {
	t.Parallel()
	storetest.NeedPostgres(t)
	if out, code := call(t, "migrate", "verify", "--root", "../.."); code != 0 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
