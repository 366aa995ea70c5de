package write_test

import (
	"context"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// Hooks of a service around a write don't replace those of the kit.
func TestBothHappenAroundAWrite(t *testing.T) {
	t.Parallel()
	var did []string
	around := func(name, verb string) *write.Around {
		return &write.Around{
			When:    func(c *write.Change) bool { return c.Verb == verb || verb == "" },
			Prepare: func(context.Context, *write.Change) (any, error) { return name, nil },
			Write: func(ctx context.Context, _ *write.Change, prepared any, write func(context.Context) (write.Row, error)) (write.Row, error) {
				did = append(did, name+" with "+prepared.(string))
				return write(ctx)
			},
		}
	}
	both := write.Both(around("outer", ""), around("inner", "create"))
	for verb, want := range map[string][]string{
		"create": {"outer with outer", "inner with inner", "write"},
		"update": {"outer with outer", "write"},
	} {
		did = nil
		c := &write.Change{Verb: verb}
		prepared, err := both.Prepare(t.Context(), c)
		if err == nil && both.When(c) {
			_, err = both.Write(t.Context(), c, prepared, func(context.Context) (write.Row, error) {
				did = append(did, "write")
				return write.Row{}, nil
			})
		}
		if err != nil || !slices.Equal(did, want) {
			t.Errorf("%s: %q, %v, want %q", verb, did, err, want)
		}
	}
	if alone := around("alone", ""); write.Both(nil, alone) != alone || write.Both(alone, nil) != alone {
		t.Error("one alone is itself")
	}
}

// Findings of two judges are reported once for each field.
func TestBothJudgeAnInput(t *testing.T) {
	t.Parallel()
	judge := func(names ...string) write.Judge {
		return func(_ write.Values, right func(...string) bool) (all []problem.Detail) {
			for _, name := range names {
				if right(name) {
					all = append(all, problem.Rulef(name, nil, "by the judge of %v", names))
				}
			}
			return append(all, problem.Rulef(names[0]+"[0].at", nil, "in any case"))
		}
	}
	right := func(names ...string) bool { return !slices.Contains(names, "c") }
	var told []string
	for _, d := range write.BothJudge(judge("a", "b", "c"), judge("b", "c", "d"))(nil, right) {
		told = append(told, d.Field+" "+d.Message)
	}
	want := []string{"a by the judge of [a b c]", "b by the judge of [a b c]", "a[0].at in any case", "d by the judge of [b c d]"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if write.BothJudge(nil, nil) != nil || write.BothJudge(judge("a"), nil) == nil || write.BothJudge(nil, judge("a")) == nil {
		t.Error("a judge alone is both")
	}
}
