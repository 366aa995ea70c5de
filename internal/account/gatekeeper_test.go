package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/session"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/store"
	"github.com/entwine-go/entwine/internal/storetest"
	"github.com/entwine-go/entwine/internal/viewer"
)

func TestRefreshRotates(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.admit(account.ModeBearer)
		second := w.refresh(first.Refresh.Text)
		third := w.refresh(second.Refresh.Text)
		if first.Refresh.Text == second.Refresh.Text || second.Refresh.Text == third.Refresh.Text {
			t.Error("a token follows itself")
		}
		if !third.Refresh.Expires.Equal(first.Refresh.Expires) {
			t.Errorf("refreshing moves the end from %v to %v", first.Refresh.Expires, third.Refresh.Expires)
		}
		claims, err := w.Issuer.Verify(third.Access.Text)
		if err != nil || claims.UserID != int64(w.ada.ID) {
			t.Errorf("the access token says %+v, %v", claims, err)
		}
	})
}

func TestAParallelRefreshGetsTheSameHead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.admit(account.ModeBearer)
		head := w.refresh(first.Refresh.Text)
		w.pass(10 * time.Second)
		again := w.refresh(first.Refresh.Text)
		if again.Refresh.Text != head.Refresh.Text {
			t.Error("two heads")
		}
	})
}

func TestReuseEndsTheFamily(t *testing.T) {
	for name, reuse := range map[string]func(w *world, first, second *account.Grant){
		"when the grace is over": func(w *world, _, _ *account.Grant) { w.pass(10*time.Second + time.Microsecond) },
		"when the successor has been used, inside the grace": func(w *world, _, second *account.Grant) {
			w.refresh(second.Refresh.Text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				first := w.admit(account.ModeBearer)
				second := w.refresh(first.Refresh.Text)
				reuse(w, first, second)
				w.refused(first.Refresh.Text, problem.TokenInvalid)
				w.refused(second.Refresh.Text, problem.TokenInvalid)
			})
		})
	}
}

func TestOneHeadForFiftyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.admit(account.ModeBearer)
		heads := make(chan string, 50)
		for range cap(heads) {
			go func() {
				grant, err := w.Refresh(context.WithoutCancel(t.Context()), first.Refresh.Text)
				if err != nil {
					heads <- err.Error()
					return
				}
				heads <- grant.Refresh.Text
			}()
		}
		seen := map[string]bool{}
		for range cap(heads) {
			seen[<-heads] = true
		}
		if len(seen) != 1 {
			t.Errorf("%d heads: %v", len(seen), seen)
		}
	})
}

func TestARefreshTokenThatIsNoGood(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		good := w.admit(account.ModeBearer).Refresh.Text
		parts := strings.Split(good, ".")
		for name, token := range map[string]string{
			"of another counter": parts[0] + ".1." + parts[2],
			"of another family":  w.admit(account.ModeBearer).Refresh.Text[:27] + good[27:],
			"changed in a bit":   good[:len(good)-2] + flip(good[len(good)-2:]),
			"cut":                good[:len(good)-1],
			"no token":           "nonsense",
			"of another key":     w.with(account.Gatekeeper{Vault: vault(t, 2)}).admit(account.ModeBearer).Refresh.Text,
		} {
			t.Run(name, func(*testing.T) { w.refused(token, problem.TokenInvalid) })
		}
		w.refused("", problem.Unauthenticated)
		w.refresh(good) // none of that has harmed it
	})
}

func TestASignInEnds(t *testing.T) {
	for name, end := range map[string]func(w *world, grant *account.Grant){
		"after seven days": func(w *world, _ *account.Grant) { w.pass(account.RefreshLife) },
		"by signing out": func(w *world, grant *account.Grant) {
			w.must(w.SignOut(w.t.Context(), grant.Refresh.Text))
		},
		"by signing out with the access token": func(w *world, grant *account.Grant) {
			w.must(w.SignOut(w.as(grant), ""))
		},
		"by its user, who ends it by name": func(w *world, grant *account.Grant) {
			w.must(w.End(w.as(w.admit(account.ModeSession)), w.sid(grant)))
		},
		"with all others": func(w *world, _ *account.Grant) {
			w.must(w.EndOthers(w.as(w.admit(account.ModeBearer))))
		},
		"with all of the user's": func(w *world, _ *account.Grant) {
			w.must(w.EndAll(w.t.Context(), w.ada.ID, "password"))
		},
		"with the user": func(w *world, _ *account.Grant) {
			w.must(w.client.User.UpdateOne(w.ada).SetIsActive(false).Exec(w.system()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(_ *testing.T, w *world) {
				grant := w.admit(account.ModeBearer)
				end(w, grant)
				w.refused(grant.Refresh.Text, problem.TokenInvalid)
			})
		})
	}
}

func TestUsersSeeTheirSignIns(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.with(account.Gatekeeper{}).admitUser(w.user("eve@example.com"), account.ModeBearer)
		w.admit(account.ModeBearer)
		w.admit(account.ModeCookie)
		current := w.admit(account.ModeSession)
		all, err := w.List(w.as(current))
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != 3 {
			t.Fatalf("%d sign-ins, want 3: %+v", len(all), all)
		}
		for _, s := range all {
			if s.Current != (s.Mode == account.ModeSession) || s.Agent != "browser" || s.Address != "192.0.2.1" {
				t.Errorf("sign-in %+v", s)
			}
		}
		if err := w.End(w.as(current), "f"+strings.Repeat("a", 26)); problem.KindOf(err) != problem.NotFound {
			t.Errorf("End of what is not theirs: %v", err)
		}
		if _, err := w.List(t.Context()); problem.KindOf(err) != problem.Unauthenticated {
			t.Errorf("List for nobody: %v", err)
		}
		key := viewer.With(t.Context(), &viewer.Viewer{KeyID: 1})
		if _, err := w.List(key); problem.KindOf(err) != problem.Forbidden {
			t.Errorf("List for a key: %v", err)
		}
	})
}

// world is a database with one user, Ada, and a gatekeeper whose clock stands still.
type world struct {
	*account.Gatekeeper
	t      *testing.T
	client *ent.Client
	ada    *ent.User
	now    *time.Time
}

// tables are Ent's.
var tables = storetest.Schema{Key: "account 1", Up: func(ctx context.Context, db *store.DB) error {
	return store.Client(db).Schema.Create(ctx)
}}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	tables.Each(t, func(t *testing.T, db *store.DB) {
		now := time.Now()
		clock := func() time.Time { return now }
		w := &world{t: t, client: store.Client(db), now: &now}
		w.Gatekeeper = &account.Gatekeeper{
			DB: db, Vault: vault(t, 1), Now: clock,
			Issuer: &account.Issuer{Keys: keys(t), Name: "https://api.example.com", Lifetime: 15 * time.Minute, Now: clock},
		}
		w.ada = w.user("ada@example.com")
		test(t, w)
	})
}

// with returns a world in which some parts of the gatekeeper are others.
func (w *world) with(g account.Gatekeeper) *world {
	other, changed := *w, *w.Gatekeeper
	if g.Vault != nil {
		changed.Vault = g.Vault
	}
	other.Gatekeeper = &changed
	return &other
}

func (w *world) system() context.Context { return viewer.With(w.t.Context(), viewer.System()) }

func (w *world) pass(d time.Duration) { *w.now = w.now.Add(d) }

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) user(email string) *ent.User {
	w.t.Helper()
	u, err := w.client.User.Create().SetName("Ada Lovelace").SetEmail(email).Save(w.system())
	w.must(err)
	return u
}

func (w *world) admit(mode account.Mode) *account.Grant {
	w.t.Helper()
	return w.admitUser(w.ada, mode)
}

func (w *world) admitUser(u *ent.User, mode account.Mode) *account.Grant {
	w.t.Helper()
	grant, err := w.Admit(w.t.Context(), u, mode, account.Origin{Agent: "browser", Address: "192.0.2.1"})
	w.must(err)
	return grant
}

func (w *world) refresh(token string) *account.Grant {
	w.t.Helper()
	grant, err := w.Refresh(w.t.Context(), token)
	w.must(err)
	return grant
}

func (w *world) refused(token string, want problem.Kind) {
	w.t.Helper()
	if _, err := w.Refresh(w.t.Context(), token); err == nil || problem.KindOf(err) != want {
		w.t.Errorf("Refresh(%q): %v, want kind %v", token, err, want)
	}
}

// sid returns the name of the sign-in.
func (w *world) sid(grant *account.Grant) string {
	w.t.Helper()
	if grant.Mode == account.ModeSession {
		s, err := w.client.Session.Query().Where(session.ModeEQ(session.ModeSession)).Only(w.system())
		w.must(err)
		return s.Sid
	}
	claims, err := w.Issuer.Verify(grant.Access.Text)
	w.must(err)
	return claims.SessionID
}

// as returns a context in which the user of the grant calls.
func (w *world) as(grant *account.Grant) context.Context {
	return viewer.With(w.t.Context(), &viewer.Viewer{UserID: int64(grant.User.ID), Role: viewer.Role(grant.User.Role), SessionID: w.sid(grant)})
}

func vault(t *testing.T, seed byte) *account.Vault {
	t.Helper()
	v, err := account.NewVault([]string{seedText(seed)})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func flip(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] ^= 1
	}
	return string(b)
}
