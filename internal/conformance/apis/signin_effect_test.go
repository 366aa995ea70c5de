package apis_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/write"
)

// credentials are Ada's, one of each kind.
func (f *front) credentials() map[string]*guest {
	f.Helper()
	all := map[string]*guest{}
	g := f.guest()
	all["bearer"] = g.bearer(g.login().want(200).at("token"))
	for _, mode := range []string{"cookie", "session"} {
		g := f.guest()
		g.ask("POST", "/api/v1/auth/login?mode="+mode, object("email", "ada@example.com", "password", adasPassword)).want(200)
		all[mode] = g
	}
	return all
}

// in fails the test unless both APIs know the guest, or neither does.
func (g *guest) in(what string, want bool) {
	g.Helper()
	status := map[bool]int{true: 200, false: 401}[want]
	kept := *g
	kept.jar = frozen{g.jar}
	rest, graphql := kept.ask("GET", "/api/v1/users", ""), kept.graphql(`{ users { id } }`)
	if rest.status != status || graphql.status != status {
		g.Errorf("%s: REST answers %d, GraphQL %d, want %d", what, rest.status, graphql.status, status)
	}
}

// However a user has signed in, what happens to them is in effect two
// seconds later, through both APIs, and no other user notices.
func TestWhatHappensToAUserIsInEffectWithinTwoSeconds(t *testing.T) {
	eachFront(t, func(f *front) {
		f.signUp()
		who := orm.Client(f.db).User.Query().Where(user.Email("ada@example.com")).OnlyX(f.system())
		eve := f.guest()
		eve = eve.bearer(eve.post("register", "name", "Eve", "email", "eve@example.com", "password", adasPassword).want(201).at("token"))
		for what, do := range map[string]func(){
			"deactivated": func() { orm.Client(f.db).User.UpdateOne(who).SetIsActive(false).ExecX(f.system()) },
			"deleted":     func() { orm.Client(f.db).User.UpdateOne(who).SetDeletedAt(f.now()).ExecX(f.system()) },
			"signed out everywhere": func() {
				if err := f.accounts.Gate.EndAll(t.Context(), int64(who.ID), "test"); err != nil {
					t.Fatal(err)
				}
			},
			"with another password": func() {
				f.guest().post("reset-password", "token", f.resetToken(), "newPassword", adasPassword).want(200)
			},
		} {
			all := f.credentials()
			for kind, g := range all {
				g.in(kind+" of who is not yet "+what, true)
			}
			do()
			f.pass(2 * time.Second)
			for kind, g := range all {
				g.in(kind+" of who is "+what, false)
			}
			eve.in("another's when somebody is "+what, true)
			orm.Client(f.db).User.Update().Where(user.ID(who.ID)).SetIsActive(true).ClearDeletedAt().ExecX(f.system())
			f.pass(time.Hour / 4) // Eve's goes on
			eve = f.eve()
		}
	})
}

// eve signs Eve in again.
func (f *front) eve() *guest {
	g := f.guest()
	return g.bearer(g.post("login", "email", "eve@example.com", "password", adasPassword).want(200).at("token"))
}

func TestARoleIsInEffectWithinTwoSeconds(t *testing.T) {
	eachFront(t, func(f *front) {
		f.signUp()
		all := f.credentials()
		// The last active admin could not be demoted.
		orm.Client(f.db).User.Create().SetName("Grace").SetEmail("grace@example.com").SetRole(user.RoleAdmin).ExecX(f.system())
		for _, step := range []struct {
			role   user.Role
			status int
		}{{user.RoleUser, 403}, {user.RoleAdmin, 200}, {user.RoleEditor, 403}} {
			orm.Client(f.db).User.Update().Where(user.Email("ada@example.com")).SetRole(step.role).ExecX(f.system())
			f.pass(2 * time.Second)
			told := map[int]string{200: `{"data":{"emailsConnection":{"totalCount":0}}`, 403: `"FORBIDDEN"`}[step.status]
			for _, g := range all {
				g.ask("GET", "/api/v1/emails", "").want(step.status)
				g.graphql(`{ emailsConnection { totalCount } }`).want(200, told)
			}
		}
	})
}

func TestSigningOutIsInEffectWithinTwoSeconds(t *testing.T) {
	eachFront(t, func(f *front) {
		f.signUp()
		for name, out := range map[string]func(g *guest){
			"REST":    func(g *guest) { g.post("logout").want(200) },
			"GraphQL": func(g *guest) { g.graphql(`mutation { logout }`).want(200) },
		} {
			left := f.credentials()
			for kind, g := range left {
				kept := *g
				kept.jar = frozen{g.jar}
				out(&kept)
				f.pass(2 * time.Second)
				kept.in(kind+" after signing out through "+name, false)
				delete(left, kind)
				for other, g := range left {
					g.in(other+" when signing out of "+kind, true)
				}
			}
		}
	})
}

// frozen is a jar that no answer changes: of a client that keeps a cookie which
// was taken away.
type frozen struct{ http.CookieJar }

// SetCookies implements http.CookieJar.
func (frozen) SetCookies(*url.URL, []*http.Cookie) {}

func TestAKeyThatIsRevokedOrRotatedIsNoGoodAfterTwoSeconds(t *testing.T) {
	eachFront(t, func(f *front) {
		for what, verb := range map[string]string{"revoked": "revoke", "rotated": "rotate"} {
			text, key, err := f.accounts.Keyring.Create(f.system(), account.NewAPIKey{ClientName: "shop", Permissions: []string{"read"}})
			if err != nil {
				t.Fatal(err)
			}
			g := f.guest("X-API-Key", text)
			g.in("a key before it is "+what, true)
			if _, err := activities.Engine(f.db, f.accounts, activities.Set{}).Act(f.system(), write.Call{Entity: rows.APIKey, ID: gid.Int(key)}, rows.APIKey.Action(verb)); err != nil {
				t.Fatal(err)
			}
			f.pass(2 * time.Second)
			g.in("a key that is "+what, false)
		}
	})
}
