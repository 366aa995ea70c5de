package requestid_test

import (
	"context"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/requestid"
)

func TestValid(t *testing.T) {
	for id, want := range map[string]bool{
		"a":                      true,
		"7f3c-01_x.~:/+=@Z":      true,
		requestid.New():          true,
		strings.Repeat("a", 128): true,
		strings.Repeat("a", 129): false,
		"":                       false,
		"a b":                    false,
		"a\nb":                   false,
		`a"b`:                    false,
		"ä":                      false,
		"a[b":                    false,
		"a`b":                    false,
	} {
		if got := requestid.Valid(id); got != want {
			t.Errorf("Valid(%q) = %v, want %v", id, got, want)
		}
	}
}

func TestContextCarriesTheID(t *testing.T) {
	ctx := context.Background()
	if got := requestid.From(ctx); got != "" {
		t.Errorf("From(a context without an id) = %q, want none", got)
	}
	if got := requestid.From(requestid.With(ctx, "r1")); got != "r1" {
		t.Errorf("From = %q, want r1", got)
	}
}

func TestNewIsNew(t *testing.T) {
	if a, b := requestid.New(), requestid.New(); a == b {
		t.Errorf("New returned %q twice", a)
	}
}
