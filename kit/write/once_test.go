package write_test

import (
	"context"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/write"
)

// sealed is a schema with an action that shows a code this once.
type sealed struct{ ent.Schema }

func (sealed) Annotations() []schema.Annotation {
	return []schema.Annotation{expose.Resource{Path: "parcels", Actions: []expose.Action{{
		Verb: "seal", Scope: expose.Unbound, Run: expose.OutsideTx,
		Answer: expose.Answer{Once: []expose.Member{{Name: "code", Shape: expose.Text}}},
	}}}}
}

// Secrets that a method shows once are beside its result, in the struct that is generated
// of the declaration: a method that shows more than is declared does not compile.
func TestWhatIsShownOnceIsBesideTheResult(t *testing.T) {
	parcel := &write.Entity{Entity: &entity.Entity{
		Name: "Parcel", Singular: "parcel", Rules: policy.Rules{Verbs: policy.Verbs{"seal": policy.Anyone()}},
	}}
	parcel.Actions = write.Declared(sealed{}, write.Bound{
		Show: func(context.Context, any, gid.ID, write.Values) (write.Result, write.Once, error) {
			return write.Result{Members: "sealed"}, write.Once{"code": "1234"}, nil
		},
	})
	result, err := (&write.Engine{Methods: struct{}{}}).Act(t.Context(), write.Call{Entity: parcel}, parcel.Action("seal"))
	if err != nil || result.Once()["code"] != "1234" || result.Members != "sealed" {
		t.Errorf("sealed with %v, %v: %v", result, result.Once(), err)
	}
}
