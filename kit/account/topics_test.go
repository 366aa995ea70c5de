package account_test

import (
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A stream that is woken when its caller changes finds that the verifier has been woken
// before: it is given the caller of now, by one statement for all who wait.
func TestStreamsAreWokenAfterTheirVerifier(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		grant := d.admit(who, account.ModeBearer)
		v, err := d.verifier.Token(t.Context(), grant.Access.Text)
		d.must(err)
		for _, change := range []func(){
			func() { d.must(d.update(who).SetRole("editor").Exec(system(t))) },
			func() { d.must(d.gate.SignOut(d.as(grant), "")) },
		} {
			woken, stop := d.bus.Listen(account.Topics(v)...)
			_, err := d.verifier.Still(t.Context(), v) // which is remembered
			d.must(err)
			change()
			select {
			case <-woken:
			default:
				t.Fatal("the stream is not woken with the commit")
			}
			stop()
			if is, err := d.verifier.Still(t.Context(), v); err == nil && is.Role == v.Role {
				t.Errorf("after the change the caller is %+v", is)
			} else if err == nil {
				v = is
			}
		}
	})
}

// The anonymous caller and the system stay who they are.
func TestTopicsOfCallers(t *testing.T) {
	t.Parallel()
	for _, v := range []*viewer.Viewer{viewer.Anonymous(), viewer.System()} {
		if topics := account.Topics(v); topics != nil {
			t.Errorf("%+v listens to %v", v, topics)
		}
	}
	key := account.Topics(&viewer.Viewer{KeyID: 7})
	if len(key) != 2 || !slices.Contains(key, viewer.Changed) {
		t.Errorf("a key listens to %v", key)
	}
}
