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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/typedid"
	"example.com/acme/notes/internal/entity"
)

// world is a service with two tenants. What the second one has is called canary.
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
	s := notes()
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

	// Who is no tenant's.
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

	// What is read.
	for path, total := range map[string]string{
		"/api/v1/notes": `"total":3`, "/api/v1/labels": `"total":3`, "/api/v1/users": `"total":2`, "/api/v1/orgs": `"total":1`, "/api/v1/notes?search=title": `"total":3`,
		"/api/v1/notes?slug=same-0": `"total":1`, "/api/v1/notes?search=canary": `"total":0`,
		fmt.Sprintf("/api/v1/notes/%d/descendants", ours): `"total":2`, fmt.Sprintf("/api/v1/notes?user_id=%d", theirUser): `"total":0`, fmt.Sprintf("/api/v1/notes?labels=%d", theirLabel): `"total":0`,
	} {
		w.wants("Ada", "GET", path, "", 200, total)
	}
	w.graphql("Ada", `{ ours: searchConnection(query: "title") { totalCount } theirs: searchConnection(query: "canary") { totalCount } }`, `"ours":{"totalCount":3}`, `"theirs":{"totalCount":0}`)
	w.graphql("Ada", `{ notesConnection(where: {hasUserWith: [{nameContainsFold: "canary"}]}) { totalCount } }`, `"totalCount":0`)
	w.graphql("Ada", `{ notesConnection(where: {hasLabelsWith: [{nameHasPrefix: "canary"}]}) { totalCount } }`, `"totalCount":0`)
	w.wants("Boss", "GET", "/api/v1/notes", "", 200, `"total":6`)
	w.wants("Boss", "GET", "/api/v1/labels", "", 403, "TENANT_REQUIRED") // which no role reads across tenants

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

	// What is written.
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

	// What goes with a row goes with it, for those who reach all tenants, too.
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
	reader := &reading.Reader{DB: w.host.DB, Dialect: w.host.DB.Dialect}
	count := func(v *viewer.Viewer) (int, error) { return client.Note.Query().Count(viewer.With(t.Context(), v)) }
	for _, v := range []*viewer.Viewer{viewer.System(), {UserID: 1, Role: viewer.Editor}} {
		ctx := viewer.With(t.Context(), v)
		_, read := count(v)
		_, _, page := reader.Page(ctx, nil, reading.Whole(entity.Note, v), reading.Query{Page: reading.Page{Limit: 10}})
		_, exists := reader.Readable(ctx, entity.Note, 1)
		_, _, finds := reader.IDOf(ctx, entity.Label, nil, false)
		_, states, update := 0, errors.New(""), client.Note.Update().SetTitle("x").Exec(policy.As(ctx, policy.Update))
		_, _, states = reader.State(ctx, entity.Note, reading.ByID(entity.Note, 1), policy.Update, false)
		_, deleted := client.Note.Delete().Exec(ctx)
		made := client.Label.Create().SetName("x").Exec(ctx)
		for what, err := range map[string]error{"query": read, "page": page, "exists": exists, "finds": finds, "update": update, "state": states, "delete": deleted, "create": made} {
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

// Every operation of both APIs is called with the ids of another tenant.
func TestNoOperationLeaks(t *testing.T) { each(t, noOperationLeaks) }

func noOperationLeaks(w *world) {
	t := w.T
	before := w.dump()
	calls, found := 0, 0
	leaks := func(what, said string) {
		t.Helper()
		calls++
		if strings.Contains(said, "ours text") {
			found++
		}
		if strings.Contains(strings.ToLower(said), "canary") {
			t.Errorf("%s: %s", what, said)
		}
	}
	w.walkREST(leaks)
	w.walkGraphQL(leaks)
	if after := w.dump(); after != before {
		t.Errorf("rows of another tenant have changed:\n%s\n%s", before, after)
	}
	if calls < 1000 || found < 20 {
		t.Errorf("%d calls were made, of which %d read what may be read: want some for each operation", calls, found)
	}
}

// dump is what the second tenant has.
func (w *world) dump() string {
	var all strings.Builder
	for _, text := range []string{
		`SELECT CAST(id AS text) || title || text || slug || CAST(version AS text) || COALESCE(CAST(deleted_at AS text), '') || COALESCE(CAST(parent_id AS text), '') FROM notes WHERE org_id = 2 ORDER BY id`,
		`SELECT CAST(id AS text) || name FROM labels WHERE org_id = 2 ORDER BY id`, `SELECT CAST(id AS text) || name || role || CAST(version AS text) FROM users WHERE org_id = 2`,
		`SELECT name FROM orgs WHERE id = 2`, `SELECT CAST(id AS text) || text || CAST(version AS text) FROM remarks WHERE org_id = 2 ORDER BY id`, `SELECT CAST(note_id AS text) || ' ' || CAST(label_id AS text) FROM note_labels ORDER BY 1`,
	} {
		rows, err := w.host.DB.QueryContext(w.Context(), text)
		if err != nil {
			w.Fatal(err)
		}
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				w.Fatal(err)
			}
			all.WriteString(line + "\n")
		}
		_ = rows.Close()
	}
	return all.String()
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

func (w *world) walkREST(leaks func(what, said string)) {
	w.Helper()
	for _, version := range []string{"v1", "v2"} {
		var document struct {
			Paths map[string]map[string]json.RawMessage `json:"paths"`
		}
		if err := json.Unmarshal([]byte(w.wants("Bob", "GET", "/api/"+version+"/openapi", "", 200)), &document); err != nil {
			w.Fatal(err)
		}
		ids := map[string][]int64{}
		for _, table := range []string{"notes", "labels", "users", "remarks", "orgs"} {
			column := map[string]string{"orgs": "id"}[table]
			if column == "" {
				column = "org_id"
			}
			ids[table] = []int64{w.one(`SELECT min(id) FROM ` + table + ` WHERE ` + column + ` = 2`), w.one(`SELECT max(id) FROM ` + table + ` WHERE ` + column + ` = 2`)}
		}
		for path, operations := range document.Paths {
			if strings.Contains(path, "/auth/") || strings.Contains(path, "/openapi") {
				continue
			}
			table := strings.Split(strings.TrimPrefix(path, "/"), "/")[0]
			for _, id := range append(slices.Clone(ids[table]), 1) {
				at := "/api/" + version + parameter.ReplaceAllStringFunc(path, func(name string) string {
					switch {
					case strings.Contains(name, "label"):
						id = ids["labels"][0]
					case strings.Contains(name, "note"):
						id = ids["notes"][0]
					}
					if version == "v2" {
						return globalID(map[string]string{"notes": "Note", "labels": "Label", "users": "User", "remarks": "Remark", "orgs": "Org"}[table], id)
					}
					return fmt.Sprint(id)
				})
				for method := range operations {
					for _, body := range bodies(method, version, ids) {
						_, said := w.does("Bob", strings.ToUpper(method), at, body)
						leaks(method+" "+at+" "+body, said)
					}
					if method == "get" {
						for _, query := range []string{"?expand=user,org,labels,parent,children,notes,users,ancestors,descendants", "?limit=100&sort=-id", "?include_deleted=true", "?search=itl", "?q=title+text+label", "?cursor="} {
							_, said := w.does("Bob", "GET", at+query, "")
							leaks("GET "+at+query, said)
						}
					}
				}
			}
		}
	}
}

// bodies are inputs that name rows of the other tenant.
func bodies(method, version string, ids map[string][]int64) []string {
	if method == "get" || method == "delete" {
		return []string{""}
	}
	note := fmt.Sprintf(`"title":"x","text":"x","slug":"x","parent_id":%d`, ids["notes"][0])
	if version == "v2" {
		note = fmt.Sprintf(`"title":"x","text":"x","slug":"x","parentId":%q`, globalID("Note", ids["notes"][0]))
	}
	return []string{
		"", "{}", "{" + note + "}", `{"title":"changed"}`, `{"name":"changed"}`, fmt.Sprintf(`{"label_ids":[%d]}`, ids["labels"][0]), `{"notes":[{` + note + `}]}`,
		fmt.Sprintf(`{"ids":[%d,%d]}`, ids["notes"][0], ids["notes"][1]), fmt.Sprintf(`{"ids":[%q]}`, globalID("Note", ids["notes"][0])), `{"org_id":1}`,
	}
}

// gqlType is a type of GraphQL's introspection.
type gqlType struct {
	Kind, Name    string
	OfType        *gqlType
	Fields        []gqlField
	InputFields   []gqlField
	EnumValues    []struct{ Name string }
	PossibleTypes []gqlType
}

type gqlField struct {
	Name string
	Args []gqlField
	Type gqlType
}

func (t gqlType) named() gqlType {
	for t.OfType != nil {
		t = *t.OfType
	}
	return t
}

const introspection = `{ __schema { queryType { name } mutationType { name } types { kind name enumValues { name } possibleTypes { name }
	inputFields { name type { ...t } } fields(includeDeprecated: true) { name type { ...t } args { name type { ...t } } } } } }
	fragment t on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

func (w *world) walkGraphQL(leaks func(what, said string)) {
	w.Helper()
	var answer struct {
		Data struct {
			Schema struct{ Types []gqlType } `json:"__schema"`
		}
	}
	if err := json.Unmarshal([]byte(w.graphql("Bob", introspection)), &answer); err != nil {
		w.Fatal(err)
	}
	g := gqlWalk{types: map[string]gqlType{}}
	for _, t := range answer.Data.Schema.Types {
		g.types[t.Name] = t
	}
	ids := map[string]string{}
	for name, table := range map[string]string{"Note": "notes", "Label": "labels", "User": "users", "Remark": "remarks"} {
		ids[name] = globalID(name, w.one(`SELECT min(id) FROM `+table+` WHERE org_id = 2`))
	}
	ids["Org"] = globalID("Org", 2)
	for _, root := range []string{"Query", "Mutation"} {
		for _, f := range g.types[root].Fields {
			if strings.HasPrefix(f.Name, "log") || strings.Contains(f.Name, "ession") || strings.Contains(f.Name, "assword") || strings.Contains(f.Name, "TwoFactor") {
				continue // they end Bob's sign-in
			}
			for _, id := range ids {
				for _, full := range []bool{false, true} {
					query := strings.ToLower(root) + " { " + f.Name + g.arguments(f.Args, id, full) + g.selection(f.Type, 3) + " }"
					body, err := json.Marshal(map[string]string{"query": query})
					if err != nil {
						w.Fatal(err)
					}
					_, said := w.does("Bob", "POST", "/graphql", string(body))
					leaks(query, said)
					if strings.Contains(said, "GRAPHQL_PARSE_FAILED") || strings.Contains(said, "GRAPHQL_VALIDATION_FAILED") {
						w.Errorf("%s: %s", query, said)
					}
				}
			}
		}
	}
}

type gqlWalk struct{ types map[string]gqlType }

// arguments are the required ones, and all ids.
func (g *gqlWalk) arguments(args []gqlField, id string, full bool) string {
	var all []string
	for _, a := range args {
		if a.Type.Kind == "NON_NULL" || full && a.Type.named().Name == "ID" {
			all = append(all, a.Name+": "+g.value(a.Type, id, full, 3))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

func (g *gqlWalk) value(t gqlType, id string, full bool, depth int) string {
	if t.Kind == "NON_NULL" {
		t = *t.OfType
	}
	if t.Kind == "LIST" {
		return "[" + g.value(*t.OfType, id, full, depth) + "]"
	}
	switch t.Name {
	case "ID":
		return `"` + id + `"`
	case "Int", "Float":
		return "1"
	case "Boolean":
		return "true"
	case "Time", "DateTime":
		return `"2026-01-01T00:00:00Z"`
	}
	of := g.types[t.Name]
	switch of.Kind {
	case "ENUM":
		return of.EnumValues[0].Name
	case "INPUT_OBJECT":
		var all []string
		for _, f := range of.InputFields {
			if f.Type.Kind == "NON_NULL" || full && depth > 0 && f.Type.named().Name == "ID" {
				all = append(all, f.Name+": "+g.value(f.Type, id, full, depth-1))
			}
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return `"itle"`
}

// selection selects everything, so many edges deep.
func (g *gqlWalk) selection(t gqlType, depth int) string {
	of := g.types[t.named().Name]
	var all []string
	for _, p := range of.PossibleTypes {
		if of.Kind == "UNION" || of.Kind == "INTERFACE" {
			all = append(all, "... on "+p.Name+" { id }")
		}
	}
	for _, f := range of.Fields {
		needs := slices.ContainsFunc(f.Args, func(a gqlField) bool { return a.Type.Kind == "NON_NULL" })
		kind := g.types[f.Type.named().Name].Kind
		if needs || (kind == "OBJECT" || kind == "UNION" || kind == "INTERFACE") && depth == 0 {
			continue
		}
		if inner := g.selection(f.Type, depth-1); inner != "" || kind == "SCALAR" || kind == "ENUM" {
			all = append(all, f.Name+inner)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " { " + strings.Join(all, " ") + " }"
}
