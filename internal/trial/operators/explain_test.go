package operators_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// trailed is a request in the form that the console gets.
type trailed struct {
	Route, Viewer, Query, Outcome string
	Steps                         []struct {
		Kind, Name, Text, Failure string
		Plan, Events              []string
		Rows, Count               int
	}
	Jobs []trailed
}

// has reports whether there is a step of the kind whose name begins so.
func (e *trailed) has(kind, name string) bool {
	for _, s := range e.Steps {
		if s.Kind == kind && strings.HasPrefix(s.Name, name) {
			return true
		}
	}
	return false
}

// explain returns the request with the id, and its text.
func explain(t *testing.T, s *trial.Service, id string, admin []string) (*trailed, string) {
	t.Helper()
	a := s.Ask(t, "GET", "/console/data/requests/"+id, "", admin...).Want(t, 200)
	var body struct{ Data *trailed }
	if err := json.Unmarshal([]byte(a.Text), &body); err != nil {
		t.Fatal(err)
	}
	return body.Data, a.Text
}

// A request is explained by its id: what was asked of policies and of the database, with
// plans and rows, what was charged, and what came of it; but by no value of a row.
func TestARequestIsExplained(t *testing.T) {
	t.Parallel()
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			settings := []string{"ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword}
			if database == "postgres" {
				settings = append(settings, "ENTWINE_DATABASE_URL="+migratetest.Schema(t).PostgresURL(t))
			}
			explains(t, trial.Start(t, settings...))
		})
	}
}

func explains(t *testing.T, s *trial.Service) {
	in := s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+trial.AdminPassword+`"}`, "X-Request-Id", "in").Want(t, 200)
	admin := []string{"Authorization", "Bearer " + in.Body["accessToken"].(string)}
	ask := func(id, method, path, body string, status int) {
		t.Helper()
		s.Ask(t, method, path, body, append([]string{"X-Request-Id", id}, admin...)...).Want(t, status)
	}
	ask("user", "POST", "/api/v1/users", `{"name":"hush1","email":"hush2@example.com","password":"hush3 4567","role":"user","age":44,"salary":76543}`, 201)
	ask("post", "POST", "/api/v1/posts", `{"title":"hush5","content":"hush6","published":true}`, 201)
	ask("list", "GET", "/api/v1/users?email=hush2@example.com&salary[gte]=76543&limit=3&search=hush8", "", 200)
	ask("cursor", "GET", "/api/v1/posts?published=true&sort=title&limit=1&cursor=", "", 200)
	ask("graph", "POST", "/graphql", `{"query":"{ usersConnection(where: {emailHasPrefix: \"hush2\"}) { nodes { name email } } }"}`, 200)
	ask("mail", "POST", "/api/v1/emails/send", `{"to":"hush9@example.com","subject":"hush10","text":"hush11"}`, 202)
	s.Ask(t, "POST", "/api/v1/posts", `{"title":"hush12"}`, "X-Request-Id", "refused").Want(t, 401)

	created, _ := explain(t, s, "post", admin)
	if created.Route != "createPost" || created.Viewer != "user 1 (admin)" || !created.has("policy", "create Post") || !created.has("charge", "") {
		t.Errorf("creating a post: %+v", created)
	}
	planned, announced := false, false
	for _, step := range created.Steps {
		if step.Name == "insert posts" && step.Rows == 1 {
			planned, announced = len(step.Plan) > 0, len(step.Events) > 0
		}
	}
	if !planned || !announced {
		t.Errorf("the statement that inserts: a plan %v, events %v: %+v", planned, announced, created.Steps)
	}
	if listed, _ := explain(t, s, "list", admin); listed.Query != "email=-&salary[gte]=-&limit=3&search=-" {
		t.Errorf("the parameters of the list are %q", listed.Query)
	}
	if listed, _ := explain(t, s, "cursor", admin); listed.Query != "published=true&sort=title&limit=1&cursor=" || !listed.has("statement", "select") {
		t.Errorf("listing posts: %+v", listed)
	}
	if asked, _ := explain(t, s, "graph", admin); !asked.has("policy", "read User") || !asked.has("statement", "select") {
		t.Errorf("GraphQL: %+v", asked)
	}
	if refused, _ := explain(t, s, "refused", admin); refused.Viewer != "anonymous" || refused.Steps == nil {
		t.Errorf("a refused request: %+v", refused)
	}
	sent, _ := explain(t, s, "mail", admin)
	for !sent.has("job", "email") || len(sent.Jobs) == 0 { // until the worker has done it
		if t.Context().Err() != nil {
			t.Fatalf("sending a mail: %+v", sent)
		}
		sent, _ = explain(t, s, "mail", admin)
	}
	if !sent.Jobs[0].has("mail", "mail") || sent.Jobs[0].Outcome != "succeeded" {
		t.Errorf("what came of sending a mail: %+v", sent.Jobs)
	}

	all := s.Ask(t, "GET", "/console/data/requests", "", admin...).Want(t, 200).Text
	for _, id := range []string{"in", "user", "post", "list", "cursor", "graph", "mail", "refused"} {
		_, text := explain(t, s, id, admin)
		all += text
	}
	for _, secret := range []string{"hush", "76543", trial.AdminPassword, "admin@example.com", in.Body["accessToken"].(string)} {
		if i := strings.Index(all, secret); i >= 0 {
			t.Errorf("%q is told: …%s…", secret, all[max(0, i-100):min(len(all), i+100)])
		}
	}
}

// Admins alone look into the process, where the operator has not turned that off.
func TestWhoIsToldOfRequests(t *testing.T) {
	t.Parallel()
	const list = "/console/data/requests"
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	s.Ask(t, "POST", "/api/v1/auth/register", `{"name":"Ada","email":"ada@example.com","password":"correct horse 1"}`).Want(t, 201)
	in := func(s *trial.Service, email, password string) []string {
		a := s.Ask(t, "POST", "/api/v1/auth/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password)).Want(t, 200)
		return []string{"Authorization", "Bearer " + a.Body["accessToken"].(string)}
	}
	key := []string{"X-API-Key", strings.TrimSpace(trial.MustRun(t, s.Dir, "apikey", "create", "--permissions", "read,write", "A program"))}
	admin := in(s, "admin@example.com", trial.AdminPassword)
	const data = "/console/data/"
	ada := in(s, "ada@example.com", "correct horse 1")
	for _, path := range []string{list, list + "/any", data + "settings", data + "migrations", data + "health", data + "limits", data + "other"} {
		s.Ask(t, "GET", path, "").Want(t, 401)
		s.Ask(t, "GET", path, "", ada...).Want(t, 403)
		s.Ask(t, "GET", path, "", key...).Want(t, 403)
	}
	for _, path := range []string{list, list + "/any", data + "settings", data + "migrations", data + "health", data + "limits"} {
		s.Ask(t, "GET", path+"?status=hush", "", admin...).Want(t, 400, `"field":"status"`, "is not a parameter of this request; allowed: none")
	}
	if text := s.Ask(t, "GET", data+"settings", "", admin...).Want(t, 200, `"ENTWINE_ADMIN_PASSWORD"`).Text; strings.Contains(text, trial.AdminPassword) {
		t.Errorf("the settings hold the admin's password: %s", text)
	}
	s.Ask(t, "GET", data+"migrations", "", admin...).Want(t, 200, `"pending":[]`, `"unknown":[]`)
	s.Ask(t, "GET", data+"limits", "", admin...).Want(t, 200, `"client":"A program"`, `"remaining":`)
	s.Ask(t, "GET", list, "", admin...).Want(t, 200, `"route":"login"`)
	s.Ask(t, "GET", list+"/any", "", admin...).Want(t, 404)
	s.Ask(t, "POST", list, "{}", admin...).Want(t, 405)

	off := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_CONSOLE=off")
	off.Ask(t, "GET", list, "", in(off, "admin@example.com", trial.AdminPassword)...).Want(t, 404)
	none := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_EXPLAIN=0")
	none.Ask(t, "GET", list, "", in(none, "admin@example.com", trial.AdminPassword)...).Want(t, 200, `"requests":[]`)
	production, _ := trial.StartProduction(t, t.TempDir(), append(trial.Productive(""), "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)...)
	production.Ask(t, "GET", list, "", in(production, "admin@example.com", trial.AdminPassword)...).Want(t, 200, `"percent":0`, `"requests":[]`)
}
