package migration

import (
	"slices"
	"testing"
)

func TestAssigned(t *testing.T) {
	t.Parallel()
	for set, want := range map[string][]string{
		`"a" = 1`: {"a"},
		`"a" = (SELECT max("b", 1) FROM "c"), "d" = 'x, "e" = 2', "f" = CASE WHEN "f" IS NULL THEN 'it''s' END`: {"a", "d", "f"},
	} {
		if got := assigned(set); !slices.Equal(got, want) {
			t.Errorf("%s sets %q, want %q", set, got, want)
		}
	}
}
