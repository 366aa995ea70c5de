package apis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// mailedTo returns the texts of the mails to an address.
func (f *front) mailedTo(email string) (texts []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.mails {
		if m.To == email {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// mailedToken returns the token in the last mail to an address.
func (f *front) mailedToken(email string) string {
	f.Helper()
	texts := f.mailedTo(email)
	if len(texts) == 0 {
		f.Fatalf("no mail to %s", email)
	}
	token := hex64.FindString(texts[len(texts)-1])
	if token == "" {
		f.Fatalf("no token in %s", texts[len(texts)-1])
	}
	return token
}

// id is the number of the user with the address.
func (f *front) id(email string) int64 {
	f.Helper()
	return int64(orm.Client(f.db).User.Query().Where(user.Email(email)).OnlyIDX(f.system()))
}

// doors are the ways to do what both APIs can.
var doors = map[string]struct {
	changeEmail    func(g *guest, id int64, email string) *answered
	takeBack       func(g *guest, token, password string) *answered
	changePassword func(g *guest, old, password string) *answered
	verify         func(g *guest, token string) *answered
	resend         func(g *guest, email string) *answered
}{
	"rest": {
		changeEmail: func(g *guest, id int64, email string) *answered {
			return g.ask("PATCH", fmt.Sprintf("/api/v1/users/%d", id), object("email", email))
		},
		takeBack: func(g *guest, token, password string) *answered {
			if password == "" {
				return g.post("take-back-email", "token", token)
			}
			return g.post("take-back-email", "token", token, "newPassword", password)
		},
		changePassword: func(g *guest, old, password string) *answered {
			return g.post("change-password", "oldPassword", old, "newPassword", password)
		},
		verify: func(g *guest, token string) *answered { return g.post("verify-email", "token", token) },
		resend: func(g *guest, email string) *answered { return g.post("resend-verification", "email", email) },
	},
	"graphql": {
		changeEmail: func(g *guest, id int64, email string) *answered {
			return g.graphql(fmt.Sprintf(`mutation($e: String!) { updateUser(id: %d, input: {email: $e}) { email } }`, id), "e", email)
		},
		takeBack: func(g *guest, token, password string) *answered {
			if password == "" {
				return g.graphql(`mutation($t: String!) { takeBackEmail(token: $t) }`, "t", token)
			}
			return g.graphql(`mutation($t: String!, $p: String) { takeBackEmail(token: $t, newPassword: $p) }`, "t", token, "p", password)
		},
		changePassword: func(g *guest, old, password string) *answered {
			return g.graphql(`mutation($o: String!, $p: String!) { changePassword(oldPassword: $o, newPassword: $p) }`, "o", old, "p", password)
		},
		verify: func(g *guest, token string) *answered {
			return g.graphql(`mutation($t: String!) { verifyEmail(token: $t) }`, "t", token)
		},
		resend: func(g *guest, email string) *answered {
			return g.graphql(`mutation($e: String!) { resendVerification(email: $e) }`, "e", email)
		},
	},
}

// told fails the test unless the outcome is the status of an error, or 200.
func (a *answered) told(status string) *answered {
	a.Helper()
	if got := a.outcome("\x00"); got != status {
		a.Fatalf("the outcome is %s, want %s: %s", got, status, a.text)
	}
	return a
}

const (
	thiefsPassword = "stolen goods 1"
	adasNew        = "battery staple 2"
)

// A session is stolen, the address and then the password are changed with it, and a second
// factor is turned on. The owner of the old address gets the account back by the mail sent
// there, and no other user does.
func TestAStolenAccountIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			eachFront(t, func(f *front) {
				thief := f.signUp()
				id := f.id("ada@example.com")
				code, _ := thief.secondFactor()
				door.changeEmail(thief, id, "eve@example.com").told("200")
				token := f.mailedToken("ada@example.com")
				if text := f.mailedTo("ada@example.com")[0]; strings.Contains(text, "eve@") || strings.Contains(text, "Ada") {
					t.Errorf("the mail says what its sender chose: %s", text)
				}
				f.guest().post("forgot-password", "email", "eve@example.com").want(200)
				f.guest().post("reset-password", "token", f.mailedToken("eve@example.com"), "newPassword", thiefsPassword).want(200)
				f.guest().post("forgot-password", "email", "eve@example.com").want(200)
				reset := f.mailedToken("eve@example.com")
				thief.in("the thief after the reset", false)
				// Another way from here: they leave the new address, too, and could have that back.
				thief = f.guest()
				thief = thief.bearer(thief.post("login", "email", "eve@example.com", "password", thiefsPassword, "totpToken", code()).want(200).at("token"))
				door.changeEmail(thief, id, "mallory@example.com").told("200")
				later := f.mailedToken("eve@example.com")
				thief.in("the thief", true)

				door.takeBack(f.guest(), strings.Repeat("0", 64), adasNew).told("400")
				door.takeBack(f.guest(), token, "short").told("422")
				door.takeBack(f.guest(), token, adasNew).told("200")
				thief.in("the thief once it is taken back", false)
				door.takeBack(f.guest(), token, adasNew).told("400") // it is used up
				door.takeBack(f.guest(), later, thiefsPassword).told("400")
				f.guest().post("reset-password", "token", reset, "newPassword", thiefsPassword).want(400)
				for _, email := range []string{"eve@example.com", "mallory@example.com"} {
					f.guest().post("login", "email", email, "password", thiefsPassword).want(401)
				}
				f.guest().post("login", "email", "ada@example.com", "password", thiefsPassword).want(401)
				f.guest().post("login", "email", "ada@example.com", "password", adasNew).want(200, `"token"`)
				// Nothing is left that could be taken back, and nothing secret is stored.
				if n := storetest.Count(t, f.db, "email_changes"); n != 0 {
					t.Errorf("%d changes are left", n)
				}
			})
		})
	}
}

// Without a new password the old one goes, whichever user has set it, and a second
// factor that was there long before stays.
func TestTakingBackWithoutAPassword(t *testing.T) {
	eachFront(t, func(f *front) {
		g := f.signUp()
		code, _ := g.secondFactor()
		f.pass(account.TakeBackLife + time.Minute)
		g = f.guest()
		g = g.bearer(g.login("totpToken", code()).want(200).at("token"))
		doors["rest"].changeEmail(g, f.id("ada@example.com"), "eve@example.com").want(200)
		token := f.mailedToken("ada@example.com")
		doors["rest"].takeBack(f.guest(), token, "").want(200, "the password is removed")
		f.guest().login("totpToken", code()).want(401)
		f.guest().post("reset-password", "token", f.resetToken(), "newPassword", adasNew).want(200)
		f.guest().post("login", "email", "ada@example.com", "password", adasNew).want(200, `"requires2FA":true`)
		f.guest().post("login", "email", "ada@example.com", "password", adasNew, "totpToken", code()).want(200, `"token"`)
	})
}

func TestAnAddressIsTakenBackInTimeAndFromNobody(t *testing.T) {
	eachFront(t, func(f *front) {
		ada := f.signUp()
		id := f.id("ada@example.com")
		rest := doors["rest"]
		rest.changeEmail(ada, id, "Ada@Example.com").want(200) // the same, written otherwise
		if n := len(f.mailedTo("ada@example.com")); n != 0 {
			t.Errorf("%d mails for the same address", n)
		}
		rest.changeEmail(ada, id, "lovelace@example.com").want(200)
		token := f.mailedToken("Ada@Example.com")

		// Another has the address by now.
		f.guest().post("register", "name", "Another Ada", "email", "ada@example.com", "password", adasPassword).want(201)
		rest.takeBack(f.guest(), token, adasNew).want(409, "ask an admin")
		doors["graphql"].takeBack(f.guest(), token, "").want(200, "ask an admin", `"DUPLICATE_RESOURCE"`)
		ada.in("Ada where it could not be taken back", true)
		admin, _ := f.admin("grace")
		rest.changeEmail(admin, f.id("ada@example.com"), "another@example.com").want(200) // the new address gets a mail, too
		f.mailedToken("ada@example.com")
		doors["graphql"].takeBack(f.guest(), token, adasNew).told("200")
		ada.in("Ada", false)

		// Too late, and while one is deactivated.
		ada = f.guest()
		ada = ada.bearer(ada.post("login", "email", "ada@example.com", "password", adasNew).want(200).at("token"))
		rest.changeEmail(ada, id, "lovelace@example.com").want(200)
		token = f.mailedToken("Ada@Example.com")
		orm.Client(f.db).User.Update().Where(user.Email("lovelace@example.com")).SetIsActive(false).ExecX(f.system())
		rest.takeBack(f.guest(), token, "").want(400)
		orm.Client(f.db).User.Update().Where(user.Email("lovelace@example.com")).SetIsActive(true).ExecX(f.system())
		f.pass(account.TakeBackLife)
		rest.takeBack(f.guest(), token, "").want(400)
	})
}

// Fifty change the address at once, or take it back: each address that was
// left gets one mail, and one request takes it back.
func TestChangesOfAnAddressAtOnce(t *testing.T) {
	eachFront(t, func(f *front) {
		ada := f.signUp()
		id := f.id("ada@example.com")
		outcomes := f.atOnce(func(g *guest, i int) string {
			door := doors[[]string{"rest", "graphql"}[i%2]]
			return door.changeEmail(g.bearer(strings.TrimPrefix(ada.header.Get("Authorization"), "Bearer ")), id, fmt.Sprintf("ada%d@example.com", i)).outcome(`@example.com"`)
		})
		// Five an hour: each sends a mail.
		if outcomes["in"] != 5 || outcomes["429"] != 45 {
			t.Errorf("changes: %v, want 5 in", outcomes)
		}
		var left []string
		for _, old := range storetest.Ask[string](t, f.db, "SELECT old_email FROM email_changes ORDER BY id") {
			left = append(left, old)
			if n := len(f.mailedTo(old)); n != 1 {
				t.Errorf("%d mails to %s", n, old)
			}
		}
		now := orm.Client(f.db).User.Query().OnlyX(f.system()).Email
		if slices.Sort(left); len(slices.Compact(left)) != 5 || slices.Contains(left, now) {
			t.Errorf("left are %v, the address is %s", left, now)
		}
		token := f.mailedToken("ada@example.com")
		f.once("taking back", f.atOnce(func(g *guest, i int) string {
			a := doors[[]string{"rest", "graphql"}[i%2]].takeBack(g, token, adasNew)
			if o := a.outcome("\x00"); o != "200" {
				return o
			}
			return "in"
		}), "400", "503") // hashing is bounded
		if email := orm.Client(f.db).User.Query().OnlyX(f.system()).Email; email != "ada@example.com" {
			t.Errorf("the address is %s", email)
		}
	})
}

func TestAnAddressThatNeedsThePassword(t *testing.T) {
	eachFront(t, func(f *front) {
		f.accounts.Addresses.AskPassword = true
		ada := f.signUp()
		admin, adminID := f.admin("grace")
		id := f.id("ada@example.com")
		self := fmt.Sprintf("/api/v1/users/%d", id)
		mutation := fmt.Sprintf(`mutation($e: String!, $p: String) { updateUser(id: %d, input: {email: $e, currentPassword: $p}) { email } }`, id)
		ada.ask("PATCH", self, `{"email":"a1@example.com"}`).want(400, `"current_password"`)
		ada.ask("PUT", self, `{"name":"Ada","email":"a1@example.com"}`).want(400, `"current_password"`)
		ada.graphql(mutation, "e", "a1@example.com").want(200, `input.currentPassword`).told("400")
		ada.ask("PATCH", self, `{"email":"a1@example.com","current_password":"wrong horse 1"}`).want(401, `INVALID_CREDENTIALS`)
		ada.graphql(mutation, "e", "a1@example.com", "p", "wrong horse 1").told("401")
		ada.ask("PATCH", self, `{"name":"Ada L.","email":"ada@example.com"}`).want(200)
		ada.ask("PATCH", self, object("email", "a1@example.com", "current_password", adasPassword)).want(200, `"email":"a1@example.com"`)
		ada.graphql(mutation, "e", "a2@example.com", "p", adasPassword).told("200")
		admin.ask("PATCH", self, `{"email":"a3@example.com"}`).want(200)
		admin.ask("PATCH", fmt.Sprintf("/api/v1/users/%d", adminID), `{"email":"g2@example.com"}`).want(400)
		for range 5 {
			ada.ask("PATCH", self, `{"email":"a4@example.com","current_password":"wrong horse 1"}`).want(401)
		}
		ada.ask("PATCH", self, object("email", "a4@example.com", "current_password", adasPassword)).want(429)
	})
}

func TestChangingThePassword(t *testing.T) {
	t.Parallel()
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			eachFront(t, func(f *front) {
				f.signUp()
				others := f.credentials()
				here := f.guest()
				ada := here.bearer(here.login().want(200).at("token"))
				refresh := here.cookie("/api/v1/auth/refresh", "refreshToken")
				reset := f.resetToken()
				door.changePassword(f.guest(), adasPassword, adasNew).told("401")
				door.changePassword(ada, adasPassword, "short").told("422")
				door.changePassword(ada, "wrong horse 1", adasNew).told("401")
				door.changePassword(ada, adasPassword, adasNew).told("200")
				ada.in("the sign-in that was used", true)
				for kind, g := range others {
					g.in("another by "+kind, false)
				}
				f.guest().ask("POST", "/api/v1/auth/refresh", "", "Cookie", "refreshToken="+refresh).want(200)
				f.guest().login().want(401)
				f.guest().post("login", "email", "ada@example.com", "password", adasNew).want(200)
				f.guest().post("reset-password", "token", reset, "newPassword", thiefsPassword).want(400)
				texts := f.mailedTo("ada@example.com")
				if last := texts[len(texts)-1]; !strings.Contains(last, "password of your account was changed") || strings.Contains(last, "Ada") {
					t.Errorf("told: %s", last)
				}
				f.pass(time.Hour + time.Minute) // the failures are forgotten
				here = f.guest()
				ada = here.bearer(here.post("login", "email", "ada@example.com", "password", adasNew).want(200).at("token"))
				f.once("changing it", f.atOnce(func(g *guest, i int) string {
					a := door.changePassword(&guest{front: f, jar: g.jar, header: ada.header}, adasNew, fmt.Sprintf("another one %d", i))
					if o := a.outcome("\x00"); o != "200" {
						return o
					}
					return "in"
				}), "401", "429", "503")
			})
		})
	}
}

// Guessing the old password with a stolen session is guessing a password.
func TestAWrongOldPasswordIsAFailureToSignIn(t *testing.T) {
	eachFront(t, func(f *front) {
		ada := f.signUp()
		for i := range 5 {
			doors[[]string{"rest", "graphql"}[i%2]].changePassword(ada, "wrong horse 1", adasNew).told("401")
		}
		doors["rest"].changePassword(ada, adasPassword, adasNew).want(429)
		doors["graphql"].changePassword(ada, adasPassword, adasNew).told("429")
		ada.login().want(429)
		f.guest().login().want(200) // from where nothing has failed but on a device of its own
	})
}

func TestAnAddressIsVerified(t *testing.T) {
	t.Parallel()
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			eachFront(t, func(f *front) {
				f.accounts.Addresses.Verification = account.VerificationOptional
				ada := f.signUp() // and is in
				token := f.mailedToken("ada@example.com")
				if text := f.mailedTo("ada@example.com")[0]; strings.Contains(text, "Lovelace") {
					t.Errorf("the mail says what its sender chose: %s", text)
				}
				door.verify(f.guest(), strings.Repeat("0", 64)).told("400")
				hash := storetest.Ask[[]byte](t, f.db, "SELECT token_hash FROM verification_tokens")
				door.verify(f.guest(), fmt.Sprintf("%x", hash[0])).told("400") // it is not what is stored
				door.verify(f.guest(), token).told("200")
				door.verify(f.guest(), token).told("400")
				if !f.verified("ada@example.com") {
					t.Error("Ada is not verified")
				}
				// Another address is another matter, and so is coming back to it by a token of before.
				id := f.id("ada@example.com")
				door.changeEmail(ada, id, "ada2@example.com").told("200")
				second := f.mailedToken("ada2@example.com")
				door.changeEmail(ada, id, "ada3@example.com").told("200")
				door.verify(f.guest(), second).told("400")
				if f.verified("ada3@example.com") {
					t.Error("Ada is verified by another address")
				}
				third := f.mailedToken("ada3@example.com")
				f.pass(account.VerificationLife)
				door.verify(f.guest(), third).told("400")
				// The answer is the same for known and unknown addresses, and the sixth in an hour is refused.
				before := len(f.mailedTo("ada3@example.com"))
				known, unknown := door.resend(f.guest(), "ada3@example.com"), door.resend(f.guest(), "nobody@example.com")
				if known.text != unknown.text || known.told("200").status != unknown.status || len(f.mailedTo("nobody@example.com")) != 0 {
					t.Errorf("known: %s, unknown: %s", known.text, unknown.text)
				}
				for range 5 {
					door.resend(f.guest(), "ADA3@example.com").told("200")
				}
				if n := len(f.mailedTo("ada3@example.com")) - before; n != 5 {
					t.Errorf("%d mails", n)
				}
				door.verify(f.guest(), f.mailedToken("ada3@example.com")).told("200")
				if !f.verified("ada3@example.com") {
					t.Error("Ada is not verified")
				}
				door.resend(f.guest(), "ada3@example.com").told("200")
				if n := len(f.mailedTo("ada3@example.com")) - before; n != 5 {
					t.Errorf("%d mails after she has verified it", n)
				}
			})
		})
	}
}

// verified reports whether the user with the address has verified that.
func (f *front) verified(email string) bool {
	f.Helper()
	return storetest.Count(f.T, f.db, "verified_emails AS v JOIN users AS u ON u.id = v.user_id WHERE v.address = $1 AND u.email = $1", email) > 0
}

func TestSigningInNeedsAVerifiedAddress(t *testing.T) {
	eachFront(t, func(f *front) {
		f.accounts.Addresses.Verification, f.accounts.Gate.Verified = account.VerificationRequired, true
		g := f.guest()
		made := g.post("register", "name", "Ada Lovelace", "email", "ada@example.com", "password", adasPassword).want(201, "verify your e-mail address")
		if made.at("token") != "" || g.cookie("/api/v1/auth/refresh", "refreshToken") != "" {
			t.Errorf("she is signed in: %s", made.text)
		}
		f.guest().login().want(403, "not verified")
		f.guest().ask("POST", "/api/v1/auth/login?mode=session", object("email", "ada@example.com", "password", adasPassword)).want(403)
		f.guest().graphql(`mutation { login(email: "ada@example.com", password: "` + adasPassword + `", withRefreshToken: true) { accessToken } }`).told("403")
		f.guest().post("login", "email", "ada@example.com", "password", "wrong horse 1").want(401) // the same as for an unknown address
		f.guest().post("verify-email", "token", f.mailedToken("ada@example.com")).want(200)
		f.guest().login().want(200, `"token"`)

		eve := f.guest().graphql(`mutation { register(name: "Eve", email: "eve@example.com", password: "` + adasPassword + `", withRefreshToken: true) { accessToken refreshToken user { email } } }`)
		eve.want(200, `"accessToken":null`, `"refreshToken":null`, `"email":"eve@example.com"`)
		// A new password by mail shows the same.
		f.guest().post("forgot-password", "email", "eve@example.com").want(200)
		f.guest().post("reset-password", "token", f.mailedToken("eve@example.com"), "newPassword", adasNew).want(200)
		f.guest().post("login", "email", "eve@example.com", "password", adasNew).want(200, `"token"`)

		// A user whom an admin creates has to confirm the address as well; one whom an
		// operator creates does not.
		orm.Client(f.db).User.Update().Where(user.Email("ada@example.com")).SetRole(user.RoleAdmin).ExecX(f.system())
		g = f.guest()
		admin := g.bearer(g.login().want(200).at("token"))
		admin.ask("POST", "/api/v1/users", object("name", "Bob", "email", "bob@example.com", "password", adasPassword)).want(201)
		admin.graphql(`mutation { createUser(input: {name: "Mia", email: "mia@example.com"}) { id } }`).told("200")
		admin.ask("POST", "/api/v1/users/bulk", `{"users":[{"name":"Zoe","email":"zoe@example.com"}]}`).want(207, `"status":201`)
		for _, email := range []string{"bob@example.com", "mia@example.com", "zoe@example.com"} {
			f.mailedToken(email)
		}
		f.guest().post("login", "email", "bob@example.com", "password", adasPassword).want(403)
		operator := &account.Registrar{DB: f.db, Users: activities.Users(f.db), Passwords: f.accounts.Registrar.Passwords}
		if _, err := operator.Create(f.system(), account.Registration{Name: "Oda", Email: "oda@example.com", Password: adasPassword}, "user"); err != nil {
			t.Fatal(err)
		}
		f.guest().post("login", "email", "oda@example.com", "password", adasPassword).want(200)
		// Where it is off, nothing is sent, and nothing says so.
		f.accounts.Addresses.Verification = account.VerificationOff
		n := len(f.mailedTo("bob@example.com"))
		f.guest().post("resend-verification", "email", "bob@example.com").want(200)
		if got := len(f.mailedTo("bob@example.com")); got != n {
			t.Errorf("%d mails, had %d", got, n)
		}
	})
}
