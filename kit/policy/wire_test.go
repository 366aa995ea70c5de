package policy_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A rule is the same after JSON, in which it reaches the generator.
func TestARuleIsTheSameAfterJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rule(t, 3)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got policy.Rule
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		for _, v := range []*viewer.Viewer{anonymous, user, admin, reader, system} {
			if a, b := written(r.For(v)), written(got.For(v)); a != b {
				t.Fatalf("%s becomes %s", a, b)
			}
		}
		if !reflect.DeepEqual(r.Terms(), got.Terms()) {
			t.Fatalf("%v becomes %v", r.Terms(), got.Terms())
		}
	})
	var r policy.Rule
	if json.Unmarshal([]byte(`{"op":"some"}`), &r) == nil {
		t.Error("a rule of no kind is read")
	}
}
