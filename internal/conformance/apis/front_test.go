package apis_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/wire"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/schema"
)

// front is both APIs behind their edge, put together as the program does it,
// with a clock that only the test moves.
type front struct {
	*testing.T
	db       *store.DB
	accounts *account.Accounts
	handler  http.Handler
	micros   atomic.Int64

	mu    sync.Mutex
	mails []mail.Message
}

// eachFront runs the test on both databases.
func eachFront(t *testing.T, test func(f *front)) {
	t.Helper()
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) { test(newFront(t, db)) })
}

const frontEnd = "https://app.example.com/in"

func newFront(t *testing.T, db *store.DB) *front {
	t.Helper()
	key := func(b byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32)) }
	c, err := config.Program{}.Load(nil, []string{
		"ENTWINE_BCRYPT_COST=4", "ENTWINE_TOKEN_KEYS=" + key(1), "ENTWINE_SECRET_KEYS=" + key(2), "ENTWINE_PUBLIC_URL=https://api.example.com",
	})
	if err != nil {
		t.Fatal(err)
	}
	f := &front{T: t, db: db}
	f.micros.Store(time.Now().UnixMicro())
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	keys, err := account.NewKeys(c.Account.TokenKeys)
	if err != nil {
		t.Fatal(err)
	}
	vault, err := account.NewVault(c.Account.SecretKeys)
	if err != nil {
		t.Fatal(err)
	}
	bus := new(pubsub.Memory)
	db.OnWake(bus.Wake)
	a := account.New(account.Config{
		DB: db, Log: log, Users: activities.Users(db), Keys: activities.Keyring(db).Keys, Bus: bus, Mail: f,
		Issuer: &account.Issuer{Keys: keys, Name: c.PublicURL, Lifetime: c.Account.AccessTime, Now: f.now}, Vault: vault,
		PasswordCost: c.Account.BcryptCost, Verification: account.Verification(c.Account.Verification),
	})
	a.Gate.Now, a.Authenticator.Throttle.Now, a.Factor.Now, a.Resetter.Now, a.Addresses.Now = f.now, f.now, f.now, f.now, f.now
	a.Resetter.Ask = func(ctx context.Context, email string) error {
		store.AfterCommit(ctx, func(ctx context.Context) {
			if err := a.Resetter.Deliver(ctx, email, "reset"); err != nil {
				t.Error(err)
			}
		})
		return nil
	}
	a.Addresses.Tell = func(ctx context.Context, n account.Notice) error {
		store.AfterCommit(ctx, func(ctx context.Context) {
			if err := a.Addresses.Deliver(ctx, n, "notice"); err != nil {
				t.Error(err)
			}
		})
		return nil
	}
	f.accounts = a
	engine := activities.Engine(db, f.accounts, activities.Set{})
	f.handler = web.Site{
		Edge: &web.Edge{
			Log: log, Auth: f.accounts.Verifier, Limit: c.Limit, Service: schema.Service(),
			Errors: func(w http.ResponseWriter, r *http.Request, err error) {
				if r.URL.Path == web.GraphQLPath {
					wire.WriteError(w, r, err)
					return
				}
				failure.New("entwine", offered(t)).Write(w, r, err)
			},
		},
		Health:  &web.Health{},
		Start:   web.Start{},
		Keys:    web.KeySet(a.Gate.Issuer.Keys.Published()),
		REST:    resources(t, db, app.REST{Log: log, Engine: engine, Accounts: f.accounts}),
		GraphQL: fields(t, db, app.GraphQL{Options: graph.Options{Logger: log}, Engine: engine, Accounts: f.accounts}),
	}.Handler()
	return f
}

// Send implements mail.Sender.
func (f *front) Send(_ context.Context, m mail.Message) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mails = append(f.mails, m)
	return nil
}

// system is a context in which every rule admits.
func (f *front) system() context.Context { return viewer.With(f.Context(), viewer.System()) }

func (f *front) now() time.Time { return time.UnixMicro(f.micros.Load()).UTC() }

func (f *front) pass(d time.Duration) { f.micros.Add(d.Microseconds()) }

// guest is a program with a jar for cookies, and a credential if it has one.
type guest struct {
	*front
	jar    http.CookieJar
	header http.Header
}

func (f *front) guest(headers ...string) *guest {
	jar, err := cookiejar.New(nil)
	if err != nil {
		f.Fatal(err)
	}
	g := &guest{front: f, jar: jar, header: http.Header{}}
	for i := 0; i < len(headers); i += 2 {
		g.header.Set(headers[i], headers[i+1])
	}
	return g
}

// bearer is the same program with an access token.
func (g *guest) bearer(token string) *guest {
	return &guest{front: g.front, jar: g.jar, header: http.Header{"Authorization": {"Bearer " + token}}}
}

// answered is the answer to a request.
type answered struct {
	*testing.T
	status int
	header http.Header
	text   string
	body   map[string]any
}

// ask sends a request, with headers of its own.
func (g *guest) ask(method, path, body string, headers ...string) *answered {
	g.Helper()
	r := httptest.NewRequest(method, "https://api.example.com"+path, strings.NewReader(body))
	maps.Copy(r.Header, g.header)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range g.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	g.handler.ServeHTTP(w, r.WithContext(g.Context()))
	g.jar.SetCookies(r.URL, w.Result().Cookies())
	a := &answered{T: g.T, status: w.Code, header: w.Header(), text: w.Body.String()}
	_ = json.Unmarshal(w.Body.Bytes(), &a.body) // what is not JSON has no body
	return a
}

// cookie returns what the jar would send to a path.
func (g *guest) cookie(path, name string) string {
	for _, c := range g.jar.Cookies(&url.URL{Scheme: "https", Host: "api.example.com", Path: path}) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// post sends a REST request below /api/v1/auth.
func (g *guest) post(path string, members ...string) *answered {
	g.Helper()
	return g.ask("POST", "/api/v1/auth/"+path, object(members...))
}

// graphql sends an operation, with variables that are texts.
func (g *guest) graphql(query string, variables ...string) *answered {
	g.Helper()
	text, err := json.Marshal(query)
	if err != nil {
		g.Fatal(err)
	}
	return g.ask("POST", "/graphql", `{"query":`+string(text)+`,"variables":`+object(variables...)+`}`)
}

// object is a JSON object of names and texts in turn.
func object(members ...string) string {
	o := map[string]string{}
	for i := 0; i < len(members); i += 2 {
		o[members[i]] = members[i+1]
	}
	text, _ := json.Marshal(o) // of texts: it can't fail
	return string(text)
}

// want fails the test unless the answer has the status and holds the texts.
func (a *answered) want(status int, texts ...string) *answered {
	a.Helper()
	if a.status != status {
		a.Fatalf("answered %d, want %d: %s", a.status, status, a.text)
	}
	for _, text := range texts {
		if !strings.Contains(a.text, text) {
			a.Fatalf("the answer lacks %s: %s", text, a.text)
		}
	}
	return a
}

// at returns the text at a path of names, empty where there is none.
func (a *answered) at(path ...string) string {
	var value any = a.body
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	text, _ := value.(string)
	return text
}

const adasPassword = "correct horse 1"

// signUp registers Ada and returns her, by her access token.
func (f *front) signUp() *guest {
	f.Helper()
	g := f.guest()
	return g.bearer(g.post("register", "name", "Ada Lovelace", "email", "ada@example.com", "password", adasPassword).want(201).at("token"))
}

// login signs Ada in.
func (g *guest) login(more ...string) *answered {
	g.Helper()
	return g.post("login", append([]string{"email", "ada@example.com", "password", adasPassword}, more...)...)
}

// secondFactor turns Ada's second factor on, and returns what makes its codes
// and the recovery codes.
func (g *guest) secondFactor() (code func() string, recovery []string) {
	g.Helper()
	code = g.codes(g.post("2fa/setup").want(200).at("secret"))
	on := g.post("2fa/verify", "token", code()).want(200)
	codes, _ := on.body["recoveryCodes"].([]any)
	for _, c := range codes {
		recovery = append(recovery, c.(string))
	}
	return code, recovery
}

// codes returns what makes one-time codes of the secret, each another.
func (f *front) codes(secret string) func() string {
	return func() string {
		f.Helper()
		f.pass(30 * time.Second)
		text, err := totp.GenerateCode(secret, f.now())
		if err != nil {
			f.Fatal(err)
		}
		return text
	}
}

var hex64 = regexp.MustCompile(`[0-9a-f]{64}`)

// resetToken asks for a mail to Ada and returns the token in it.
func (f *front) resetToken() string {
	f.Helper()
	f.guest().post("forgot-password", "email", "ada@example.com").want(200)
	f.mu.Lock()
	defer f.mu.Unlock()
	return hex64.FindString(f.mails[len(f.mails)-1].Text)
}
