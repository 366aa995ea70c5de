package account_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/internal/notes/engine"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A token to see as another has both names, and ends with what it stands on: with its
// commit where that is in this process or shares its bus, within two seconds elsewhere.
func TestATokenToSeeAsAnother(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		seer := &account.Seer{DB: d.db, Users: engine.Users(d.db), Issuer: d.issuer, Gate: d.gate, Log: slog.New(slog.DiscardHandler)}
		seen, admin := d.register(ada), d.register(eve)
		role := func(name string) {
			d.must(d.update(admin).SetRole("admin").Exec(system(t)))
			admin.Role = viewer.Role(name)
		}
		role("admin")
		d.must(d.update(d.register(account.Registration{Name: "Root", Email: "root@example.com", Password: ada.Password})).SetRole("admin").Exec(system(t)))
		here, there, deaf := d.processes()
		for _, c := range []struct {
			name string
			end  func(grant *account.Grant, session string)
			mend func()
		}{
			{"by its name", func(grant *account.Grant, session string) { d.must(d.gate.End(d.as(grant), session)) }, nil},
			{"with the sign-in by which it was asked for", func(grant *account.Grant, _ string) { d.must(d.gate.SignOut(d.as(grant), "")) }, nil},
			{"with all sign-ins of the admin", func(*account.Grant, string) { d.must(d.gate.EndAll(t.Context(), admin.ID, "logout")) }, nil},
			{"where the user is deactivated", func(*account.Grant, string) {
				_, err := d.act(system(t), engine.User, seen.ID, "deactivate")
				d.must(err)
			}, func() {
				_, err := d.act(system(t), engine.User, seen.ID, "activate")
				d.must(err)
			}},
			{"where the admin is none any more", func(*account.Grant, string) { d.must(d.update(admin).SetRole("user").Exec(system(t))) }, func() { role("admin") }},
			{"where the admin is deactivated", func(*account.Grant, string) {
				_, err := d.act(system(t), engine.User, admin.ID, "deactivate")
				d.must(err)
			}, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				grant := d.admit(admin, account.ModeBearer)
				got, err := seer.SeeAs(d.as(grant), ada.Email, "", home)
				d.must(err)
				claims, err := d.issuer.Verify(got.Token.Text)
				d.must(err)
				if claims.UserID != seen.ID || claims.Actor == nil || got.Role != seen.Role || got.Life != account.SeeLife || !got.Token.Expires.Equal(d.now().Add(account.SeeLife).Truncate(time.Second)) {
					t.Errorf("got %+v with %+v", got, claims)
				}
				for _, v := range []*account.Verifier{here, there, deaf} {
					who, err := v.Token(t.Context(), got.Token.Text)
					d.must(err)
					still, err := v.Still(t.Context(), who)
					d.must(err)
					for _, w := range []*viewer.Viewer{who, still} {
						if w.UserID != seen.ID || w.Actor != admin.ID || w.Role != seen.Role || w.MayChange() == nil {
							t.Errorf("proven as %+v", w)
						}
					}
				}
				c.end(grant, got.Session)
				for name, v := range map[string]*account.Verifier{"here": here, "there": there} {
					_, err = v.Token(t.Context(), got.Token.Text)
					d.wantKind(name, err, problem.TokenInvalid)
				}
				d.pass(2 * time.Second)
				_, err = deaf.Token(t.Context(), got.Token.Text)
				d.wantKind("deaf", err, problem.TokenInvalid)
				if c.mend != nil {
					c.mend()
				}
			})
		}
	})
}

// It is good for ten minutes, and no longer than the sign-in by which it was asked for.
func TestATokenToSeeAsAnotherExpires(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		seer := &account.Seer{DB: d.db, Users: engine.Users(d.db), Issuer: d.issuer, Gate: d.gate, Log: slog.New(slog.DiscardHandler)}
		admin := d.register(eve)
		d.must(d.update(admin).SetRole("admin").Exec(system(t)))
		admin.Role = viewer.Admin
		ctx := d.as(d.admit(admin, account.ModeBearer))
		got, err := seer.SeeAs(ctx, "", "user", home)
		d.must(err)
		who, err := d.verifier.Token(t.Context(), got.Token.Text)
		d.must(err)
		if who.UserID != viewer.NoUser || who.Role != "user" || who.Actor != admin.ID {
			t.Errorf("proven as %+v", who)
		}
		if _, err := seer.SeeAs(viewer.With(t.Context(), who), "", "admin", home); problem.KindOf(err) != problem.Forbidden {
			t.Errorf("a token to see as another gets another: %v", err)
		}
		d.pass(account.SeeLife)
		_, err = d.verifier.Token(t.Context(), got.Token.Text)
		d.wantKind("after ten minutes", err, problem.TokenExpired)

		soon := *viewer.From(ctx)
		soon.Expires = d.now().Add(time.Minute)
		got, err = seer.SeeAs(viewer.With(t.Context(), &soon), "", "user", home)
		d.must(err)
		if got.Life != time.Minute || !got.Token.Expires.Equal(soon.Expires.Truncate(time.Second)) {
			t.Errorf("it is good for %v until %v, the sign-in until %v", got.Life, got.Token.Expires, soon.Expires)
		}
	})
}

// Only admins who are signed in at the service see as another.
func TestWhoSees(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		who *viewer.Viewer
		ok  bool
	}{
		"an admin":                    {&viewer.Viewer{UserID: 1, Role: viewer.Admin, SessionID: "f1"}, true},
		"an admin of another issuer":  {&viewer.Viewer{UserID: 1, Role: viewer.Admin, SessionID: "issuer a"}, false},
		"an admin who sees as admin":  {&viewer.Viewer{UserID: 2, Role: viewer.Admin, SessionID: "s1~f1", Actor: 1}, false},
		"a user":                      {&viewer.Viewer{UserID: 1, Role: "user", SessionID: "f1"}, false},
		"a key":                       {&viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}, false},
		"an anonymous caller":         {viewer.Anonymous(), false},
		"the system, who is no admin": {viewer.System(), false},
	} {
		if err := account.CheckSees(c.who); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
