package rest_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/rest"
	"github.com/entwine-go/entwine/schema"
)

// reception is the API behind its edge, as a program outside meets it: with
// credentials and cookies, and no viewer that a test puts there.
type reception struct {
	t        *testing.T
	db       *store.DB
	accounts *account.Accounts
	handler  http.Handler
	mailbox  []mail.Message
	micros   atomic.Int64 // what the clock says
}

// receive runs the test on both databases.
func receive(t *testing.T, test func(t *testing.T, r *reception)) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		r := &reception{t: t, db: db}
		r.micros.Store(time.Now().UnixMicro())
		r.accounts = newAccounts(t, db, r.now, r)
		log := slog.New(slog.NewTextHandler(t.Output(), nil))
		versions := offered(t, "v1=main", "v2=jsend")
		edge := &web.Edge{
			Log: log, Errors: failure.New("entwine", versions).Write, Auth: r.accounts.Verifier, Service: schema.Service(),
			Limit: config.Limit{Body: 1 << 20, AuthBody: 16 << 10, BulkBody: 1 << 20, BodyTime: time.Minute, RequestTime: time.Minute},
		}
		engine := activities.Engine(db, r.accounts, activities.Set{Reporter: &reporting.Reporter{DB: db}})
		r.handler = edge.Handler(serve(t, setup{app.REST{Log: log, Engine: engine, Accounts: r.accounts, Versions: versions}, rest.Config{DB: db}}))
		test(t, r)
	})
}

// newAccounts returns all that signing in takes, with cheap passwords.
func newAccounts(t testing.TB, db *store.DB, now func() time.Time, mailbox mail.Sender) *account.Accounts {
	t.Helper()
	keys, err := account.NewKeys([]string{base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32))})
	if err != nil {
		t.Fatal(err)
	}
	vault, err := account.NewVault([]string{base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{2}, 32))})
	if err != nil {
		t.Fatal(err)
	}
	passwords := account.NewPasswords(bcrypt.MinCost)
	throttle := &account.Throttle{DB: db, Vault: vault, Now: now}
	gate := &account.Gatekeeper{
		DB: db, Vault: vault, Now: now,
		Issuer: &account.Issuer{Keys: keys, Name: "https://api.example.com", Lifetime: 15 * time.Minute, Now: now},
	}
	factor := &account.SecondFactor{DB: db, Vault: vault, Passwords: passwords, Throttle: throttle, Service: "entwine", Now: now}
	resetter := &account.Resetter{DB: db, Passwords: passwords, Throttle: throttle, Gate: gate, Mail: mailbox, Now: now}
	resetter.Ask = func(ctx context.Context, email string) error {
		store.AfterCommit(ctx, func(ctx context.Context) {
			if err := resetter.Deliver(ctx, email, "reset"); err != nil {
				t.Error(err)
			}
		})
		return nil
	}
	addresses := &account.Addresses{DB: db, Users: activities.Users(db), Vault: vault, Factor: factor, Gate: gate, Mail: mailbox, Now: now}
	addresses.Tell = func(context.Context, account.Notice) error { return nil }
	keyring := activities.Keyring(db)
	keyring.Versions = everyVersion(t).Names()
	return &account.Accounts{
		Registrar:     &account.Registrar{DB: db, Users: activities.Users(db), Passwords: passwords, Addresses: addresses},
		Addresses:     addresses,
		Authenticator: &account.Authenticator{DB: db, Passwords: passwords, Throttle: throttle, Factor: factor, Gate: gate},
		Gate:          gate, Factor: factor, Resetter: resetter, Keyring: keyring,
		Verifier: account.NewVerifier(db, gate.Issuer, new(pubsub.Memory), slog.New(slog.DiscardHandler)),
	}
}

// Send implements mail.Sender.
func (r *reception) Send(_ context.Context, m mail.Message) error {
	r.mailbox = append(r.mailbox, m)
	return nil
}

func (r *reception) now() time.Time { return time.UnixMicro(r.micros.Load()).UTC() }

func (r *reception) pass(d time.Duration) { r.micros.Add(d.Microseconds()) }

// visitor is a program that keeps its cookies of sign-ins, and a token if it has one.
type visitor struct {
	r       *reception
	cookies map[string]string
	set     map[string]*http.Cookie // as they were set last
	bearer  string
}

func (r *reception) visitor() *visitor {
	return &visitor{r: r, cookies: map[string]string{}, set: map[string]*http.Cookie{}}
}

// do sends a request.
func (v *visitor) do(method, path, body string, headers ...string) *answer {
	v.r.t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if v.bearer != "" {
		request.Header.Set("Authorization", "Bearer "+v.bearer)
	}
	for name, value := range v.cookies {
		request.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	v.r.handler.ServeHTTP(recorder, request.WithContext(v.r.t.Context()))
	a := &answer{t: v.r.t, asked: method + " " + path + " " + body, Status: recorder.Code, Header: recorder.Header(), Raw: recorder.Body.String()}
	if strings.Contains(recorder.Header().Get("Content-Type"), "json") && a.Raw != "" {
		if err := json.Unmarshal(recorder.Body.Bytes(), &a.Body); err != nil {
			v.r.t.Fatalf("%s: %v in %s", a.asked, err, a.Raw)
		}
	}
	for _, c := range recorder.Result().Cookies() {
		v.set[c.Name] = c
		if c.Name == "__Host-device" {
			continue // it signs no one in
		}
		if v.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(v.cookies, c.Name)
		}
	}
	a.keepsContract(method, path)
	return a
}

// signUp registers a user and returns them, signed in by bearer token.
func (r *reception) signUp(name, email string) *visitor {
	r.t.Helper()
	v := r.visitor()
	a := v.do("POST", "/api/v1/auth/register", `{"name":"`+name+`","email":"`+email+`","password":"correct horse 1"}`).want(201)
	v.bearer = a.at("token").(string)
	return v
}

// system is the viewer whom every rule admits.
func (r *reception) system() context.Context { return viewer.With(r.t.Context(), viewer.System()) }

// members returns the names of the body's members.
func (a *answer) members() string {
	var names []string
	for name := range a.Body {
		names = append(names, name)
	}
	return sorted(names)
}

// promote makes the user with the address an admin.
func (r *reception) promote(email string) {
	r.t.Helper()
	orm.Client(r.db).User.Update().Where(user.Email(email)).SetRole(user.RoleAdmin).ExecX(r.system())
}
