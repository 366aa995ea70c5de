package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
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
func (s *service) explain(t *testing.T, id string, admin []string) (*trailed, string) {
	t.Helper()
	a := s.ask(t, "GET", "/console/data/requests/"+id, "", admin...).want(t, 200)
	var body struct{ Data *trailed }
	if err := json.Unmarshal([]byte(a.text), &body); err != nil {
		t.Fatal(err)
	}
	return body.Data, a.text
}

// A request is explained by its id: what was asked of policies and of the database, with
// plans and rows, what was charged, and what came of it; but by no value of a row.
func TestARequestIsExplained(t *testing.T) {
	t.Parallel()
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			settings := []string{"ENTWINE_ADMIN_PASSWORD=" + killPassword}
			if database == "postgres" {
				settings = append(settings, "ENTWINE_DATABASE_URL="+storetest.Schema{}.PostgresURL(t))
			}
			explains(t, start(t, settings...))
		})
	}
}

func explains(t *testing.T, s *service) {
	in := s.ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+killPassword+`"}`, "X-Request-Id", "in").want(t, 200)
	admin := []string{"Authorization", "Bearer " + in.body["accessToken"].(string)}
	ask := func(id, method, path, body string, status int) {
		t.Helper()
		s.ask(t, method, path, body, append([]string{"X-Request-Id", id}, admin...)...).want(t, status)
	}
	ask("user", "POST", "/api/v1/users", `{"name":"hush1","email":"hush2@example.com","password":"hush3 4567","role":"user","age":44,"salary":76543}`, 201)
	ask("post", "POST", "/api/v1/posts", `{"title":"hush5","content":"hush6","published":true}`, 201)
	ask("list", "GET", "/api/v1/users?email=hush2@example.com&salary[gte]=76543&limit=3&search=hush8", "", 200)
	ask("cursor", "GET", "/api/v1/posts?published=true&sort=title&limit=1&cursor=", "", 200)
	ask("graph", "POST", "/graphql", `{"query":"{ usersConnection(where: {emailHasPrefix: \"hush2\"}) { nodes { name email } } }"}`, 200)
	ask("mail", "POST", "/api/v1/emails/send", `{"to":"hush9@example.com","subject":"hush10","text":"hush11"}`, 202)
	s.ask(t, "POST", "/api/v1/posts", `{"title":"hush12"}`, "X-Request-Id", "refused").want(t, 401)

	created, _ := s.explain(t, "post", admin)
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
	if listed, _ := s.explain(t, "list", admin); listed.Query != "email=-&salary[gte]=-&limit=3&search=-" {
		t.Errorf("the parameters of the list are %q", listed.Query)
	}
	if listed, _ := s.explain(t, "cursor", admin); listed.Query != "published=true&sort=title&limit=1&cursor=" || !listed.has("statement", "select") {
		t.Errorf("listing posts: %+v", listed)
	}
	if asked, _ := s.explain(t, "graph", admin); !asked.has("policy", "read User") || !asked.has("statement", "select") {
		t.Errorf("GraphQL: %+v", asked)
	}
	if refused, _ := s.explain(t, "refused", admin); refused.Viewer != "anonymous" || refused.Steps == nil {
		t.Errorf("a refused request: %+v", refused)
	}
	sent, _ := s.explain(t, "mail", admin)
	for !sent.has("job", "email") || len(sent.Jobs) == 0 { // until the worker has done it
		if t.Context().Err() != nil {
			t.Fatalf("sending a mail: %+v", sent)
		}
		sent, _ = s.explain(t, "mail", admin)
	}
	if !sent.Jobs[0].has("mail", "mail") || sent.Jobs[0].Outcome != "succeeded" {
		t.Errorf("what came of sending a mail: %+v", sent.Jobs)
	}

	all := s.ask(t, "GET", "/console/data/requests", "", admin...).want(t, 200).text
	for _, id := range []string{"in", "user", "post", "list", "cursor", "graph", "mail", "refused"} {
		_, text := s.explain(t, id, admin)
		all += text
	}
	for _, secret := range []string{"hush", "76543", killPassword, "admin@example.com", in.body["accessToken"].(string)} {
		if i := strings.Index(all, secret); i >= 0 {
			t.Errorf("%q is told: …%s…", secret, all[max(0, i-100):min(len(all), i+100)])
		}
	}
}

// Admins alone look into the process, where the operator has not turned that off.
func TestWhoIsToldOfRequests(t *testing.T) {
	t.Parallel()
	const list = "/console/data/requests"
	s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword)
	s.ask(t, "POST", "/api/v1/auth/register", `{"name":"Ada","email":"ada@example.com","password":"correct horse 1"}`).want(t, 201)
	in := func(s *service, email, password string) []string {
		a := s.ask(t, "POST", "/api/v1/auth/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password)).want(t, 200)
		return []string{"Authorization", "Bearer " + a.body["accessToken"].(string)}
	}
	key := []string{"X-API-Key", strings.TrimSpace(mustEntwine(t, s.dir, "apikey", "create", "--permissions", "read,write", "A program"))}
	admin := in(s, "admin@example.com", killPassword)
	const data = "/console/data/"
	ada := in(s, "ada@example.com", "correct horse 1")
	for _, path := range []string{list, list + "/any", data + "settings", data + "migrations", data + "health", data + "limits", data + "other"} {
		s.ask(t, "GET", path, "").want(t, 401)
		s.ask(t, "GET", path, "", ada...).want(t, 403)
		s.ask(t, "GET", path, "", key...).want(t, 403)
	}
	for _, path := range []string{list, list + "/any", data + "settings", data + "migrations", data + "health", data + "limits"} {
		s.ask(t, "GET", path+"?status=hush", "", admin...).want(t, 400, `"field":"status"`, "is not a parameter of this request; allowed: none")
	}
	if text := s.ask(t, "GET", data+"settings", "", admin...).want(t, 200, `"ENTWINE_ADMIN_PASSWORD"`).text; strings.Contains(text, killPassword) {
		t.Errorf("the settings hold the admin's password: %s", text)
	}
	s.ask(t, "GET", data+"migrations", "", admin...).want(t, 200, `"pending":[]`, `"unknown":[]`)
	s.ask(t, "GET", data+"limits", "", admin...).want(t, 200, `"client":"A program"`, `"remaining":`)
	s.ask(t, "GET", list, "", admin...).want(t, 200, `"route":"login"`)
	s.ask(t, "GET", list+"/any", "", admin...).want(t, 404)
	s.ask(t, "POST", list, "{}", admin...).want(t, 405)

	off := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword, "ENTWINE_CONSOLE=off")
	off.ask(t, "GET", list, "", in(off, "admin@example.com", killPassword)...).want(t, 404)
	none := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword, "ENTWINE_EXPLAIN=0")
	none.ask(t, "GET", list, "", in(none, "admin@example.com", killPassword)...).want(t, 200, `"requests":[]`)
	production, _ := startProduction(t, t.TempDir(), append(productive(""), "ENTWINE_ADMIN_PASSWORD="+killPassword)...)
	production.ask(t, "GET", list, "", in(production, "admin@example.com", killPassword)...).want(t, 200, `"percent":0`, `"requests":[]`)
}
