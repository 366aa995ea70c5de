package gql_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/gql"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// world is a running API with a few people and what they wrote.
type world struct {
	*testing.T
	http.Handler
	db      *store.DB
	client  *ent.Client
	cashier *checkout.Cashier
	log     bytes.Buffer
	// viewers by name; the anonymous one is "nobody".
	viewers map[string]*viewer.Viewer
	// statements are those of the last request.
	mu         sync.Mutex
	statements []string
}

// each runs a test in a world of its own on both databases.
func each(t *testing.T, test func(w *world)) {
	t.Helper()
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		w := &world{T: t, db: db, client: orm.Client(db), viewers: map[string]*viewer.Viewer{"nobody": viewer.Anonymous()}}
		w.Handler = serve(t, w.config())
		w.people()
		test(w)
	})
}

// config is an API whose jobs are accepted, and done by no worker, and whose
// passwords are cheap.
func (w *world) config() setup {
	log, transport := slog.New(slog.NewTextHandler(&w.log, nil)), jobs.Embed()
	w.Cleanup(func() { _ = transport.Close() })
	keys, err := account.NewVault([]string{base64.StdEncoding.EncodeToString(make([]byte, 32))})
	if err != nil {
		w.Fatal(err)
	}
	work := &jobs.Client{DB: w.db, Bell: jobs.NewBell(transport), Bus: new(pubsub.Memory), Log: log, Rules: entity.Job.Rules}
	accounts := &account.Accounts{
		Registrar: &account.Registrar{DB: w.db, Users: activities.Users(w.db), Passwords: account.NewPasswords(bcrypt.MinCost)},
		Keyring:   activities.Keyring(w.db),
		Addresses: &account.Addresses{DB: w.db, Users: activities.Users(w.db), Vault: keys, Tell: func(context.Context, account.Notice) error { return nil }},
	}
	w.cashier = &checkout.Cashier{DB: w.db, Ent: w.client, Gateway: &payments.Sandbox{DB: w.db}, Jobs: work, Log: log}
	return setup{
		app.GraphQL{
			Options: graph.Options{Logger: log}, Accounts: accounts,
			Engine: activities.Engine(w.db, accounts, activities.Set{
				Cashier: w.cashier, Jobs: work, Reporter: &reporting.Reporter{DB: w.db, Jobs: work}, Postman: &mailing.Postman{Jobs: work},
			}),
		},
		gql.Config{DB: w.db, Cashier: w.cashier},
	}
}

// setup has the dependencies of an API, and its fields by hand.
type setup struct {
	app.GraphQL
	gql.Config
}

// api is the part that is generated from the schema.
var api = service.Generated(nil)

// serve is the API, as a program makes it.
func serve(t testing.TB, c setup) *graph.Server {
	t.Helper()
	parts := new(app.Parts)
	gql.Register(parts, c.Config)
	s, err := c.Server(api, parts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// over is an API without accounts and activities.
func over(t testing.TB, db *store.DB, o graph.Options) *graph.Server {
	t.Helper()
	return serve(t, setup{app.GraphQL{Options: o, Engine: activities.Engine(db, nil, activities.Set{})}, gql.Config{DB: db}})
}

func (w *world) system() context.Context { return viewer.With(w.Context(), viewer.System()) }

// people makes ada, an admin (1), bob, a user (2), and mia, a moderator (3).
func (w *world) people() {
	for i, p := range []struct {
		name string
		role user.Role
		age  int
	}{{"ada", user.RoleAdmin, 36}, {"bob", user.RoleUser, 0}, {"mia", user.RoleModerator, 51}} {
		create := w.client.User.Create().SetName(strings.ToUpper(p.name[:1]) + p.name[1:]).SetEmail(p.name + "@example.com").SetRole(p.role).SetSalary(float64(1000 * (i + 1))).
			SetCreatedAt(day(i + 1))
		if p.age > 0 {
			create.SetAge(p.age)
		}
		u := create.SaveX(w.system())
		w.viewers[p.name] = &viewer.Viewer{UserID: int64(u.ID), Role: viewer.Role(p.role)}
	}
}

// day is a time in January.
func day(n int) time.Time { return time.Date(2026, 1, n, 12, 0, 0, 0, time.UTC) }

// post makes a published post of the user, created on the day.
func (w *world) post(author int64, title string, on int) *ent.Post {
	return w.client.Post.Create().SetAuthorID(typedid.UserID(author)).SetTitle(title).SetContent("…").
		SetPublished(true).SetCreatedAt(day(on)).SaveX(w.system())
}

func (w *world) comment(author int64, p *ent.Post, text string) *ent.Comment {
	return w.client.Comment.Create().SetAuthorID(typedid.UserID(author)).SetPost(p).SetText(text).SaveX(w.system())
}

// answer is a response.
type answer struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string         `json:"message"`
		Path       []any          `json:"path"`
		Locations  []any          `json:"locations"`
		Extensions map[string]any `json:"extensions"`
	} `json:"errors"`
	Status int `json:"-"`
}

// record returns an answer as it was written.
func (w *world) record(name string, r *http.Request) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	w.ServeHTTP(recorder, r.WithContext(viewer.With(w.Context(), w.viewers[name])))
	return recorder
}

// raw returns the body of an answer.
func (w *world) raw(name string, r *http.Request) string {
	return w.record(name, r).Body.String()
}

// as sends an operation for a viewer.
func (w *world) as(name, query string, variables ...any) answer {
	w.Helper()
	vars := map[string]any{}
	for i := 0; i+1 < len(variables); i += 2 {
		vars[variables[i].(string)] = variables[i+1]
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": vars})
	if err != nil {
		w.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return w.send(name, r)
}

func (w *world) send(name string, r *http.Request) answer {
	w.Helper()
	var log store.Log
	ctx := store.WithStatementLog(viewer.With(requestid.With(w.Context(), "r1"), w.viewers[name]), &log)
	recorder := httptest.NewRecorder()
	w.ServeHTTP(recorder, r.WithContext(ctx))
	w.mu.Lock()
	w.statements = log.Statements()
	w.mu.Unlock()
	a := answer{Status: recorder.Code}
	if err := json.Unmarshal(recorder.Body.Bytes(), &a); err != nil {
		w.Fatalf("the answer is no JSON: %v\n%s", err, recorder.Body)
	}
	return a
}

// wants compares the answer: its data, and its errors as "path CODE".
func (a answer) wants(t *testing.T, data string, errors ...string) {
	t.Helper()
	if got, want := compact(t, a.Data), compact(t, []byte(data)); got != want {
		t.Errorf("data\n got %s\nwant %s", got, want)
	}
	got := a.codes()
	if strings.Join(got, "\n") != strings.Join(errors, "\n") {
		t.Errorf("errors\n got %q\nwant %q\n%+v", got, errors, a.Errors)
	}
}

func (a answer) codes() []string {
	var codes []string
	for _, e := range a.Errors {
		steps := make([]string, len(e.Path))
		for i, step := range e.Path {
			steps[i] = fmt.Sprint(step)
		}
		words := []string{strings.Join(steps, "."), fmt.Sprint(e.Extensions["code"])}
		if fields, ok := e.Extensions["fields"].([]any); ok {
			for _, f := range fields {
				words = append(words, fmt.Sprint(f.(map[string]any)["field"]))
			}
		}
		codes = append(codes, strings.Join(words, " "))
	}
	return codes
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, text)
	}
	return b.String()
}

func id(typ string, n int64) string { return gid.Encode(typ, n) }
