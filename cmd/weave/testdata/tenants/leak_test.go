package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/typedid"
	"example.com/acme/notes/internal/entity"
)

// world is a service with two tenants. Each text of the second one contains "canary".
type world struct {
	*apptest.Server
	*testing.T
	host  *app.Host
	users map[string]string // their tokens
	log   *store.Log        // of the last request
}

// each runs the test on both databases.
func each(t *testing.T, test func(w *world)) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		t.Run(name, func(t *testing.T) { test(newWorld(t, url(t))) })
	}
}

func newWorld(t *testing.T, database string) *world {
	t.Helper()
	w := &world{T: t, users: map[string]string{}}
	s := program()
	s.Open = func(h *app.Host) (*app.Parts, error) {
		w.host = h
		return open(h)
	}
	w.Server = apptest.Serve(t, s, "ENTWINE_DATABASE_URL="+database, "ENTWINE_LOG_LEVEL=error", "ENTWINE_RATE_LIMIT=off",
		"ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_GRAPHQL_COMPLEXITY=100000000", "ENTWINE_GRAPHQL_DEPTH=30", "ENTWINE_INTROSPECTION=true")
	w.sql(`INSERT INTO orgs (id, name, created_at, updated_at) VALUES (1, 'Acme', '2026-01-01 00:00:00.000000+00:00', '2026-01-01 00:00:00.000000+00:00'), (2, 'Canary org', '2026-01-01 00:00:00.000000+00:00', '2026-01-01 00:00:00.000000+00:00')`)
	for _, name := range []string{"Ada", "Bob", "Canary", "Boss", "Stray"} {
		w.SignUp(name)
		w.users[name] = w.Header.Get("Authorization")
	}
	w.Header = http.Header{}
	w.sql(`UPDATE users SET org_id = 1 WHERE name IN ('Ada', 'Bob')`)
	w.sql(`UPDATE users SET org_id = 2 WHERE name = 'Canary'`)
	w.sql(`UPDATE users SET role = 'editor' WHERE name = 'Bob'`)
	w.sql(`UPDATE users SET role = 'admin' WHERE name = 'Boss'`)
	for _, who := range []struct{ name, says string }{{"Ada", "ours"}, {"Canary", "canary"}} {
		for i := range 3 {
			w.wants(who.name, "POST", "/api/v1/labels", fmt.Sprintf(`{"name":"%s label %d"}`, who.says, i), 201)
			body := fmt.Sprintf(`{"title":"%s title %d","text":"%[1]s text %[2]d","slug":"same-%[2]d"}`, who.says, i)
			if i > 0 {
				body = strings.Replace(body, "{", fmt.Sprintf(`{"parent_id":%d,"label_ids":[%d],`, w.one(`SELECT max(id) FROM notes`), w.one(`SELECT max(id) FROM labels`)), 1)
			}
			w.wants(who.name, "POST", "/api/v1/notes", body, 201)
			w.wants(who.name, "POST", "/api/v1/remarks", fmt.Sprintf(`{"note_id":%d,"text":"%s remark"}`, w.one(`SELECT max(id) FROM notes`), who.says), 201)
		}
	}
	return w
}

func (w *world) sql(text string, args ...any) {
	w.Helper()
	if _, err := w.host.DB.ExecContext(w.Context(), text, args...); err != nil {
		w.Fatalf("%s: %v", text, err)
	}
}

// one is a number out of the database.
func (w *world) one(text string) (n int64) {
	w.Helper()
	rows, err := w.host.DB.QueryContext(w.Context(), text)
	if err != nil {
		w.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			w.Fatal(err)
		}
	}
	return n
}

// does sends a request on behalf of a user.
func (w *world) does(name, method, path, body string) (int, string) {
	w.Helper()
	w.log = new(store.Log)
	r := httptest.NewRequestWithContext(store.WithStatementLog(w.Context(), w.log), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if name != "" {
		r.Header.Set("Authorization", w.users[name])
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.Fatal(err)
	}
	if name != "Boss" { // who reaches all tenants
		w.within()
	}
	return answer.Code, string(text)
}

// wants is does, with the status that there has to be and texts that the answer has.
func (w *world) wants(name, method, path, body string, status int, texts ...string) string {
	w.Helper()
	code, said := w.does(name, method, path, body)
	if code != status {
		w.Errorf("%s %s %s for %s: %d, want %d\n%s", method, path, body, name, code, status, said)
	}
	for _, text := range texts {
		if !strings.Contains(said, text) {
			w.Errorf("%s %s %s for %s: %s, want %s", method, path, body, name, said, text)
		}
	}
	return said
}

func (w *world) graphql(name, query string, texts ...string) string {
	w.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		w.Fatal(err)
	}
	return w.wants(name, "POST", "/graphql", string(body), 200, texts...)
}

// tenanted are statements over a tenant's table, by the quotes that generated
// statements have.
var tenanted = regexp.MustCompile("[\"`](notes|labels|users|remarks)[\"`]")

// within requires that each statement over a tenant's table has the column.
func (w *world) within() {
	w.Helper()
	for _, s := range w.log.Statements() {
		own := strings.Contains(s, `"t"."id" = `) && !strings.Contains(s, `"notes"`) // one's own row, of a user without a tenant
		if tenanted.MatchString(s) && !strings.Contains(s, "org_id") && !own {
			w.Errorf("a statement has no tenant: %s", s)
		}
	}
}

func globalID(entity string, id int64) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d", entity, id))
}

func TestTenantsAreApart(t *testing.T) { each(t, tenantsAreApart) }

func tenantsAreApart(w *world) {
	t := w.T
	ours, theirs := w.one(`SELECT min(id) FROM notes WHERE org_id = 1`), w.one(`SELECT min(id) FROM notes WHERE org_id = 2`)
	theirLabel, theirUser := w.one(`SELECT min(id) FROM labels WHERE org_id = 2`), w.one(`SELECT id FROM users WHERE org_id = 2`)

	// A caller without a tenant.
	for _, path := range []string{"/api/v1/notes", fmt.Sprintf("/api/v1/notes/%d", ours), "/api/v1/labels", "/api/v1/orgs"} {
		w.wants("", "GET", path, "", 401, "AUTH_REQUIRED")
		w.wants("Stray", "GET", path, "", 403, "TENANT_REQUIRED")
	}
	w.wants("Stray", "POST", "/api/v1/labels", `{"name":"x"}`, 403, "TENANT_REQUIRED")
	w.wants("Stray", "GET", "/api/v1/auth/me", "", 200, `"name":"Stray"`)
	w.wants("Stray", "GET", "/api/v1/users", "", 200, `"total":1`)
	w.graphql("Stray", `{ notesConnection { totalCount } }`, "TENANT_REQUIRED")
	w.graphql("Stray", `{ me { name } }`, `"me":{"name":"Stray"}`)
	w.graphql("Stray", `{ me { name notes { title } } }`, `"me":{"name":"Stray"`, "TENANT_REQUIRED")
	w.graphql("Stray", `{ searchConnection(query: "ours") { totalCount } }`, `"totalCount":0`)
	w.graphql("", `{ labelsConnection { totalCount } }`, "UNAUTHENTICATED")
	w.graphql("Stray", fmt.Sprintf(`{ node(id: %q) { id } }`, globalID("Note", ours)), "TENANT_REQUIRED")

	// Reads.
	for path, total := range map[string]string{
		"/api/v1/notes": `"total":3`, "/api/v1/labels": `"total":3`, "/api/v1/users": `"total":2`, "/api/v1/orgs": `"total":1`, "/api/v1/notes?search=title": `"total":3`,
		"/api/v1/notes?length_with.more=1&length_with[gte]=1&sort=-length_with": `"total":3`,
		"/api/v1/notes?slug=same-0": `"total":1`, "/api/v1/notes?search=canary": `"total":0`,
		fmt.Sprintf("/api/v1/notes/%d/descendants", ours): `"total":2`, fmt.Sprintf("/api/v1/notes?user_id=%d", theirUser): `"total":0`, fmt.Sprintf("/api/v1/notes?labels=%d", theirLabel): `"total":0`,
	} {
		w.wants("Ada", "GET", path, "", 200, total)
	}
	w.graphql("Ada", `{ ours: searchConnection(query: "title") { totalCount } theirs: searchConnection(query: "canary") { totalCount } }`, `"ours":{"totalCount":3}`, `"theirs":{"totalCount":0}`)
	w.graphql("Ada", `{ notesConnection(where: {hasUserWith: [{nameContainsFold: "canary"}]}) { totalCount } }`, `"totalCount":0`)
	w.graphql("Ada", `{ notesConnection(where: {lengthWith: {more: 1, gte: 1}}) { totalCount } }`, `"totalCount":3`)
	w.graphql("Ada", `{ notesConnection(where: {hasLabelsWith: [{nameHasPrefix: "canary"}]}) { totalCount } }`, `"totalCount":0`)
	w.wants("Boss", "GET", "/api/v1/notes", "", 200, `"total":6`)
	w.wants("Boss", "GET", "/api/v1/labels", "", 403, "TENANT_REQUIRED") // which no role reads across tenants

	hiddenRowsAreNotComputed(w)

	// Cursors of others lead to nothing of theirs.
	var page struct {
		Pagination struct {
			Next string `json:"next_cursor"`
		} `json:"pagination"`
	}
	if err := json.Unmarshal([]byte(w.wants("Canary", "GET", "/api/v1/notes?limit=1&cursor=", "", 200)), &page); err != nil || page.Pagination.Next == "" {
		t.Fatal(page, err)
	}
	if said := w.wants("Ada", "GET", "/api/v1/notes?cursor="+page.Pagination.Next, "", 200, "ours title"); strings.Contains(strings.ToLower(said), "canary") {
		t.Errorf("a cursor of another tenant leads to %s", said)
	}

	// Writes.
	w.wants("Ada", "POST", "/api/v1/notes", `{"title":"Twice","text":"x","slug":"same-1"}`, 409, `"slug"`)
	w.wants("Ada", "POST", "/api/v1/labels", `{"name":"OURS label 1"}`, 409, `"name"`)
	w.wants("Ada", "POST", "/api/v1/labels", `{"name":"Canary label 1"}`, 201)
	w.sql(`DELETE FROM labels WHERE name = 'Canary label 1'`)
	w.wants("Ada", "POST", "/api/v1/notes", `{"title":"x","text":"x","slug":"new","org_id":2}`, 400, `"org_id"`)
	w.wants("Ada", "PATCH", fmt.Sprintf("/api/v1/notes/%d", ours), `{"org_id":2}`, 400, `"org_id"`)
	absent := w.wants("Ada", "POST", "/api/v1/notes", `{"title":"x","text":"x","slug":"new","parent_id":99999}`, 422, `"parent_id"`)
	foreign := w.wants("Ada", "POST", "/api/v1/notes", fmt.Sprintf(`{"title":"x","text":"x","slug":"new","parent_id":%d}`, theirs), 422, `"parent_id"`)
	if said := strings.ReplaceAll(foreign, fmt.Sprint(theirs), "99999"); withoutID(said) != withoutID(absent) {
		t.Errorf("a row of another tenant is told from one that is not there: %s and %s", absent, foreign)
	}
	w.wants("Ada", "PATCH", fmt.Sprintf("/api/v1/notes/%d", ours), fmt.Sprintf(`{"label_ids":[%d]}`, theirLabel), 422, `label_ids[0]`)
	w.wants("Bob", "POST", "/api/v1/notes", fmt.Sprintf(`{"title":"x","text":"x","slug":"new","user_id":%d}`, theirUser), 422, `"user_id"`)
	w.wants("Bob", "POST", fmt.Sprintf("/api/v1/notes/%d/finish", theirs), "", 404)
	w.wants("Bob", "DELETE", fmt.Sprintf("/api/v1/notes/%d", theirs), "", 404)
	w.wants("Bob", "PUT", fmt.Sprintf("/api/v1/notes/%d/labels/%d", ours, theirLabel), "", 404)
	w.graphql("Bob", fmt.Sprintf(`mutation { updateNote(id: %q, input: {title: "x"}) { id } }`, globalID("Note", theirs)), "NOT_FOUND")
	w.wants("Boss", "PATCH", fmt.Sprintf("/api/v1/notes/%d", theirs), `{"done":false}`, 200, "canary")
	w.wants("Boss", "POST", "/api/v1/notes", `{"title":"x","text":"x","slug":"new"}`, 403, "TENANT_REQUIRED")

	// A deletion by a caller who reaches all tenants cascades to the row's children.
	for _, who := range []struct {
		name string
		id   int64
	}{{"Boss", theirs}, {"Ada", ours}} {
		remarks := fmt.Sprintf(`SELECT count(*) FROM remarks WHERE note_id = %d AND deleted_at IS NULL`, who.id)
		w.wants(who.name, "DELETE", fmt.Sprintf("/api/v1/notes/%d", who.id), "", 204)
		if n := w.one(remarks); n != 0 {
			t.Errorf("%d remarks are left of what %s has deleted", n, who.name)
		}
		w.wants(who.name, "POST", fmt.Sprintf("/api/v1/notes/%d/restore", who.id), "", 200)
		if n := w.one(remarks); n != 1 {
			t.Errorf("%d remarks are back of what %s has restored", n, who.name)
		}
	}

	// Rules that look for other rows look in the tenant.
	w.sql(`INSERT INTO orgs (id, name, created_at, updated_at) VALUES (3, 'Alone', '2026-01-01 00:00:00.000000+00:00', '2026-01-01 00:00:00.000000+00:00')`)
	w.sql(`UPDATE users SET org_id = 3 WHERE name = 'Stray'`)
	w.host.DB.Wake(t.Context(), viewer.Changed)
	w.wants("Stray", "POST", "/api/v1/notes", `{"title":"x","text":"x","slug":"same-1"}`, 201)
	alone := w.one(`SELECT id FROM notes WHERE org_id = 3`)
	w.wants("Stray", "POST", fmt.Sprintf("/api/v1/notes/%d/finish", alone), "", 403)
	w.wants("Ada", "POST", fmt.Sprintf("/api/v1/notes/%d/finish", ours), "", 200)

	// A key has the tenant of who made it.
	w.sql(`UPDATE users SET org_id = 1 WHERE name = 'Boss'`)
	w.host.DB.Wake(t.Context(), viewer.Changed)
	key := regexp.MustCompile(`"key":"(ek_[^"]+)"`).FindStringSubmatch(w.wants("Boss", "POST", "/api/v1/api-keys", `{"client_name":"x","permissions":["read"]}`, 201))
	w.Header = http.Header{"X-Api-Key": {key[1]}}
	w.Ask("GET", "/api/v1/notes", "", `"total":3`)
}

// withoutID leaves out what is another in each answer.
func withoutID(said string) string {
	return regexp.MustCompile(`"(request_id|timestamp)":"[^"]*"`).ReplaceAllString(said, "")
}

// Go code names a tenant, or all of them.
func TestGoCodeNamesATenant(t *testing.T) { each(t, goCodeNamesATenant) }

func goCodeNamesATenant(w *world) {
	t := w.T
	client := orm.Client(w.host.DB)
	reader := &read.Reader{DB: w.host.DB, Dialect: w.host.DB.Dialect}
	count := func(v *viewer.Viewer) (int, error) { return client.Note.Query().Count(viewer.With(t.Context(), v)) }
	for _, v := range []*viewer.Viewer{viewer.System(), {UserID: 1, Role: "editor"}} {
		ctx := viewer.With(t.Context(), v)
		_, counted := count(v)
		_, _, page := reader.Page(ctx, nil, read.Whole(entity.Note, v), read.Query{Page: read.Page{Limit: 10}})
		_, exists := reader.Readable(ctx, entity.Note, gid.Int(1))
		_, _, finds := reader.IDOf(ctx, entity.Label, nil, false)
		_, states, update := 0, errors.New(""), client.Note.Update().SetTitle("x").Exec(policy.As(ctx, policy.Update))
		_, _, states = reader.State(ctx, entity.Note, read.ByID(entity.Note, gid.Int(1)), policy.Update, false)
		_, deleted := client.Note.Delete().Exec(ctx)
		made := client.Label.Create().SetName("x").Exec(ctx)
		for what, err := range map[string]error{"query": counted, "page": page, "exists": exists, "finds": finds, "update": update, "state": states, "delete": deleted, "create": made} {
			if !errors.Is(err, policy.ErrTenant) {
				t.Errorf("%s of %+v: %v, want that a tenant is required", what, v, err)
			}
		}
	}
	for v, want := range map[*viewer.Viewer]int{viewer.InTenant(1): 3, viewer.InTenant(2): 3, viewer.InTenant(3): 0, viewer.AcrossTenants(): 6} {
		if n, err := count(v); n != want || err != nil {
			t.Errorf("%+v reads %d notes, %v, want %d", v, n, err, want)
		}
	}
	first := viewer.With(t.Context(), viewer.InTenant(1))
	label, err := client.Label.Create().SetName("by Go").Save(first)
	if err != nil || label.OrgID != 1 {
		t.Errorf("a row made for a tenant: %+v, %v", label, err)
	}
	if err := client.Label.Create().SetName("by Go").SetOrgID(2).Exec(first); err == nil {
		t.Error("a row is made for another tenant")
	}
	err = w.host.DB.InTx(first, func(ctx context.Context) error {
		id := typedid.NoteID(w.one(`SELECT min(id) FROM notes WHERE org_id = 1`))
		hidden, err := client.Note.Hide(ctx, id, time.Now().UTC())
		restored, failed := client.Note.Restore(ctx, id)
		if hidden+restored != 2 {
			t.Errorf("%d rows were hidden, and %d restored", hidden, restored)
		}
		return errors.Join(err, failed)
	})
	if err != nil {
		t.Error(err)
	}
	if n, err := client.Note.Update().SetTitle("ours").Save(first); n != 3 || err != nil {
		t.Errorf("a change of all notes changes %d, %v", n, err)
	}
}

// The databases refuse what no door lets through.
func TestTheDatabaseKeepsTenantsApart(t *testing.T) { each(t, theDatabaseKeepsThemApart) }

func theDatabaseKeepsThemApart(w *world) {
	t := w.T
	for _, text := range []string{
		`UPDATE notes SET parent_id = (SELECT min(id) FROM notes WHERE org_id = 2) WHERE org_id = 1`,
		`UPDATE notes SET user_id = (SELECT id FROM users WHERE org_id = 2) WHERE org_id = 1`,
		`UPDATE notes SET org_id = 2 WHERE org_id = 1`,
		`UPDATE labels SET org_id = 2 WHERE org_id = 1`,
		`UPDATE users SET org_id = 2 WHERE org_id = 1`,
		`UPDATE users SET org_id = NULL WHERE org_id = 1`,
		`INSERT INTO note_labels (note_id, label_id) SELECT min(n.id), min(l.id) FROM notes n, labels l WHERE n.org_id = 1 AND l.org_id = 2`,
		`INSERT INTO notes (title, text, slug, done, user_id, org_id, created_at, updated_at, version) SELECT 'x', 'x', 'x', done, user_id, 2, created_at, updated_at, 1 FROM notes WHERE org_id = 1`,
		`INSERT INTO notes (title, text, slug, done, user_id, org_id, created_at, updated_at, version) SELECT 'x', 'x', slug, done, user_id, 1, created_at, updated_at, 1 FROM notes WHERE org_id = 1`,
	} {
		if _, err := w.host.DB.ExecContext(t.Context(), text); !store.IsForeignKey(err) && !store.IsUnique(err) {
			t.Errorf("%s: %v, want it refused", text, err)
		}
	}
}

// hiddenRowsAreNotComputed asks for values that are out of range of remarks which
// Ada does not read, by their note and by their tenant, and then of one that she
// reads: that is the same error on both databases.
func hiddenRowsAreNotComputed(w *world) {
	t := w.T
	const most = 9_000_000_000_000_000_000
	w.wants("Ada", "POST", "/api/v1/notes", `{"title":"shown","text":"ours","slug":"hidden"}`, 201)
	w.wants("Ada", "POST", "/api/v1/remarks", fmt.Sprintf(`{"note_id":%d,"text":"ours too","weight":1}`, w.one(`SELECT max(id) FROM notes`)), 201)
	hidden := w.one(`SELECT max(id) FROM remarks`)
	w.sql(`UPDATE notes SET title = 'hidden', title_fold = 'hidden' WHERE slug = 'hidden'`)
	w.sql(fmt.Sprintf(`UPDATE remarks SET weight = %d WHERE id = %d OR org_id = 2`, most, hidden))
	ask := func(status int, wanted string) {
		for _, query := range []string{"weighs[gte]=0", "weighs=0", "sort=weighs", "sort=-weighs&cursor=&limit=2", "fields=weighs", "weighs[in]=0,1&sort=-created_at&page=1&limit=2"} {
			w.wants("Ada", "GET", "/api/v1/remarks?weighs.times=4&"+query, "", status, wanted)
		}
		for _, query := range []string{
			`{ remarksConnection(where: {weighs: {times: 4, gte: 0}}, orderBy: [{field: WEIGHS, weighs: {times: 4}}], first: 3) { totalCount nodes { weighs(times: 4) } } }`,
			`{ notesConnection { nodes { remarksConnection(where: {not: {weighs: {times: 4, gt: 0}}}) { totalCount nodes { text } } } } }`,
		} {
			answer := w.graphql("Ada", query)
			if fails := strings.Contains(answer, "can't be computed of every row with these arguments"); fails != (status != 200) || strings.Contains(answer, `"errors"`) != fails {
				t.Errorf("%s: %s", query, answer)
			}
		}
	}
	ask(200, `"data"`)
	w.sql(fmt.Sprintf(`UPDATE remarks SET weight = %d WHERE id <> %d AND org_id = 1`, most, hidden))
	ask(400, "weighs can't be computed of every row with these arguments")
	w.sql(`UPDATE remarks SET weight = 0`)
	w.sql(fmt.Sprintf(`DELETE FROM remarks WHERE id = %d`, hidden))
	w.sql(`DELETE FROM notes WHERE slug = 'hidden'`)
}
