package rest_test

import (
	"net/http"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/pquerna/otp/totp"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/idp/idptest"
)

const (
	adaLogin = `{"email":"ADA@example.com","password":"correct horse 1"}`
	adaNew   = `{"email":"ada@example.com","password":"battery staple 2"}`
)

func TestSigningUp(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		v := r.visitor()
		a := v.do("POST", "/api/v1/auth/register", `{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}`).want(201)
		if a.members() != "message status token user" || a.at("status") != "success" || a.at("user", "email") != "ada@example.com" {
			t.Errorf("answered %s", a.Raw)
		}
		if got := a.Header.Get("Location"); got != "/api/v1/users/1" {
			t.Errorf("Location %q", got)
		}
		v.bearer = a.at("token").(string)
		if me := v.do("GET", "/api/v1/auth/me", "").want(200).data(); me["role"] != "user" || me["name"] != "Ada Lovelace" {
			t.Errorf("me: %v", me)
		}
		again := r.visitor().do("POST", "/api/v1/auth/register", `{"name":"Eve","email":"Ada@Example.com","password":"correct horse 1"}`).want(409)
		if again.at("error", "code") != "DUPLICATE_RESOURCE" || again.details()["email"] == "" {
			t.Errorf("answered %s", again.Raw)
		}
		bad := r.visitor().do("POST", "/api/v1/auth/register", `{"name":"A","email":"ada","password":"hushhush"}`).want(422)
		if d := bad.details(); len(d) != 3 || strings.Contains(bad.Raw, "hushhush") {
			t.Errorf("details %v", d)
		}
		if d := r.visitor().do("POST", "/api/v1/auth/register", `{"name":"Ada","role":"admin"}`).want(400).details(); len(d) != 3 {
			t.Errorf("details %v", d)
		}
	})
}

func TestSigningInByBearerToken(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		r.signUp("Ada Lovelace", "ada@example.com")
		v := r.visitor()
		a := v.do("POST", "/api/v1/auth/login", adaLogin).want(200)
		if a.members() != "accessToken expiresIn status token user" || a.at("token") != a.at("accessToken") || a.at("expiresIn") != 900.0 {
			t.Errorf("answered %s", a.Raw)
		}
		if got := a.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control %q", got)
		}
		c := v.set["refreshToken"]
		if c == nil || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != "/api" || !near(c.MaxAge, 7*24*3600) {
			t.Errorf("cookie %+v", c)
		}
		first := v.cookies["refreshToken"]
		v.do("POST", "/api/auth/refresh", "", "Authorization", "Bearer "+strings.Repeat("x", 20)).want(401)
		r.pass(15 * time.Minute)
		refreshed := v.do("POST", "/api/auth/refresh", "", "Authorization", "Bearer "+a.at("token").(string)).want(200)
		if refreshed.members() != "accessToken expiresIn status" || v.cookies["refreshToken"] == first {
			t.Errorf("answered %s", refreshed.Raw)
		}
		v.bearer = refreshed.at("accessToken").(string)
		v.do("GET", "/api/v1/auth/me", "").want(200)

		out := v.do("POST", "/api/v1/auth/logout", "").want(200)
		if out.members() != "message status" || len(v.cookies) != 0 {
			t.Errorf("answered %s, cookies %v", out.Raw, v.cookies)
		}
		r.pass(2 * time.Second)
		v.do("GET", "/api/v1/auth/me", "").want(401)
		late := r.visitor()
		late.do("POST", "/api/v1/auth/refresh", "").want(401)
		late.cookies["refreshToken"] = first
		if a := late.do("POST", "/api/v1/auth/refresh", "").want(401); a.at("error", "code") != "TOKEN_INVALID" || len(late.cookies) != 0 {
			t.Errorf("answered %s, cookies %v", a.Raw, late.cookies)
		}
		r.visitor().do("POST", "/api/v1/auth/logout", "").want(200)
	})
}

// The next request is of the user who signed in last, whichever user had the browser before.
func TestSigningInAfterSomebodyElse(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		r.signUp("Ada Lovelace", "ada@example.com")
		r.signUp("Bob Miller", "bob@example.com")
		const bobLogin = `{"email":"bob@example.com","password":"correct horse 1"}`
		for _, modes := range [][2]string{{"cookie", "session"}, {"session", "cookie"}, {"session", "session"}} {
			v := r.visitor()
			v.do("POST", "/api/v1/auth/login?mode="+modes[0], adaLogin).want(200)
			name := map[string]string{"cookie": "token", "session": "session"}[modes[0]]
			left := name + "=" + v.cookies[name]
			v.do("POST", "/api/v1/auth/login?mode="+modes[1], bobLogin).want(200)
			r.pass(2 * time.Second)
			r.visitor().do("GET", "/api/v1/auth/me", "", "Cookie", left).want(401)
			if a := v.do("GET", "/api/v1/auth/me", "").want(200); a.at("data", "name") != "Bob Miller" || len(v.cookies) != 1 {
				t.Errorf("%v: answered %s, cookies %v", modes, a.Raw, v.cookies)
			}
		}
	})
}

func TestSigningInByCookies(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		r.signUp("Ada Lovelace", "ada@example.com")
		for mode, name := range map[string]string{"cookie": "token", "session": "session"} {
			v := r.visitor()
			a := v.do("POST", "/api/v1/auth/login?mode="+mode, adaLogin).want(200)
			if a.members() != "message status user" {
				t.Errorf("%s: answered %s", mode, a.Raw)
			}
			c := v.set[name]
			if c == nil || len(v.cookies) != 1 || !c.HttpOnly || c.Secure != (name == "token") || c.SameSite != http.SameSiteLaxMode || !near(c.MaxAge, 24*3600) {
				t.Errorf("%s: cookie %+v of %v", mode, c, v.cookies)
			}
			v.do("GET", "/api/v1/auth/me", "").want(200)
			forged := v.do("DELETE", "/api/v1/auth/sessions", "", "Sec-Fetch-Site", "cross-site").want(403)
			if forged.at("error", "code") != "FORBIDDEN" {
				t.Errorf("%s: answered %s", mode, forged.Raw)
			}
			v.do("DELETE", "/api/v1/auth/sessions", "", "Sec-Fetch-Site", "same-origin").want(204)
			again := v.cookies[name]
			v.do("POST", "/api/v1/auth/logout", "").want(200)
			if len(v.cookies) != 0 {
				t.Errorf("%s: cookies %v", mode, v.cookies)
			}
			r.pass(2 * time.Second)
			v.cookies[name] = again
			v.do("GET", "/api/v1/auth/me", "").want(401)
			if len(v.cookies) != 0 {
				t.Errorf("%s: a cookie that is no good stays", mode)
			}
		}
		r.visitor().do("POST", "/api/v1/auth/login?mode=basic", adaLogin).want(400)
	})
}

func TestTheMessagesOfTheSpecification(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		ada := r.signUp("Ada Lovelace", "ada@example.com")
		expect := func(a *answer, code, message string) {
			t.Helper()
			if a.want(401); a.at("error", "code") != code || a.at("error", "message") != message || a.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: %s, want %s %q", a.asked, a.Raw, code, message)
			}
		}
		expect(r.visitor().do("GET", "/api/v1/auth/me", ""), "AUTH_REQUIRED", "token required")
		expect(r.visitor().do("GET", "/api/v1/auth/me", "", "Cookie", "session=made-up"), "AUTH_REQUIRED", "authentication required")
		expect(r.visitor().do("POST", "/api/v1/auth/2fa/verify", `{"nonsense":1}`), "AUTH_REQUIRED", "token required")
		for _, login := range []string{`{"email":"ada@example.com","password":"wrong password 1"}`, `{"email":"nobody@example.com","password":"x"}`} {
			expect(r.visitor().do("POST", "/api/v1/auth/login", login), "INVALID_CREDENTIALS", "the e-mail address or the password is wrong")
		}
		r.pass(15 * time.Minute)
		expect(ada.do("GET", "/api/v1/auth/me", ""), "TOKEN_EXPIRED", "token expired")
	})
}

func TestTheSixthFailureIsToldWhenToComeBack(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		r.signUp("Ada Lovelace", "ada@example.com")
		v := r.visitor()
		for range 5 {
			v.do("POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"wrong password 1"}`).want(401)
		}
		a := v.do("POST", "/api/v1/auth/login", adaLogin).want(429)
		if a.at("error", "code") != "RATE_LIMIT_EXCEEDED" || a.Header.Get("Retry-After") != "3600" {
			t.Errorf("Retry-After %q: %s", a.Header.Get("Retry-After"), a.Raw)
		}
	})
}

func TestAForgottenPassword(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		ada := r.signUp("Ada Lovelace", "ada@example.com")
		r.visitor().do("POST", "/api/v1/auth/forgot-password", `{"email":"nobody@example.com"}`, "Sec-Fetch-Site", "cross-site").want(200)
		known := r.visitor().do("POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).want(200)
		unknown := r.visitor().do("POST", "/api/v1/auth/forgot-password", `{"email":"nobody@example.com"}`).want(200)
		if known.Raw != unknown.Raw || len(r.mailbox) != 1 {
			t.Errorf("answered %s and %s, sent %v", known.Raw, unknown.Raw, r.mailbox)
		}
		token := regexp.MustCompile(`[0-9a-f]{64}`).FindString(r.mailbox[0].Text)
		reset := func(token, password string) *answer {
			return r.visitor().do("POST", "/api/v1/auth/reset-password", `{"token":"`+token+`","newPassword":"`+password+`"}`)
		}
		if a := reset(strings.Repeat("0", 64), "battery staple 2").want(400); a.at("error", "code") != "VALIDATION_ERROR" || a.details()["token"] == "" {
			t.Errorf("answered %s", a.Raw)
		}
		reset(token, "short").want(422)
		reset(token, "battery staple 2").want(200)
		reset(token, "battery staple 2").want(400)
		r.visitor().do("POST", "/api/v1/auth/login", adaLogin).want(401)
		r.visitor().do("POST", "/api/v1/auth/login", adaNew).want(200)
		r.pass(2 * time.Second)
		ada.do("GET", "/api/v1/auth/me", "").want(401)
	})
}

func TestTwoFactors(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		ada := r.signUp("Ada Lovelace", "ada@example.com")
		setup := ada.do("POST", "/api/v1/auth/2fa/setup", "").want(200)
		secret, _ := setup.at("secret").(string)
		if setup.members() != "qrCode secret status" || !strings.HasPrefix(setup.at("qrCode").(string), "data:image/png;base64,") {
			t.Errorf("answered %.200s", setup.Raw)
		}
		code := func() string {
			r.pass(30 * time.Second)
			code, err := totp.GenerateCode(secret, r.now())
			if err != nil {
				t.Fatal(err)
			}
			return code
		}
		if a := ada.do("POST", "/api/v1/auth/2fa/verify", `{"token":"000000"}`).want(400); a.at("error", "code") != "VALIDATION_ERROR" {
			t.Errorf("answered %s", a.Raw)
		}
		codes, _ := ada.do("POST", "/api/v1/auth/2fa/verify", `{"token":"`+code()+`"}`).want(200).at("recoveryCodes").([]any)
		if len(codes) != 10 {
			t.Fatalf("recovery codes %v", codes)
		}
		v := r.visitor()
		needed := v.do("POST", "/api/v1/auth/login", adaLogin).want(200)
		if needed.members() != "message requires2FA status" || needed.at("requires2FA") != true || len(v.cookies) != 0 {
			t.Errorf("answered %s", needed.Raw)
		}
		login := func(code string) *answer {
			return r.visitor().do("POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"correct horse 1","totpToken":"`+code+`"}`)
		}
		if a := login("000000").want(401); a.at("error", "code") != "INVALID_CREDENTIALS" {
			t.Errorf("answered %s", a.Raw)
		}
		login(code()).want(200)
		login(codes[0].(string)).want(200)
		if a := ada.do("GET", "/api/v1/auth/2fa", "").want(200); a.at("enabled") != true || a.at("recoveryCodesLeft") != 9.0 {
			t.Errorf("answered %s", a.Raw)
		}
		ada.do("POST", "/api/v1/auth/2fa/setup", "").want(400)
		ada.do("POST", "/api/v1/auth/2fa/recovery-codes", `{"password":"wrong","token":"`+code()+`"}`).want(401)
		ada.do("POST", "/api/v1/auth/2fa/recovery-codes", `{"password":"correct horse 1","token":"`+code()+`"}`).want(200)
		ada.do("POST", "/api/v1/auth/2fa/disable", `{"password":"correct horse 1","token":"`+code()+`"}`).want(200)
		ada.do("POST", "/api/v1/auth/2fa/disable", `{"password":"correct horse 1"}`).want(409)
		r.visitor().do("POST", "/api/v1/auth/login", adaLogin).want(200)
	})
}

func TestOnesSessions(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		ada := r.signUp("Ada Lovelace", "ada@example.com")
		v := r.visitor()
		v.do("POST", "/api/v1/auth/login?mode=session", adaLogin, "User-Agent", "a browser").want(200)
		list := ada.do("GET", "/api/v1/auth/sessions", "").want(200).list()
		if len(list) != 2 || list[0]["mode"] != "session" || list[0]["user_agent"] != "a browser" || list[0]["current"] != false || list[1]["current"] != true {
			t.Fatalf("sessions %v", list)
		}
		r.signUp("Eve", "eve@example.com").do("DELETE", "/api/v1/auth/sessions/"+list[0]["id"].(string), "").want(404)
		ada.do("DELETE", "/api/v1/auth/sessions/"+list[0]["id"].(string), "").want(204)
		r.pass(2 * time.Second)
		v.do("GET", "/api/v1/auth/me", "").want(401)
	})
}

func TestSigningInThroughAProvider(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		provider := idptest.New(t)
		const frontEnd = "https://app.example.com/in?from=idp"
		r.accounts.Federator = &account.Federator{
			DB: r.db, Vault: r.accounts.Gate.Vault, Factor: r.accounts.Factor, Gate: r.accounts.Gate, Registrar: r.accounts.Registrar, Now: r.now, FrontEnds: []string{frontEnd},
			Provider: &idp.Provider{
				Issuer: provider.URL, ClientID: idptest.ClientID, ClientSecret: idptest.ClientSecret,
				RedirectURL: "https://api.example.com/api/v1/auth/idp/callback",
			},
		}
		back := func(v *visitor) string {
			out := v.do("GET", "/api/v1/auth/idp", "").want(302)
			browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			response, err := browser.Get(out.Header.Get("Location"))
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			return strings.TrimPrefix(response.Header.Get("Location"), "https://api.example.com") + "&session_state=whatever"
		}
		v := r.visitor()
		in := v.do("GET", back(v), "").want(302)
		to, token, _ := strings.Cut(in.Header.Get("Location"), "&token=")
		if to != frontEnd || v.cookies["refreshToken"] == "" || v.cookies["idp"] != "" {
			t.Errorf("sent to %s with cookies %v", in.Header.Get("Location"), v.cookies)
		}
		v.bearer = token
		if me := v.do("GET", "/api/v1/auth/me", "").want(200).data(); me["email"] != "ada@example.com" {
			t.Errorf("me: %v", me)
		}
		stranger := r.visitor()
		failed := func(a *answer, code string) {
			t.Helper()
			if to := a.want(302).Header.Get("Location"); !strings.HasPrefix(to, "https://app.example.com/in?error="+code+"&error_description=") || !strings.HasSuffix(to, "&from=idp") {
				t.Errorf("sent to %s, want the error %s", to, code)
			}
		}
		failed(stranger.do("GET", back(v), ""), "access_denied")
		failed(stranger.do("GET", "/api/v1/auth/idp/callback", ""), "invalid_request")
		failed(v.do("GET", back(v)+"&error=login_required", ""), "access_denied")
		for status, code := range map[int]string{500: "server_error", 400: "access_denied"} {
			provider.Serve = func(w http.ResponseWriter, request *http.Request) bool {
				if request.URL.Path != "/token" {
					return false
				}
				w.WriteHeader(status)
				return true
			}
			failed(v.do("GET", back(v), ""), code)
		}
		provider.Serve = nil
		provider.Claims = func(c jwt.MapClaims) { c["sub"] = "ada-2" }
		provider.UserInfo = func(info map[string]any) { info["sub"] = "ada-2" }
		failed(v.do("GET", back(v), ""), "account_exists")
		provider.Claims, provider.UserInfo = nil, nil
		stranger.do("GET", "/api/v1/auth/idp?return_to=https://evil.example", "").want(400)

		r.accounts.Federator.ByCode = true
		_, code, _ := strings.Cut(v.do("GET", back(v), "").want(302).Header.Get("Location"), "code=")
		code, _, _ = strings.Cut(code, "&")
		exchanged := r.visitor().do("POST", "/api/v1/auth/idp/exchange", `{"code":"`+code+`"}`).want(200)
		if exchanged.members() != "accessToken expiresIn status token user" {
			t.Errorf("answered %s", exchanged.Raw)
		}
		r.visitor().do("POST", "/api/v1/auth/idp/exchange", `{"code":"`+code+`"}`).want(400)

		r.accounts.Federator = nil
		r.visitor().do("GET", "/api/v1/auth/idp", "").want(404)
	})
}

func sorted(names []string) string {
	sort.Strings(names)
	return strings.Join(names, " ")
}

// near compares seconds of which one side was counted by the test's clock.
func near(got, want int) bool { return got-want < 60 && want-got < 60 }
