package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/internal/notes/ent"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestRefreshRotates(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		first := d.admit(who, account.ModeBearer)
		second := d.refresh(first)
		third := d.refresh(second)
		if first.Refresh.Text == second.Refresh.Text || second.Refresh.Text == third.Refresh.Text {
			t.Error("a token follows itself")
		}
		if !third.Refresh.Expires.Equal(first.Refresh.Expires) {
			t.Errorf("refreshing moves the end from %v to %v", first.Refresh.Expires, third.Refresh.Expires)
		}
		v, err := d.verifier.Token(t.Context(), third.Access.Text)
		if err != nil || v.UserID != who.ID || v.SessionID != d.sid(first) {
			t.Errorf("the access token is of %+v, %v", v, err)
		}
	})
}

func TestAParallelRefreshGetsTheSameHead(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.admit(d.register(ada), account.ModeBearer)
		head := d.refresh(first)
		d.pass(10 * time.Second)
		if again := d.refresh(first); again.Refresh.Text != head.Refresh.Text {
			t.Error("two heads")
		}
	})
}

func TestReuseEndsTheFamily(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		for name, before := range map[string]func(second *account.Grant){
			"when the grace is over":                             func(*account.Grant) { d.pass(10*time.Second + time.Microsecond) },
			"when the successor has been used, inside the grace": func(second *account.Grant) { d.refresh(second) },
		} {
			t.Run(name, func(t *testing.T) {
				first := d.admit(who, account.ModeBearer)
				second := d.refresh(first)
				before(second)
				d.refused(first.Refresh.Text, problem.TokenInvalid)
				d.refused(second.Refresh.Text, problem.TokenInvalid)
				_, err := d.verifier.Token(t.Context(), second.Access.Text)
				d.wantKind("the access token of the family", err, problem.TokenInvalid)
			})
		}
	})
}

func TestOneHeadForFiftyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.admit(d.register(ada), account.ModeBearer)
		heads := make([]string, 50)
		ctx := t.Context()
		for _, err := range atOnce(func(i int) error {
			grant, err := d.gate.Refresh(ctx, first.Refresh.Text)
			if err == nil {
				heads[i] = grant.Refresh.Text
			}
			return err
		}) {
			d.must(err)
		}
		for _, head := range heads {
			if head != heads[0] {
				t.Fatalf("two heads: %s and %s", head, heads[0])
			}
		}
	})
}

func TestARefreshTokenThatIsNoGood(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		good := d.admit(who, account.ModeBearer)
		text := good.Refresh.Text
		parts := strings.Split(text, ".")
		foreign := *d.gate
		foreign.Vault = vault(t, 2)
		other, err := foreign.Admit(t.Context(), who, account.ModeBearer, home)
		d.must(err)
		for name, token := range map[string]string{
			"of another counter": parts[0] + ".1." + parts[2],
			"of another family":  strings.Split(d.admit(who, account.ModeBearer).Refresh.Text, ".")[0] + ".0." + parts[2],
			"changed in a bit":   text[:50] + string(text[50]^1) + text[51:],
			"cut":                text[:len(text)-1],
			"no token":           "nonsense",
			"an access token":    good.Access.Text,
			"of another key":     other.Refresh.Text,
		} {
			t.Run(name, func(*testing.T) { d.refused(token, problem.TokenInvalid) })
		}
		d.refused("", problem.Unauthenticated)
		d.refresh(good) // none of that has harmed it
	})
}

func TestASignInEnds(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		for _, c := range []struct {
			name string
			end  func(grant *account.Grant)
		}{
			{"by signing out", func(grant *account.Grant) { d.must(d.gate.SignOut(t.Context(), grant.Refresh.Text)) }},
			{"by signing out with the access token", func(grant *account.Grant) { d.must(d.gate.SignOut(d.as(grant), "")) }},
			{"by its user, who ends it by name", func(grant *account.Grant) {
				d.must(d.gate.End(d.as(d.admit(who, account.ModeBearer)), d.sid(grant)))
			}},
			{"with all others", func(*account.Grant) { d.must(d.gate.EndOthers(d.as(d.admit(who, account.ModeBearer)))) }},
			{"with all of the user's", func(*account.Grant) { d.must(d.gate.EndAll(t.Context(), who.ID, "password")) }},
			{"after seven days", func(*account.Grant) { d.pass(account.RefreshLife) }},
			{"with the user", func(*account.Grant) { d.must(d.update(who).SetIsActive(false).Exec(system(t))) }},
		} {
			t.Run(c.name, func(*testing.T) {
				grant := d.admit(who, account.ModeBearer)
				c.end(grant)
				d.refused(grant.Refresh.Text, problem.TokenInvalid)
				if _, err := d.verifier.Token(t.Context(), grant.Access.Text); err == nil {
					t.Error("the access token goes on")
				}
			})
		}
	})
}

func TestSessionsOfBothKindsLastADayUnlessTheyEnd(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		for _, mode := range []account.Mode{account.ModeSession, account.ModeCookie} {
			verify := func(grant *account.Grant) (*viewer.Viewer, error) {
				if mode == account.ModeSession {
					return d.verifier.Session(t.Context(), grant.Session.Text)
				}
				return d.verifier.Token(t.Context(), grant.Access.Text)
			}
			grant, ended := d.admit(who, mode), d.admit(who, mode)
			v, err := verify(grant)
			if err != nil || v.UserID != who.ID || v.Role != "user" || !about(v.Expires.Sub(d.now()), account.SessionLife) {
				t.Errorf("%s: viewer %+v, %v", mode, v, err)
			}
			if _, err := verify(ended); err != nil {
				t.Error(err)
			}
			left := viewer.With(t.Context(), &viewer.Viewer{UserID: who.ID, SessionID: v.SessionID})
			d.must(d.gate.EndOthers(left))
			d.pass(2 * time.Second)
			if _, err := verify(ended); err == nil {
				t.Errorf("%s: goes on two seconds after its end", mode)
			}
			if _, err := verify(grant); err != nil {
				t.Errorf("%s: the one that stays: %v", mode, err)
			}
			d.pass(account.SessionLife)
			if _, err := verify(grant); err == nil {
				t.Errorf("%s: goes on after a day", mode)
			}
		}
		_, err := d.verifier.Session(t.Context(), "made up")
		d.wantKind("a made-up session", err, problem.Unauthenticated)
	})
}

func TestUsersSeeTheirSignIns(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		eves := d.admit(d.register(eve), account.ModeBearer)
		d.admit(who, account.ModeBearer)
		d.admit(who, account.ModeCookie)
		current := d.as(d.admit(who, account.ModeSession))
		all, err := d.gate.List(current)
		d.must(err)
		if len(all) != 3 {
			t.Fatalf("%d sign-ins, want 3: %+v", len(all), all)
		}
		for _, s := range all {
			if s.Current != (s.Mode == account.ModeSession) || s.Agent != home.Agent || s.Address != home.Address {
				t.Errorf("sign-in %+v", s)
			}
		}
		d.wantKind("End of another's", d.gate.End(current, d.sid(eves)), problem.NotFound)
		d.wantKind("End of what is no name", d.gate.End(current, "\x00"), problem.NotFound)
		_, err = d.gate.List(t.Context())
		d.wantKind("List for nobody", err, problem.Unauthenticated)
		_, err = d.gate.List(viewer.With(t.Context(), &viewer.Viewer{KeyID: 1}))
		d.wantKind("List for a key", err, problem.Forbidden)
	})
}

func TestWhatWentOnIsProvenAgain(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		grant := d.admit(who, account.ModeBearer)
		v, err := d.verifier.Token(t.Context(), grant.Access.Text)
		d.must(err)
		d.must(d.update(who).SetRole("editor").Exec(system(t)))
		d.pass(2 * time.Second)
		if now, err := d.verifier.Still(t.Context(), v); err != nil || now.Role != "editor" {
			t.Errorf("after a change of role: %+v, %v", now, err)
		}
		d.must(d.gate.SignOut(d.as(grant), ""))
		d.pass(2 * time.Second)
		_, err = d.verifier.Still(t.Context(), v)
		d.wantKind("after signing out", err, problem.TokenInvalid)
		d.pass(15 * time.Minute)
		_, err = d.verifier.Still(t.Context(), v)
		d.wantKind("after its end", err, problem.TokenExpired)
		if _, err := d.verifier.Still(t.Context(), viewer.Anonymous()); err != nil {
			t.Errorf("nobody: %v", err)
		}
	})
}

func (d *desk) refresh(grant *account.Grant) *account.Grant {
	d.t.Helper()
	next, err := d.gate.Refresh(d.t.Context(), grant.Refresh.Text)
	d.must(err)
	return next
}

func (d *desk) refused(token string, want problem.Kind) {
	d.t.Helper()
	_, err := d.gate.Refresh(context.WithoutCancel(d.t.Context()), token)
	d.wantKind("Refresh", err, want)
}

// about compares times of which one is in whole seconds.
func about(got, want time.Duration) bool { return (got - want).Abs() < time.Second }

func TestWhoIsActiveAgainSignsInAgain(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		for name, away := range map[string]func(gone bool) *ent.UserUpdateOne{
			"deactivated": func(gone bool) *ent.UserUpdateOne { return d.update(who).SetIsActive(!gone) },
			"deleted": func(gone bool) *ent.UserUpdateOne {
				if gone {
					return d.update(who).SetDeletedAt(d.now())
				}
				return d.update(who).ClearDeletedAt()
			},
		} {
			bearer, cookie := d.admit(who, account.ModeBearer), d.admit(who, account.ModeCookie)
			d.must(away(true).Exec(system(t)))
			d.must(away(false).Exec(policy.IncludeDeleted(system(t))))
			d.refused(bearer.Refresh.Text, problem.TokenInvalid)
			for _, token := range []string{bearer.Access.Text, cookie.Access.Text} {
				_, err := d.verifier.Token(t.Context(), token)
				d.wantKind(name, err, problem.TokenInvalid)
			}
		}
	})
}
