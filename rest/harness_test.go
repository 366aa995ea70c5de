package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/rest"
)

// world is the API over a database of the test's own, and some people in it.
type world struct {
	t        testing.TB
	db       *store.DB
	ent      *ent.Client
	accounts *account.Accounts
	handler  http.Handler
	system   context.Context
	log      *store.Log

	admin, moderator, ada, bob, nobody *viewer.Viewer

	work    *jobs.Client
	cashier *checkout.Cashier
	files   *files.Keeper
	// letters are those that were sent.
	letters []mailing.Letter
}

// each runs the test on both databases.
func each(t *testing.T, test func(w *world)) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) { test(newWorld(t, db)) })
}

func newWorld(t testing.TB, db *store.DB) *world {
	log := quiet(t)
	w := &world{
		t: t, db: db, ent: orm.Client(db), nobody: viewer.Anonymous(), log: &store.Log{}, work: newWork(t, db, log),
		system: viewer.With(t.Context(), viewer.System()),
	}
	w.accounts = newAccounts(t, db, time.Now, nil)
	w.cashier = &checkout.Cashier{DB: db, Ent: orm.Client(db), Gateway: &payments.Sandbox{DB: db}, Jobs: w.work, Log: log, Invoices: &invoicing.Issuer{DB: db}, Together: -1}
	w.handler = serve(t, w.config())
	w.admin = w.user("Grace Hopper", viewer.Admin)
	w.moderator = w.user("Mary Moderator", "moderator")
	w.ada = w.user("Ada Lovelace", "user")
	w.bob = w.user("Bob Miller", "user")
	return w
}

// setup has the dependencies of an API, and its operations by hand.
type setup struct {
	app.REST
	rest.Config
}

// generated is the part that is generated from the schema.
var generated = service.Generated(nil)

// serve is the API, as a program makes it.
func serve(t testing.TB, c setup) http.Handler {
	t.Helper()
	if c.Versions == nil {
		c.Versions = offered(t, "v1=main", "v2=jsend")
	}
	if c.Keeper == nil {
		c.Keeper = &idempotency.Keeper{DB: c.DB}
	}
	parts := new(app.Parts)
	rest.Register(parts, c.Config)
	h, err := c.Handler(generated, parts)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// about is common to all versions.
var about = apiversion.About{Name: generated.Schema.Name, Prefix: expose.Prefix, Entities: generated.Entities, Also: generated.Tables.AlsoSent}

// offered are the versions, the first of which is the default.
func offered(t testing.TB, versions ...string) *apiversion.Versions {
	t.Helper()
	all, err := apiversion.Parse(about, generated.Schema.Version, versions, "v1")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// config is an API of all that there is.
func (w *world) config() setup {
	reporter := &reporting.Reporter{DB: w.db, Jobs: w.work}
	postman := &mailing.Postman{Jobs: w.work}
	engine := activities.Engine(w.db, w.accounts, activities.Set{
		Cashier: w.cashier, Jobs: w.work, Reporter: reporter, Postman: postman,
	})
	w.files = filesIn(w.t, engine)
	postman.Files = w.files
	w.files.Links = &files.Links{Keys: [][]byte{make([]byte, 32)}, Caller: w.accounts.Verifier.Caller}
	w.work.Files = w.files
	return setup{
		app.REST{
			Log: quiet(w.t), Accounts: w.accounts, Jobs: w.work, Versions: everyVersion(w.t), Engine: engine, Files: w.files,
		},
		rest.Config{DB: w.db, Cashier: w.cashier, Files: w.files, Webhook: payments.Webhook{Secret: webhookSecret}},
	}
}

// webhookSecret is the key with which the payment gateway signs.
const webhookSecret = "whsec_test"

// quiet is a log that is shown where a test fails.
func quiet(t testing.TB) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// user makes a user and returns them as a viewer.
func (w *world) user(name string, role viewer.Role) *viewer.Viewer {
	w.t.Helper()
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	u, err := w.ent.User.Create().SetName(name).SetEmail(first + "@example.com").SetRole(roleOf(role)).Save(w.system)
	if err != nil {
		w.t.Fatalf("make user %s: %v", name, err)
	}
	return &viewer.Viewer{UserID: int64(u.ID), Role: role}
}

// post makes a post of the author.
func (w *world) post(author *viewer.Viewer, title string, published bool) int64 {
	w.t.Helper()
	p, err := w.ent.Post.Create().SetTitle(title).SetContent("Content of " + title).SetPublished(published).
		SetAuthorID(userID(author)).Save(w.system)
	if err != nil {
		w.t.Fatalf("make post %s: %v", title, err)
	}
	return int64(p.ID)
}

// answer is an answer of the API.
type answer struct {
	t      testing.TB
	asked  string
	Status int
	Header http.Header
	Body   map[string]any
	Raw    string
}

// do sends a request for the viewer. Headers are names and values in turn.
func (w *world) do(v *viewer.Viewer, method, path, body string, headers ...string) *answer {
	w.t.Helper()
	w.log.Reset()
	a := w.send(v, method, path, body, headers...)
	a.keepsContract(method, path)
	if plainly(method, path, headers) {
		log := w.log
		w.log = &store.Log{}
		w.inEveryVersion(a, func(path string) *answer {
			b := w.send(v, method, path, body, headers...)
			b.keepsContract(method, path)
			return b
		}, path)
		w.log = log
	}
	return a
}

// send is do for requests that are sent at once.
func (w *world) send(v *viewer.Viewer, method, path, body string, headers ...string) *answer {
	w.t.Helper()
	if body == "" {
		return w.sendBody(v, method, path, nil, headers...)
	}
	return w.sendBody(v, method, path, strings.NewReader(body), append([]string{"Content-Type", "application/json"}, headers...)...)
}

// sendBody sends a body of any type, nil for none.
func (w *world) sendBody(v *viewer.Viewer, method, path string, body io.Reader, headers ...string) *answer {
	w.t.Helper()
	r := httptest.NewRequest(method, path, body)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r = r.WithContext(store.WithStatementLog(viewer.With(w.t.Context(), v), w.log))
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, r)
	a := &answer{t: w.t, asked: fmt.Sprint(method, " ", path, " ", body), Status: recorder.Code, Header: recorder.Header(), Raw: recorder.Body.String()}
	if strings.Contains(recorder.Header().Get("Content-Type"), "json") && strings.HasPrefix(a.Raw, "{") {
		d := json.NewDecoder(bytes.NewReader(recorder.Body.Bytes()))
		if err := d.Decode(&a.Body); err != nil {
			w.t.Fatalf("%s: %v in %s", a.asked, err, a.Raw)
		}
	}
	return a
}

// want fails the test unless the status is as expected.
func (a *answer) want(status int) *answer {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("%s: status %d, want %d: %s", a.asked, a.Status, status, a.Raw)
	}
	return a
}

// at returns the value at a path of names, nil if there is none.
func (a *answer) at(path ...string) any {
	var value any = a.Body
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

// data returns the item.
func (a *answer) data() map[string]any {
	a.t.Helper()
	item, ok := a.at("data").(map[string]any)
	if !ok {
		a.t.Fatalf("%s: no item in %s", a.asked, a.Raw)
	}
	return item
}

// list returns the items of a page.
func (a *answer) list() []map[string]any {
	a.t.Helper()
	items, ok := a.at("data").([]any)
	if !ok {
		a.t.Fatalf("%s: no list in %s", a.asked, a.Raw)
	}
	var list []map[string]any
	for _, item := range items {
		list = append(list, item.(map[string]any))
	}
	return list
}

// titles returns a field of every item.
func (a *answer) all(field string) []any {
	a.t.Helper()
	var values []any
	for _, item := range a.list() {
		values = append(values, item[field])
	}
	return values
}

// fields returns the failing fields of an error, in order, with their messages.
func (a *answer) details() map[string]string {
	details, _ := a.at("error", "details").([]any)
	fields := map[string]string{}
	for _, d := range details {
		member := d.(map[string]any)
		fields[member["field"].(string)] = member["message"].(string)
	}
	return fields
}
