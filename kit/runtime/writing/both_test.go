package writing_test

import (
	"context"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// What a service does around a write does not take the place of what the kit does.
func TestBothHappenAroundAWrite(t *testing.T) {
	t.Parallel()
	var did []string
	around := func(name, verb string) *writing.Around {
		return &writing.Around{
			When:    func(c *writing.Change) bool { return c.Verb == verb || verb == "" },
			Prepare: func(context.Context, *writing.Change) (any, error) { return name, nil },
			Write: func(ctx context.Context, _ *writing.Change, prepared any, write func(context.Context) (writing.Row, error)) (writing.Row, error) {
				did = append(did, name+" with "+prepared.(string))
				return write(ctx)
			},
		}
	}
	both := writing.Both(around("outer", ""), around("inner", "create"))
	for verb, want := range map[string][]string{
		"create": {"outer with outer", "inner with inner", "write"},
		"update": {"outer with outer", "write"},
	} {
		did = nil
		c := &writing.Change{Verb: verb}
		prepared, err := both.Prepare(t.Context(), c)
		if err == nil && both.When(c) {
			_, err = both.Write(t.Context(), c, prepared, func(context.Context) (writing.Row, error) {
				did = append(did, "write")
				return writing.Row{}, nil
			})
		}
		if err != nil || !slices.Equal(did, want) {
			t.Errorf("%s: %q, %v, want %q", verb, did, err, want)
		}
	}
	if alone := around("alone", ""); writing.Both(nil, alone) != alone || writing.Both(alone, nil) != alone {
		t.Error("one alone is itself")
	}
}
