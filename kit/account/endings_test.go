package account_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/internal/notes/engine"
	"github.com/entwine-go/entwine/kit/internal/notes/ent"
	"github.com/entwine-go/entwine/kit/internal/notes/ent/typedid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
)

// processes are three verifiers of one database: that of the process that
// ends things, one that shares its bus, and one that hears of nothing.
func (d *desk) processes() (here, there, deaf *account.Verifier) {
	log := slog.New(slog.DiscardHandler)
	return d.verifier, account.NewVerifier(d.db, d.issuer, &d.bus, log), account.NewVerifier(d.db, d.issuer, new(pubsub.Memory), log)
}

// The clock stands still: what is noticed is noticed at once.
func TestWhatEndsEndsWithItsCommit(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		d.must(d.update(d.register(eve)).SetRole("admin").Exec(system(t)))
		here, there, deaf := d.processes()
		for _, c := range []struct {
			name string
			end  func(grant *account.Grant)
		}{
			{"by signing out", func(grant *account.Grant) { d.must(d.gate.SignOut(d.as(grant), "")) }},
			{"by signing out with the refresh token", func(grant *account.Grant) { d.must(d.gate.SignOut(t.Context(), grant.Refresh.Text)) }},
			{"by its name", func(grant *account.Grant) {
				d.must(d.gate.End(d.as(d.admit(who, account.ModeBearer)), d.sid(grant)))
			}},
			{"with all others", func(*account.Grant) { d.must(d.gate.EndOthers(d.as(d.admit(who, account.ModeBearer)))) }},
			{"with a new password", func(*account.Grant) {
				d.must(d.resetter.Reset(t.Context(), d.forgot(ada.Email), newPassword))
			}},
			{"with a refresh token that is used again", func(grant *account.Grant) {
				d.refresh(d.refresh(grant))
				d.refused(grant.Refresh.Text, problem.TokenInvalid)
			}},
			{"when its user is deactivated", func(*account.Grant) {
				_, err := d.act(system(t), engine.User, who.ID, "deactivate")
				d.must(err)
			}},
		} {
			t.Run(c.name, func(t *testing.T) {
				grant := d.admit(who, account.ModeBearer)
				for _, v := range []*account.Verifier{here, there, deaf} {
					seen, err := v.Token(t.Context(), grant.Access.Text)
					d.must(err)
					_, err = v.Still(t.Context(), seen)
					d.must(err)
				}
				seen, err := here.Token(t.Context(), grant.Access.Text)
				d.must(err)
				c.end(grant)
				for name, v := range map[string]*account.Verifier{"here": here, "there": there} {
					_, err := v.Token(t.Context(), grant.Access.Text)
					d.wantKind(name, err, problem.TokenInvalid)
					_, err = v.Still(t.Context(), seen)
					d.wantKind(name+", a stream", err, problem.TokenInvalid)
				}
				if _, err := deaf.Token(t.Context(), grant.Access.Text); err != nil {
					t.Errorf("one that hears of nothing: %v", err)
				}
				d.pass(2 * time.Second)
				_, err = deaf.Token(t.Context(), grant.Access.Text)
				d.wantKind("one that hears of nothing, after two seconds", err, problem.TokenInvalid)
			})
		}
	})
}

func TestASessionEndsWithItsCommit(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		grant := d.admit(d.register(ada), account.ModeSession)
		here, there, _ := d.processes()
		v, err := here.Session(t.Context(), grant.Session.Text)
		d.must(err)
		_, err = there.Session(t.Context(), grant.Session.Text)
		d.must(err)
		d.must(d.gate.SignOut(d.as(grant), ""))
		_, err = here.Session(t.Context(), grant.Session.Text)
		d.wantKind("here", err, problem.Unauthenticated)
		_, err = there.Session(t.Context(), grant.Session.Text)
		d.wantKind("there", err, problem.Unauthenticated)
		_, err = here.Still(t.Context(), v)
		d.wantKind("a stream", err, problem.TokenInvalid)
	})
}

func TestANewRoleCountsFromItsCommit(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		grant := d.admit(who, account.ModeBearer)
		here, there, _ := d.processes()
		for _, change := range []struct {
			role string
			do   func(u *ent.UserUpdateOne) error
		}{
			{"user", func(*ent.UserUpdateOne) error { return nil }},
			{"editor", func(u *ent.UserUpdateOne) error { return u.SetRole("editor").Exec(system(t)) }},
			{"moderator", func(u *ent.UserUpdateOne) error {
				return d.db.InTx(system(t), func(ctx context.Context) error { return u.SetRole("moderator").Exec(ctx) })
			}},
		} {
			d.must(change.do(d.update(who)))
			for name, v := range map[string]*account.Verifier{"here": here, "there": there} {
				if is, err := v.Token(t.Context(), grant.Access.Text); err != nil || string(is.Role) != change.role {
					t.Errorf("%s: %+v, %v, want a %s", name, is, err, change.role)
				}
			}
		}
		d.must(d.User.DeleteOneID(typedid.UserID(who.ID)).Exec(policy.IncludeDeleted(system(t))))
		_, err := there.Token(t.Context(), grant.Access.Text)
		d.wantKind("of a user who is gone", err, problem.TokenInvalid)
	})
}

func TestAKeyEndsWithItsCommit(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		text, key, err := d.keyring.Create(system(t), warehouse)
		d.must(err)
		here, there, _ := d.processes()
		for _, end := range []func() (string, error){
			func() (string, error) { return d.keyring.Rotate(system(t), key) },
			func() (string, error) {
				_, err := d.act(system(t), engine.APIKey, key, "revoke")
				return "", err
			},
		} {
			for _, v := range []*account.Verifier{here, there} {
				_, err := v.APIKey(t.Context(), text)
				d.must(err)
			}
			next, err := end()
			d.must(err)
			for name, v := range map[string]*account.Verifier{"here": here, "there": there} {
				_, err := v.APIKey(t.Context(), text)
				d.wantKind(name, err, problem.TokenInvalid)
			}
			text = next
		}
	})
}

// The end of a session leaves the verified tokens of others in the cache, and an end that
// is rolled back ends none.
func TestOnlyWhatEndedIsProvenAgain(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who, other := d.register(ada), d.register(eve)
		hers := d.admit(who, account.ModeBearer)
		known := func(grant *account.Grant) bool {
			a, err := d.verifier.Token(t.Context(), grant.Access.Text)
			d.must(err)
			b, err := d.verifier.Token(t.Context(), grant.Access.Text)
			d.must(err)
			return a == b
		}
		before, err := d.verifier.Token(t.Context(), hers.Access.Text)
		d.must(err)
		undone := errors.New("undone")
		err = d.db.InTx(d.as(hers), func(ctx context.Context) error {
			d.must(d.gate.SignOut(ctx, ""))
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		if after, err := d.verifier.Token(t.Context(), hers.Access.Text); err != nil || after != before {
			t.Errorf("a logout that was undone: %v, %v", after, err)
		}
		kept := 0
		for range 20 { // in 64 parts some share hers
			d.must(d.gate.SignOut(d.as(d.admit(other, account.ModeBearer)), ""))
			if after, err := d.verifier.Token(t.Context(), hers.Access.Text); err == nil && after == before {
				kept++
			}
			before, err = d.verifier.Token(t.Context(), hers.Access.Text)
			d.must(err)
		}
		if kept < 10 || !known(hers) {
			t.Errorf("of 20 logouts of others only %d left what was known", kept)
		}
	})
}
