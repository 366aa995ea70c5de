package accounts_test

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/base64"
	hexadecimal "encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/idp/idptest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// canary drives a service with secrets, and keeps what must be found nowhere
// else.
type canary struct {
	*testing.T
	s       *trial.Service
	secrets map[string]string // by what they are
	errors  []string          // the bodies of all answers that were errors
}

// knows adds a secret.
func (c *canary) knows(what, secret string) string {
	c.Helper()
	if len(secret) < 8 {
		c.Fatalf("%s is %q: what is so short is found by chance", what, secret)
	}
	c.secrets[what] = secret
	return secret
}

func (c *canary) ask(method, path, body string, headers ...string) trial.Reply {
	c.Helper()
	a := c.s.Ask(c.T, method, path, body, headers...)
	if a.Status >= 400 || strings.Contains(a.Text, `"errors":[`) {
		path, _, _ := strings.Cut(path, "?")
		c.errors = append(c.errors, fmt.Sprintf("%s %s: %s", method, path, a.Text))
	}
	for _, set := range a.Header["Set-Cookie"] {
		cookie, err := http.ParseSetCookie(set)
		if err != nil {
			c.Fatal(err)
		}
		if cookie.Value != "" {
			c.knows(fmt.Sprintf("the cookie %s of %s", cookie.Name, path), cookie.Value)
		}
	}
	for _, name := range []string{"token", "secret", "key"} {
		if text, ok := a.Body[name].(string); ok {
			c.knows(fmt.Sprintf("the %s of %s", name, path), text)
		}
	}
	return a
}

func (c *canary) graphql(query string, headers ...string) trial.Reply {
	c.Helper()
	return c.ask("POST", "/graphql", `{"query":`+fmt.Sprintf("%q", query)+`}`, headers...)
}

// cookie is the header with a cookie that an answer set.
func cookie(a trial.Reply, name string) []string {
	for _, set := range a.Header["Set-Cookie"] {
		if cookie, err := http.ParseSetCookie(set); err == nil && cookie.Name == name {
			return []string{"Cookie", name + "=" + cookie.Value}
		}
	}
	return nil
}

func bearer(a trial.Reply) []string {
	return []string{"Authorization", "Bearer " + a.Body["token"].(string)}
}

const (
	canaryPassword = "canary-sings-1-register"
	canaryReset    = "canary-sings-2-reset"
)

// Secrets appear nowhere in clear: not in the log at level debug, not in any
// command to Redis, not in any column of the database (jobs, events and
// idempotency records included), and not in the message of an error. By design a
// secret is in one place only: the answer, or the mail, that hands it to its owner.
func TestSecretsAreNowhereInClear(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		sing(t, dir, func() []byte {
			var all []byte
			files, err := filepath.Glob(filepath.Join(dir, "data", "entwine.db*"))
			if err != nil || len(files) == 0 {
				t.Fatalf("files %v, %v", files, err)
			}
			for _, file := range files { // with what was deleted
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, text...)
			}
			return all
		})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		address := migratetest.Schema(t).PostgresURL(t)
		sing(t, t.TempDir(), func() []byte { return everyColumn(t, address) }, "ENTWINE_DATABASE_URL="+address)
	})
}

func sing(t *testing.T, dir string, database func() []byte, settings ...string) {
	redis := storetest.Redis(t)
	heard := monitor(t, redis.URL)
	c := &canary{T: t, secrets: map[string]string{}}
	key := func(b byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b, 7, 99}, 11)[:32]) }
	provider, mail := idptest.New(t), trial.ServeMail(t, "starttls", c.knows("the mail server's password", "canary-mail-password"))
	settings = append(settings, mail.Settings()...)
	c.s = trial.StartIn(t, dir, append(settings,
		"ENTWINE_REDIS_URL="+redis.URL, "ENTWINE_LOG_LEVEL=debug", "ENTWINE_OIDC_HANDOFF=code", "ENTWINE_RATE_LIMIT=off",
		"ENTWINE_ADMIN_EMAIL=root@example.com", "ENTWINE_ADMIN_PASSWORD="+c.knows("the admin's password", "canary-admin-password-1"),
		"ENTWINE_TOKEN_KEYS="+c.knows("the key of tokens", key(40)), "ENTWINE_SECRET_KEYS="+c.knows("the key of secrets", key(90)),
		"ENTWINE_OIDC_ISSUER="+provider.URL, "ENTWINE_OIDC_CLIENT_ID="+idptest.ClientID, "ENTWINE_OIDC_CLIENT_SECRET="+c.knows("the client's secret", idptest.ClientSecret),
		"ENTWINE_OIDC_REDIRECT_URL=https://api.example.com/api/v1/auth/idp/callback", "ENTWINE_FRONTEND_URL=https://app.example.com/in",
	)...)
	c.signInOut()
	c.secondFactor()
	c.resetPassword(mail)
	c.leaveAddress(mail)
	c.keys()
	c.provider()
	c.mistakes()
	c.s.Stop(t)
	c.search("the log", []byte(c.s.Output.String()))
	c.search("the errors", []byte(strings.Join(c.errors, "\n")))
	c.search("Redis", heard())
	c.search("the database", database())
}

func (c *canary) signInOut() {
	c.knows("the password", canaryPassword)
	c.ask("POST", "/api/v1/auth/register", `{"name":"Ada Lovelace","email":"ida@example.com","password":"`+canaryPassword+`"}`).Want(c.T, 201)
	login := `{"email":"ida@example.com","password":"` + canaryPassword + `"}`
	in := c.ask("POST", "/api/v1/auth/login", login).Want(c.T, 200)
	for _, mode := range []string{"cookie", "session"} {
		c.ask("GET", "/api/v1/auth/me", "", cookie(c.ask("POST", "/api/v1/auth/login?mode="+mode, login), map[string]string{"cookie": "token", "session": "session"}[mode])...).Want(c.T, 200)
	}
	again := c.ask("POST", "/api/v1/auth/refresh", "", cookie(in, "refreshToken")...).Want(c.T, 200)
	c.ask("POST", "/api/v1/posts", `{"title":"Hello","content":"…","published":true}`, append(bearer(in), "Idempotency-Key", "canary")...).Want(c.T, 201)
	c.ask("POST", "/api/v1/posts", `{"title":"Hello","content":"…","published":true}`, append(bearer(in), "Idempotency-Key", "canary")...).Want(c.T, 201)
	c.ask("POST", "/api/v1/auth/logout", "", cookie(again, "refreshToken")...).Want(c.T, 200)
	native := c.graphql(`mutation { login(email: "ida@example.com", password: "`+canaryPassword+`", withRefreshToken: true) { accessToken refreshToken } }`).Want(c.T, 200)
	for _, token := range regexp.MustCompile(`"(accessToken|refreshToken)":"([^"]+)"`).FindAllStringSubmatch(native.Text, -1) {
		c.knows("GraphQL's "+token[1], token[2])
	}
}

func (c *canary) secondFactor() {
	in := c.ask("POST", "/api/v1/auth/register", `{"name":"Otto","email":"otto@example.com","password":"`+canaryPassword+`"}`).Want(c.T, 201)
	secret := c.ask("POST", "/api/v1/auth/2fa/setup", "", bearer(in)...).Want(c.T, 200).Body["secret"].(string)
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		c.Fatal(err)
	}
	on := c.ask("POST", "/api/v1/auth/2fa/verify", `{"token":"`+code+`"}`, bearer(in)...).Want(c.T, 200)
	for i, recovery := range on.Body["recoveryCodes"].([]any) {
		c.knows(fmt.Sprint("recovery code ", i), recovery.(string))
		c.knows(fmt.Sprint("recovery code in one ", i), strings.ReplaceAll(recovery.(string), "-", ""))
	}
	login := `{"email":"otto@example.com","password":"` + canaryPassword + `","totpToken":"` + c.secrets["recovery code 0"] + `"}`
	c.ask("POST", "/api/v1/auth/login", login).Want(c.T, 200)
	c.ask("POST", "/api/v1/auth/login", login).Want(c.T, 401)
}

func (c *canary) resetPassword(mail *trial.MailServer) {
	c.ask("POST", "/api/v1/auth/forgot-password", `{"email":"ida@example.com"}`).Want(c.T, 200)
	token := c.knows("the reset token", mail.ResetToken(c.T))
	reset := `{"token":"` + token + `","newPassword":"` + c.knows("the new password", canaryReset) + `"}`
	c.ask("POST", "/api/v1/auth/reset-password", reset).Want(c.T, 200)
	c.ask("POST", "/api/v1/auth/reset-password", reset).Want(c.T, 400)
	c.ask("POST", "/api/v1/auth/forgot-password", `{"email":"ida@example.com"}`).Want(c.T, 200)
	c.knows("a reset token that nobody uses", mail.ResetToken(c.T))
}

// leaveAddress changes the address and the password, takes the account back,
// and leaves a token that no client uses.
func (c *canary) leaveAddress(mail *trial.MailServer) {
	const changed, taken = "canary-sings-3-change", "canary-sings-4-taken"
	login := func(email, password string) []string {
		return bearer(c.ask("POST", "/api/v1/auth/login", `{"email":"`+email+`","password":"`+password+`"}`).Want(c.T, 200))
	}
	in := login("ida@example.com", canaryReset)
	id := regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(c.ask("GET", "/api/v1/auth/me", "", in...).Want(c.T, 200).Text)[1]
	leave := func(in []string, to string) string {
		c.ask("PATCH", "/api/v1/users/"+id, `{"email":"`+to+`"}`, in...).Want(c.T, 200)
		for {
			select {
			case content := <-mail.Received:
				if token := mailToken.FindString(content); token != "" {
					return c.knows("the token of who left for "+to, token)
				}
			case <-time.After(time.Minute):
				c.Fatal("no mail comes")
			}
		}
	}
	token := leave(in, "ida2@example.com")
	c.ask("POST", "/api/v1/auth/change-password", `{"oldPassword":"`+canaryReset+`","newPassword":"`+c.knows("the changed password", changed)+`"}`, in...).Want(c.T, 200)
	back := `{"token":"` + token + `","newPassword":"` + c.knows("the password of who is back", taken) + `"}`
	c.ask("POST", "/api/v1/auth/take-back-email", back).Want(c.T, 200)
	c.ask("POST", "/api/v1/auth/take-back-email", back).Want(c.T, 400)
	leave(login("ida@example.com", taken), "ida3@example.com")
}

func (c *canary) keys() {
	root := c.ask("POST", "/api/v1/auth/login", `{"email":"root@example.com","password":"canary-admin-password-1"}`).Want(c.T, 200)
	create := trial.Command(c.T, c.s.Dir, "apikey", "create", "shop")
	create.Env = c.s.Cmd.Env
	create.Stderr = c.s.Output // which it shares with the service
	made, err := create.Output()
	text := regexp.MustCompile(`ek_[a-z0-9]{8}_([a-z0-9]{20,})`).FindStringSubmatch(string(made))
	if err != nil || text == nil {
		c.Fatalf("there is no key in %s: %v", made, err)
	}
	c.knows("an API key", text[1]) // without what it is known by
	c.ask("GET", "/api/v1/users", "", "X-API-Key", text[0]).Want(c.T, 200)
	c.ask("POST", "/api/v1/users", `{"name":"By Admin","email":"by@example.com","password":"`+c.knows("a password that an admin sets", "canary-sings-3-admin")+`"}`, bearer(root)...)
}

func (c *canary) provider() {
	out := c.ask("GET", "/api/v1/auth/idp", "").Want(c.T, 302)
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(c.Context(), http.MethodGet, out.Header.Get("Location"), nil)
	if err != nil {
		c.Fatal(err)
	}
	back, err := browser.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer back.Body.Close()
	to, err := url.Parse(back.Header.Get("Location"))
	if err != nil {
		c.Fatal(err)
	}
	c.knows("the provider's code", to.Query().Get("code"))
	c.knows("the state", to.Query().Get("state"))
	c.knows("the nonce", r.URL.Query().Get("nonce"))
	in := c.ask("GET", to.RequestURI(), "", cookie(out, "idp")...).Want(c.T, 302)
	_, code, _ := strings.Cut(in.Header.Get("Location"), "code=")
	c.ask("POST", "/api/v1/auth/idp/exchange", `{"code":"`+c.knows("the handoff", code)+`"}`).Want(c.T, 200)
}

// mistakes are requests that go wrong with a secret in them.
func (c *canary) mistakes() {
	wrong := c.knows("a wrong password", "canary-sings-4-wrong")
	short := c.knows("a password without a digit", "canary-sings-wrongly")
	for _, body := range []string{
		`{"email":"ida@example.com","password":"` + wrong + `"}`,
		`{"email":"ida@example.com","password":"` + wrong + `",}`,
		`{"email":"ida@example.com","password":["` + wrong + `"]}`,
		`{"email":"ida@example.com","password":{"` + wrong + `":1}}`,
		`{"email":"ida@example.com","pass":1,"password":"` + wrong + `"}`,
		`{"password":"` + wrong + `"}`,
		`{"password":"` + wrong,
	} {
		c.ask("POST", "/api/v1/auth/login", body)
		c.ask("POST", "/api/v1/auth/register", body)
		c.ask("POST", "/api/v1/auth/2fa/disable", body)
	}
	c.ask("POST", "/api/v1/auth/register", `{"name":"A","email":"x","password":"`+short+`"}`).Want(c.T, 422)
	c.ask("POST", "/api/v1/auth/reset-password", `{"token":"`+wrong+`","newPassword":"`+short+`"}`).Want(c.T, 422)
	for _, name := range []string{"password", "token", "totpToken", "newPassword", "access_token", "code", "api_key", "secret"} {
		c.ask("GET", "/api/v1/posts?"+name+"="+wrong, "")
		c.ask("POST", "/api/v1/auth/login?"+name+"="+wrong, `{"email":"ida@example.com","`+name+`":"`+wrong+`"}`)
	}
	for _, header := range []string{"Bearer " + wrong, "Basic " + wrong, wrong} {
		c.ask("GET", "/api/v1/users", "", "Authorization", header).Want(c.T, 401)
	}
	c.ask("GET", "/api/v1/users", "", "X-API-Key", "ek_"+wrong).Want(c.T, 401)
	c.ask("GET", "/api/v1/users", "", "Cookie", "session="+wrong).Want(c.T, 401)
	c.ask("POST", "/api/v1/auth/refresh", "", "Cookie", "refreshToken="+wrong).Want(c.T, 401)
	for _, query := range []string{
		`mutation { login(email: "ida@example.com", password: "` + wrong + `") { accessToken } }`,
		`mutation { login(email: "ida@example.com", password: "` + wrong + `", nope: 1) { accessToken } }`,
		`mutation { login(email: "ida@example.com", password: ["` + wrong + `"]) { accessToken } }`,
		`mutation { login(email: "ida@example.com", password: {a: "` + wrong + `"}) { accessToken } }`,
		`mutation { login(email: "ida@example.com", password: "` + wrong,
		`mutation { register(name: "A", email: "x", password: "` + short + `") { accessToken } }`,
		`mutation { refresh(refreshToken: "` + wrong + `") { accessToken } }`,
		`mutation { resetPassword(token: "` + wrong + `", newPassword: "` + short + `") }`,
	} {
		c.graphql(query)
	}
	for _, value := range []string{`["` + wrong + `"]`, `{"a":"` + wrong + `"}`} {
		c.ask("POST", "/graphql", `{"query":"mutation($p: String!) { login(email: \"ida@example.com\", password: $p) { accessToken } }","variables":{"p":`+value+`}}`)
	}
}

// search fails the test for each secret that is there, in clear or in a form
// that any reader decodes.
func (c *canary) search(where string, all []byte) {
	c.Helper()
	if len(all) == 0 {
		c.Errorf("%s is empty: nothing was searched", where)
	}
	for what, secret := range c.secrets {
		for form, text := range map[string]string{
			"in clear": secret, "escaped": url.QueryEscape(secret), "in hex": hexadecimal.EncodeToString([]byte(secret)),
			"in base64": strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(secret)), "="),
		} {
			if i := bytes.Index(all, []byte(text)); i >= 0 {
				c.Errorf("%s has %s, %s: …%q…", where, what, form, all[max(0, i-120):min(len(all), i+len(text)+40)])
				break
			}
		}
	}
}

// monitor records every command that a Redis receives from now on.
func monitor(t *testing.T, address string) (heard func() []byte) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("MONITOR\r\n")); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	if line, err := r.ReadString('\n'); err != nil || line != "+OK\r\n" {
		t.Fatalf("MONITOR: %q, %v", line, err)
	}
	all := new(trial.Log)
	done := make(chan struct{})
	go func() { defer close(done); _, _ = r.WriteTo(all) }()
	return func() []byte {
		_ = conn.SetReadDeadline(time.Now().Add(time.Second)) // for what is on its way
		<-done
		_ = conn.Close()
		return []byte(all.String())
	}
}

// everyColumn is all that a PostgreSQL database holds, as text.
func everyColumn(t *testing.T, address string) []byte {
	t.Helper()
	db, err := sql.Open("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	texts := func(query string) (all []string) {
		t.Helper()
		rows, err := db.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	var all bytes.Buffer
	for _, table := range texts(`SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`) {
		fmt.Fprintln(&all, table, strings.Join(texts(`SELECT t::text FROM `+table+` t`), "\n"))
	}
	return all.Bytes()
}
