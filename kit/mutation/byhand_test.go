package mutation_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Guarded is a crate with rules of ent/privacy, in a mixin and in a list of its own.
type Guarded struct{ Crate }

func (g Guarded) Mixin() []ent.Mixin { return append(g.Crate.Mixin(), trusting{}, careful{}) }

// trusting allows everything, which ends its own list alone.
type trusting struct{ mixin.Schema }

func (trusting) Policy() ent.Policy {
	return privacy.Policy{Mutation: privacy.MutationPolicy{privacy.AlwaysAllowRule(), privacy.AlwaysDenyRule()}}
}

type careful struct{ mixin.Schema }

var errHeavy = problem.New(problem.Conflict, "too heavy")

func (careful) Policy() ent.Policy {
	return privacy.Policies{privacy.Policy{Mutation: privacy.MutationPolicy{
		privacy.MutationRuleFunc(func(_ context.Context, m ent.Mutation) error {
			name, _ := m.Field("name")
			switch {
			case name == "heavy":
				return errHeavy
			case name == "bomb":
				return privacy.Denyf("no bombs")
			}
			return privacy.Skipf("a %v", name)
		}),
		privacy.ContextQueryMutationRule(func(ctx context.Context) error {
			if viewer.From(ctx).UserID == 9 {
				return privacy.Allowf("a user of trust")
			}
			return privacy.Skip
		}),
		privacy.DenyMutationOperationRule(ent.OpDelete),
	}}}
}

// Rules of ent/privacy for mutations refuse what the schema's own rules admit, and admit
// nothing that these refuse.
func TestRulesByHandJudgeMutations(t *testing.T) {
	t.Parallel()
	crates.Each(t, func(t *testing.T, db *store.DB) {
		table := mutation.Of(Guarded{Crate{said: new([]string)}}, "crates")
		trusted := viewer.With(t.Context(), &viewer.Viewer{UserID: 9, Role: "user"})
		ada := viewer.With(t.Context(), &viewer.Viewer{UserID: 7, Role: "user"})
		bob := viewer.With(t.Context(), &viewer.Viewer{UserID: 8, Role: "user"})
		makes := func(ctx context.Context, name string, owner int64) error {
			_, err := table.Make(ctx, db.Driver(), map[string]any{"name": name, "owner_id": owner})
			return err
		}
		for _, c := range []struct {
			what string
			err  error
			want problem.Kind
		}{
			{"a crate", makes(ada, "tea", 7), 0},
			{"a crate that a list refuses", makes(ada, "bomb", 7), problem.Forbidden},
			{"a crate that is a problem of its own", makes(ada, "heavy", 7), problem.Conflict},
			{"another's crate", makes(bob, "tea", 7), problem.Forbidden},
			{"an anonymous caller's", makes(viewer.With(t.Context(), &viewer.Viewer{}), "tea", 7), problem.Unauthenticated},
			{"the system's", makes(viewer.With(t.Context(), viewer.System()), "bomb", 7), 0},
			{"one by a decision of the context", makes(privacy.DecisionContext(ada, privacy.Allow), "bomb", 7), 0},
		} {
			if done := c.want == 0; done != (c.err == nil) || !done && problem.KindOf(store.Problem(c.err)) != c.want {
				t.Errorf("%s: %v, want %v", c.what, c.err, c.want)
			}
		}
		if err := makes(trusted, "ore", 9); err != nil {
			t.Error(err)
		}
		if n, err := table.Delete(trusted, db.Driver(), sql.FieldEQ("name", "ore")); n != 1 || err != nil {
			t.Errorf("after an Allow %d are removed, %v", n, err)
		}
		if err := makes(ada, "bomb", 7); !errors.Is(err, privacy.Deny) || !strings.Contains(err.Error(), "no bombs") {
			t.Errorf("the log reads %v, without the reason", err)
		}
		if n, err := table.Delete(ada, db.Driver(), sql.FieldEQ("name", "tea")); n != 0 || !errors.Is(err, problem.ErrForbidden) {
			t.Errorf("%d are removed, %v", n, err)
		}
		u := table.Update(db.Driver())
		if err := u.Set(map[string]any{"name": "bomb"}); err != nil {
			t.Fatal(err)
		}
		if n, err := u.Save(ada); n != 0 || !errors.Is(err, problem.ErrForbidden) {
			t.Errorf("%d are changed, %v", n, err)
		}
	})
}
