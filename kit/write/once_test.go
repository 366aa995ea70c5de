package write_test

import (
	"context"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/write"
)

// A secret that is shown once and that no API would show is not lost without a word.
func TestWhatIsShownOnceIsDeclared(t *testing.T) {
	parcel := &write.Entity{Entity: &entity.Entity{
		Name: "Parcel", Singular: "parcel", Rules: policy.Rules{Verbs: policy.Verbs{"seal": policy.Anyone()}},
	}}
	seal := &write.Action{Action: expose.Action{
		Verb: "seal", Scope: expose.Unbound, Run: expose.OutsideTx, Answer: expose.Answer{Once: []expose.Member{{Name: "code"}}},
	}}
	for _, name := range []string{"code", "secret"} {
		seal.Run = func(context.Context, any, gid.ID, write.Values) (write.Result, error) {
			return write.Result{Once: map[string]string{name: "1234"}}, nil
		}
		_, err := (&write.Engine{Methods: struct{}{}}).Act(t.Context(), write.Call{Entity: parcel}, seal)
		const want = `Parcel: action "seal": its method returns "secret" in Result.Once, which Answer.Once of the action does not declare`
		if (name == "code") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
