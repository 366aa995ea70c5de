package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/privacy"

	"github.com/entwine-go/entwine/kit/viewer"
)

// ReadsByHand reports whether a policy has rules for queries that are no [Rules]: Go
// code, which a database can't be asked for. Rules of ent/privacy for mutations alone
// have none, and hold beside the [Rules] of the schema.
func ReadsByHand(p ent.Policy) bool {
	switch p := p.(type) {
	case nil, Rules:
		return false
	case privacy.Policy:
		return len(p.Query) > 0
	case privacy.Policies:
		return slices.ContainsFunc(p, ReadsByHand)
	}
	return true
}

// ByHand reports whether rules of ent/privacy judge mutations beside these.
func (r Rules) ByHand() bool { return len(r.byHand) > 0 }

// deferring is implemented by mutations whose writer calls [Rules.EvalByHand] itself,
// with Ent's own mutation: the type that rules by hand know.
type deferring interface {
	DefersByHand()
}

// EvalByHand has the rules of ent/privacy judge the mutation. Each list of them can
// refuse what the [Rules] admit, and none admits what these refuse: Allow ends the list
// that it stands in. The system's writes are not judged. A soft deletion is judged as the
// deletion that it stands for, and not as an update of deleted_at.
func (r Rules) EvalByHand(ctx context.Context, m ent.Mutation) error {
	v := viewer.From(ctx)
	if decision, made := privacy.DecisionFromContext(ctx); made || v.System || !r.ByHand() {
		return decision
	}
	verb := r.verb(ctx, m.Op())
	if shown, ok := m.(interface{ SetOp(op ent.Op) }); ok && r.SoftDelete && verb == Delete {
		before := m.Op()
		shown.SetOp(deletion(before))
		defer shown.SetOp(before)
	}
	for _, list := range r.byHand {
		switch decision := list.EvalMutation(ctx, m); {
		case decision == nil, errors.Is(decision, privacy.Allow):
		case errors.Is(decision, privacy.Deny):
			return fmt.Errorf("%s %s: %w (%w)", verb, m.Type(), Denied(v), decision)
		default:
			return decision
		}
	}
	return nil
}

// deletion is the operation of Ent's that a soft deletion stands for.
func deletion(op ent.Op) ent.Op {
	if op.Is(ent.OpUpdateOne) {
		return ent.OpDeleteOne
	}
	return ent.OpDelete
}
