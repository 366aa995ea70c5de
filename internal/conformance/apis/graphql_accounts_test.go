package apis_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	loginOperation   = `mutation($email: String!, $password: String!, $totpToken: String) { login(email: $email, password: $password, totpToken: $totpToken, ARGS) { requires2FA accessToken expiresIn refreshToken user { email } } }`
	refreshOperation = `mutation($refreshToken: String) { refresh(refreshToken: $refreshToken) { accessToken refreshToken user { name } } }`
	meOperation      = `{ me { email } }`
	adasAnswer       = `{"data":{"me":{"email":"ada@example.com"}}`
)

func (g *guest) graphqlLogin(args string, more ...string) *answered {
	g.Helper()
	return g.graphql(strings.Replace(loginOperation, "ARGS", args, 1), append([]string{"email", "ada@example.com", "password", adasPassword}, more...)...)
}

// credentials are the cookies that an answer sets, without that of the device, which
// signs no one in.
func credentials(a *answered) []string {
	return slices.DeleteFunc(slices.Clone(a.header["Set-Cookie"]), func(c string) bool { return strings.HasPrefix(c, "__Host-device=") })
}

func TestAPageSignsInThroughGraphQL(t *testing.T) {
	eachFront(t, func(f *front) {
		g := f.guest()
		up := g.graphql(`mutation { register(name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1") { accessToken refreshToken user { email is_active } } }`).
			want(200, `"refreshToken":null,"user":{"email":"ada@example.com","is_active":true}`)
		if got := up.header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control %q", got)
		}
		g.bearer(up.at("data", "register", "accessToken")).graphql(meOperation).want(200, adasAnswer)
		first := g.cookie("/graphql", "refreshToken")
		if first == "" || g.cookie("/api/v1/auth/refresh", "refreshToken") != "" || strings.Contains(up.text, first) {
			t.Errorf("the refresh token is not GraphQL's alone: %v", up.header["Set-Cookie"])
		}
		g.graphql(refreshOperation).want(200, `"refreshToken":null,"user":{"name":"Ada Lovelace"}`)
		if again := g.cookie("/graphql", "refreshToken"); again == first || again == "" {
			t.Errorf("the cookie holds %q after %q", again, first)
		}
		g.graphql(`mutation { logout }`).want(200, `{"data":{"logout":true}`)
		g.graphql(refreshOperation).want(200, `"code":"UNAUTHENTICATED"`)

		for mode, cookie := range map[string]string{"cookie": "token", "session": "session"} {
			other := map[string]string{"token": "session", "session": "token"}[cookie] // which is taken away
			g := f.guest()
			in := g.graphqlLogin("mode: "+mode).want(200, `{"requires2FA":false,"accessToken":null,"expiresIn":null,"refreshToken":null,"user":{"email":"ada@example.com"}}`)
			set := credentials(in)
			if g.cookie("/", cookie) == "" || len(set) != 2 || !strings.HasPrefix(set[0], other+"=; ") || !strings.Contains(set[1], "HttpOnly") {
				t.Errorf("%s: %v", mode, set)
			}
			g.graphql(meOperation).want(200, adasAnswer)
			g.ask("GET", "/api/v1/auth/me", "").want(200, "ada@example.com")
			g.ask("POST", "/graphql", `{"query":"mutation { logout }"}`, "Sec-Fetch-Site", "cross-site").want(403, `"code":"FORBIDDEN"`)
			g.graphql(`mutation { logout }`).want(200)
			if g.cookie("/", cookie) != "" {
				t.Errorf("%s: the cookie stays", mode)
			}
		}
		f.guest().ask("POST", "/graphql", `{"query":"mutation { login(email: \"ada@example.com\", password: \"correct horse 1\", mode: session) { requires2FA } }"}`,
			"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example").want(403, `"code":"FORBIDDEN"`)
	})
}

func TestAProgramSignsInThroughGraphQL(t *testing.T) {
	eachFront(t, func(f *front) {
		f.signUp()
		g := f.guest()
		in := g.graphqlLogin("withRefreshToken: true").want(200, `"expiresIn":900`)
		if set := credentials(in); len(set) != 0 {
			t.Errorf("cookies %v", set)
		}
		first := in.at("data", "login", "refreshToken")
		next := g.graphql(refreshOperation, "refreshToken", first).want(200)
		if len(credentials(next)) != 0 || next.at("data", "refresh", "refreshToken") == "" {
			t.Errorf("answered %s, cookies %v", next.text, next.header["Set-Cookie"])
		}
		ada := g.bearer(next.at("data", "refresh", "accessToken"))
		ada.graphql(meOperation).want(200, adasAnswer)
		g.graphql(`mutation($refreshToken: String) { logout(refreshToken: $refreshToken) }`, "refreshToken", next.at("data", "refresh", "refreshToken")).want(200, "true")
		f.pass(2 * time.Second)
		ada.graphql(meOperation).want(401, `"code":"UNAUTHENTICATED"`)
		g.graphql(refreshOperation, "refreshToken", first).want(200, `"code":"UNAUTHENTICATED","status":401`)
		g.graphqlLogin("mode: session, withRefreshToken: true").want(200, `"status":422`, "withRefreshToken")
		g.graphql(`mutation { login(email: "ada@example.com", password: "wrong 1") { accessToken } }`).
			want(200, `"data":{"login":null}`, `"code":"INVALID_CREDENTIALS","status":401`)
	})
}

func TestOnesAccountThroughGraphQL(t *testing.T) {
	eachFront(t, func(f *front) {
		ada := f.signUp()
		nobody := f.guest()
		for _, query := range []string{`{ me { id } }`, `{ sessions { id } }`, `{ twoFactor { enabled } }`, `mutation { setupTwoFactor { secret } }`, `mutation { endOtherSessions }`} {
			nobody.graphql(query).want(200, `"code":"UNAUTHENTICATED"`)
		}
		ada.graphql(`{ twoFactor { enabled recoveryCodesLeft } }`).want(200, `{"enabled":false,"recoveryCodesLeft":0}`)
		code, recovery := ada.graphqlSecondFactor()
		nobody.graphqlLogin("mode: bearer").want(200, `{"requires2FA":true,"accessToken":null`)
		nobody.graphqlLogin("mode: bearer", "totpToken", "000000").want(200, `"code":"INVALID_CREDENTIALS"`)
		nobody.graphqlLogin("mode: bearer", "totpToken", code()).want(200, `"email":"ada@example.com"`)
		nobody.graphqlLogin("mode: session", "totpToken", recovery).want(200, `"email":"ada@example.com"`)
		ada.graphql(`{ twoFactor { enabled recoveryCodesLeft } }`).want(200, `{"enabled":true,"recoveryCodesLeft":9}`)
		ada.graphql(`mutation($password: String, $token: String) { renewRecoveryCodes(password: $password, token: $token) { recoveryCodes } }`, "password", adasPassword, "token", code()).want(200, `{"recoveryCodes":["`)
		ada.graphql(`mutation($token: String) { disableTwoFactor(token: $token) }`, "token", code()).want(200, `"code":"BAD_USER_INPUT"`, `"field":"password"`)
		ada.graphql(`mutation($password: String, $token: String) { disableTwoFactor(password: $password, token: $token) }`, "password", adasPassword, "token", code()).want(200, `{"disableTwoFactor":true}`)

		list := ada.graphql(`{ sessions { id mode current createdAt } }`).want(200, `"mode":"session","current":false`, `"mode":"bearer","current":true`)
		sessions, _ := list.body["data"].(map[string]any)["sessions"].([]any)
		newest := sessions[0].(map[string]any)["id"].(string)
		ada.graphql(`mutation($id: ID!) { endSession(id: $id) }`, "id", newest).want(200, "true")
		ada.graphql(`mutation($id: ID!) { endSession(id: $id) }`, "id", newest).want(200, `"code":"NOT_FOUND"`)
		ada.graphql(`mutation { endOtherSessions }`).want(200, "true")
		ada.graphql(`{ sessions { current } }`).want(200, `{"sessions":[{"current":true}]}`)
	})
}

// graphqlSecondFactor turns Ada's second factor on, and returns what makes
// its codes and a recovery code.
func (g *guest) graphqlSecondFactor() (code func() string, recovery string) {
	g.Helper()
	setup := g.graphql(`mutation { setupTwoFactor { secret qrCode } }`).want(200, "data:image/png;base64,")
	code = g.codes(setup.at("data", "setupTwoFactor", "secret"))
	g.graphql(`mutation($token: String!) { verifyTwoFactor(token: $token) { recoveryCodes } }`, "token", "000000").want(200, `"code":"BAD_USER_INPUT"`)
	on := g.graphql(`mutation($token: String!) { verifyTwoFactor(token: $token) { recoveryCodes } }`, "token", code()).want(200)
	codes, _ := on.body["data"].(map[string]any)["verifyTwoFactor"].(map[string]any)["recoveryCodes"].([]any)
	return code, codes[0].(string)
}

func TestAForgottenPasswordThroughGraphQL(t *testing.T) {
	eachFront(t, func(f *front) {
		ada := f.signUp()
		g := f.guest()
		known := g.graphql(`mutation { forgotPassword(email: "ada@example.com") }`).want(200, `{"data":{"forgotPassword":true}`)
		if unknown := g.graphql(`mutation { forgotPassword(email: "nobody@example.com") }`); unknown.text != known.text || len(f.mails) != 1 {
			t.Errorf("answered %s and %s, sent %d mails", known.text, unknown.text, len(f.mails))
		}
		reset := func(token, password string) *answered {
			return g.graphql(`mutation($token: String!, $newPassword: String!) { resetPassword(token: $token, newPassword: $newPassword) }`, "token", token, "newPassword", password)
		}
		token := hex64.FindString(f.mails[0].Text)
		reset(token, "hushhush").want(200, `"status":422`, `"field":"newPassword"`)
		reset(token, "battery staple 2").want(200, "true")
		reset(token, "battery staple 2").want(200, `"code":"BAD_USER_INPUT"`, `"field":"token"`, `"status":400`)
		f.pass(2 * time.Second)
		ada.graphql(meOperation).want(401)
		g.graphql(`mutation { login(email: "ada@example.com", password: "battery staple 2") { user { name } } }`).want(200, "Ada Lovelace")
	})
}
