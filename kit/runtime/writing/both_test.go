package writing_test

import (
	"context"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/problem"
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

// What two judges find wrong with an input is told once for each field.
func TestBothJudgeAnInput(t *testing.T) {
	t.Parallel()
	judge := func(names ...string) writing.Judge {
		return func(_ writing.Values, right func(...string) bool) (all []problem.Detail) {
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
	for _, d := range writing.BothJudge(judge("a", "b", "c"), judge("b", "c", "d"))(nil, right) {
		told = append(told, d.Field+" "+d.Message)
	}
	want := []string{"a by the judge of [a b c]", "b by the judge of [a b c]", "a[0].at in any case", "d by the judge of [b c d]"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if writing.BothJudge(nil, nil) != nil || writing.BothJudge(judge("a"), nil) == nil || writing.BothJudge(nil, judge("a")) == nil {
		t.Error("a judge alone is both")
	}
}
