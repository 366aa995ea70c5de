package accounts_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// seers are the admin who sees, and ada and another admin, who are seen.
type seers struct {
	*trial.Service
	admin, ada []string
	adaID      string
}

const otherAdmin = `{"name":"Other Admin","email":"other@example.com","password":"correct horse 1","role":"admin"}`

// eachSeer runs the test over both databases.
func eachSeer(t *testing.T, test func(t *testing.T, s *seers)) {
	t.Helper()
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			settings := []string{"ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword, "ENTWINE_LOG_LEVEL=info"}
			if database == "postgres" {
				settings = append(settings, "ENTWINE_DATABASE_URL="+migratetest.Schema(t).PostgresURL(t))
			}
			s := &seers{Service: trial.Start(t, settings...)}
			s.ada, s.admin = s.SignUp(t), []string{"Authorization", "Bearer " + s.Service.SignIn(t)}
			me := s.Ask(t, "GET", "/api/v1/auth/me", "", s.ada...).Want(t, 200)
			s.adaID = regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(me.Text)[1]
			s.Ask(t, "POST", "/api/v1/users", otherAdmin, s.admin...).Want(t, 201)
			test(t, s)
		})
	}
}

// seeAs returns the header of a token, and the name of the session that ends it.
func (s *seers) seeAs(t *testing.T, body string) (token []string, session string) {
	t.Helper()
	a := s.Ask(t, "POST", "/api/v1/auth/see-as", body, s.admin...).Want(t, 201, `"expiresIn":600`)
	return []string{"Authorization", "Bearer " + a.Body["token"].(string)}, a.Body["session"].(string)
}

// An admin sees what a user sees, and what a role does, and no more.
func TestAnAdminSeesAsAUserAndARole(t *testing.T) {
	t.Parallel()
	eachSeer(t, func(t *testing.T, s *seers) {
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"Ada's draft","content":"x"}`, s.ada...).Want(t, 201)
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"Admin's draft","content":"x"}`, s.admin...).Want(t, 201)
		token, _ := s.seeAs(t, `{"email":"ADA@example.com"}`)
		s.Ask(t, "GET", "/api/v1/auth/me", "", token...).Want(t, 200, `"email":"ada@example.com"`)
		for _, path := range []string{"/api/v1/posts", "/api/v2/posts"} {
			if text := s.Ask(t, "GET", path+"?fields=title", "", token...).Want(t, 200, "Ada's draft").Text; strings.Contains(text, "Admin's") {
				t.Errorf("as Ada: %s", text)
			}
		}
		post := s.Ask(t, "GET", "/api/v1/posts/1", "", token...).Want(t, 200, `"actions":[]`, `"viewer_can_update":false`, `"viewer_can_delete":false`)
		if s.Ask(t, "GET", "/api/v1/posts/1", "", s.ada...).Want(t, 200, `"viewer_can_update":true`); strings.Contains(post.Text, `"publish"`) {
			t.Errorf("an action is offered: %s", post.Text)
		}
		s.Ask(t, "POST", "/graphql", `{"query":"{ posts { title viewerCanUpdate } }"}`, token...).Want(t, 200, "Ada's draft", `"viewerCanUpdate":false`)
		s.Ask(t, "GET", "/api/v1/jobs", "", token...).Want(t, 200)
		s.Ask(t, "GET", "/console/data/settings", "", token...).Want(t, 403)

		manifest := s.Ask(t, "GET", "/api/v1/manifest", "", token...).Want(t, 200)
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			for _, e := range manifest.Body["entities"].([]any) {
				for _, of := range []string{"verbs", "actions"} {
					calls, _ := e.(map[string]any)[of].([]any)
					for _, c := range calls {
						if c.(map[string]any)["method"] == method {
							t.Errorf("the manifest offers %v", c)
						}
					}
				}
			}
		}
		for _, o := range manifest.Body["operations"].([]any) {
			if o.(map[string]any)["method"] != "GET" {
				t.Errorf("the manifest offers %v", o)
			}
		}
		s.Ask(t, "GET", "/api/v1/manifest", "", s.ada...).Want(t, 200, `"method":"PATCH"`, `"id":"changePassword"`)

		role, _ := s.seeAs(t, `{"role":"editor"}`)
		if text := s.Ask(t, "GET", "/api/v1/posts?fields=title", "", role...).Want(t, 200, "Ada's draft", "Admin's draft").Text; strings.Contains(text, "salary") {
			t.Errorf("as an editor: %s", text)
		}
		s.Ask(t, "GET", "/api/v1/emails", "", role...).Want(t, 403)
		if text := s.Ask(t, "GET", "/api/v1/jobs", "", role...).Want(t, 200).Text; !strings.Contains(text, `"data":[]`) {
			t.Errorf("a role has jobs of its own: %s", text)
		}

		claims := strings.Split(strings.TrimPrefix(token[1], "Bearer "), ".")[1]
		text, err := base64.RawURLEncoding.DecodeString(claims)
		if err != nil || !strings.Contains(string(text), `"act":{"sub":"1"}`) || !strings.Contains(string(text), `"sub":"`+s.adaID+`"`) {
			t.Errorf("the token says %s, %v", text, err)
		}
		for _, want := range []string{`msg="an admin sees as another" user_id=1 as="user ` + s.adaID + `"`, "user_id=" + s.adaID + " actor_id=1"} {
			if !strings.Contains(s.Output.String(), want) {
				t.Errorf("the log lacks %s:\n%s", want, s.Output.String())
			}
		}
	})
}

// Every operation of REST that could change something is 403, also for an admin who sees
// as another admin, and so is every mutation of GraphQL over each transport.
func TestWhoSeesAsAnotherChangesNothing(t *testing.T) {
	t.Parallel()
	eachSeer(t, func(t *testing.T, s *seers) {
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"One","content":"x"}`, s.ada...).Want(t, 201)
		for _, as := range []string{`{"email":"other@example.com"}`, `{"role":"admin"}`, `{"email":"ada@example.com"}`} {
			token, _ := s.seeAs(t, as)
			s.Ask(t, "GET", "/api/v1/posts/1", "", token...).Want(t, 200)
			for id, o := range spec.Operations {
				if strings.EqualFold(o.Method, http.MethodGet) || id == "receivePaymentEvent" { // of no caller
					continue
				}
				path := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(o.Path, "1")
				for _, version := range []string{"/api/v1", "/api/v2"} {
					status, text := s.sends(t, strings.ToUpper(o.Method), version+path, token)
					if status != 403 || !strings.Contains(text, "only reads") {
						t.Errorf("as %s: %s %s is answered %d: %s", as, o.Method, version+path, status, text)
					}
				}
			}
			s.Ask(t, "GET", "/api/v1/files/x/link", "", token...).Want(t, 404)
			s.mutates(t, token)
		}
		s.Ask(t, "GET", "/api/v1/posts/1", "", s.admin...).Want(t, 200, `"title":"One"`)
	})
}

// sends is ask of a request whose answer is in no document: what is refused at the edge.
func (s *seers) sends(t *testing.T, method, path string, token []string) (int, string) {
	t.Helper()
	res, err := http.DefaultTransport.RoundTrip(trial.NewRequest(t, method, s.URL+path, "{}", token...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var body struct {
		Error   any
		Message string
	}
	_ = json.NewDecoder(res.Body).Decode(&body)
	return res.StatusCode, fmt.Sprint(body)
}

// mutates asks for mutations by a request, by an event stream and on a WebSocket.
func (s *seers) mutates(t *testing.T, token []string) {
	t.Helper()
	mutations := []string{
		`mutation { createPost(input: { title: \"x\", content: \"x\" }) { id } }`,
		`mutation { updatePost(id: 1, input: { title: \"Two\" }) { id } }`,
		`mutation { deletePost(id: 1) }`,
		`mutation { publishPost(id: 1) { id } }`,
		`mutation { seeAs(role: \"admin\") { accessToken } }`,
		`mutation { endOtherSessions }`,
		`mutation { changePassword(oldPassword: \"correct horse 1\", newPassword: \"correct horse 2\") }`,
		`mutation { login(email: \"ada@example.com\", password: \"correct horse 1\", withRefreshToken: true) { accessToken } }`,
		`mutation { refresh { accessToken } }`,
		`mutation { logout }`,
		`mutation { createAPIKey(input: { clientName: \"x\", permissions: [read] }) { key } }`,
	}
	for _, mutation := range mutations {
		body := `{"query":"` + mutation + `"}`
		for _, accept := range []string{"application/json", "text/event-stream"} {
			a := s.Ask(t, "POST", "/graphql", body, append([]string{"Accept", accept}, token...)...)
			if !strings.Contains(a.Text, "FORBIDDEN") {
				t.Errorf("%s (%s): %d %s", mutation, accept, a.Status, a.Text)
			}
		}
	}
	for name, init := range map[string]string{
		"by its header":     `{"type":"connection_init"}`,
		"by its parameters": `{"type":"connection_init","payload":{"Authorization":"` + token[1] + `"}}`,
	} {
		header := http.Header{}
		if name == "by its header" {
			header.Set(token[0], token[1])
		}
		ws, _, err := websocket.Dial(t.Context(), strings.Replace(s.URL, "http", "ws", 1)+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header})
		if err != nil {
			t.Fatal(err)
		}
		turn := func(text, want string) {
			t.Helper()
			if err := ws.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if _, heard, err := ws.Read(t.Context()); err != nil || !strings.Contains(string(heard), want) {
				t.Errorf("%s: to %s heard %s, %v, want %s", name, text, heard, err, want)
			}
		}
		turn(init, "connection_ack")
		for i, mutation := range mutations {
			turn(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"%s"}}`, i, mutation), "FORBIDDEN")
		}
		_ = ws.CloseNow()
	}
}

// A token to see as another ends with what it stands on, and so does a stream.
func TestSeeingEnds(t *testing.T) {
	t.Parallel()
	eachSeer(t, func(t *testing.T, s *seers) {
		first := s.admin
		other := func() []string {
			in := s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"other@example.com","password":"correct horse 1"}`).Want(t, 200)
			return []string{"Authorization", "Bearer " + in.Body["token"].(string)}
		}
		id := regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(s.Ask(t, "GET", "/api/v1/auth/me", "", other()...).Text)[1]
		for _, c := range []struct {
			name string
			end  func(session string)
			mend func()
		}{
			{"by the button", func(session string) {
				s.Ask(t, "DELETE", "/api/v1/auth/sessions/"+session, "", s.admin...).Want(t, 204)
			}, nil},
			{"with the sign-in by which it was asked for", func(string) { s.Ask(t, "POST", "/api/v1/auth/logout", "", s.admin...).Want(t, 200) }, nil},
			{"where the user is deactivated", func(string) {
				s.Ask(t, "POST", "/api/v1/users/"+s.adaID+"/deactivate", "", first...).Want(t, 200)
			}, func() { s.Ask(t, "POST", "/api/v1/users/"+s.adaID+"/activate", "", first...).Want(t, 200) }},
			{"where the admin is none any more", func(string) {
				s.Ask(t, "PATCH", "/api/v1/users/"+id, `{"role":"user"}`, first...).Want(t, 200)
			}, func() { s.Ask(t, "PATCH", "/api/v1/users/"+id, `{"role":"admin"}`, first...).Want(t, 200) }},
			{"where the admin is deactivated", func(string) {
				s.Ask(t, "POST", "/api/v1/users/"+id+"/deactivate", "", first...).Want(t, 200)
			}, nil},
		} {
			s.admin = other()
			token, session := s.seeAs(t, `{"email":"ada@example.com"}`)
			s.Ask(t, "GET", "/api/v1/auth/me", "", token...).Want(t, 200)
			list := stayIdle(t, s.Service, "GET", "/api/v1/posts?fields=title", "", token)
			list.wants(`"rows":[`)
			c.end(session)
			if a := s.Ask(t, "GET", "/api/v1/auth/me", "", token...); a.Status != 401 {
				t.Errorf("%s: answered %d %s", c.name, a.Status, a.Text)
			}
			list.wants("TOKEN_INVALID", "token invalid")
			if c.mend != nil {
				c.mend()
			}
		}
	})
}

// Admins alone see as another, and as one that there is.
func TestWhoMaySeeAsAnother(t *testing.T) {
	t.Parallel()
	eachSeer(t, func(t *testing.T, s *seers) {
		const path, as = "/api/v1/auth/see-as", `{"email":"ada@example.com"}`
		key := []string{"X-API-Key", strings.TrimSpace(trial.MustRun(t, s.Dir, "apikey", "create", "--permissions", "read,write", "A program"))}
		if strings.Contains(t.Name(), "sqlite") {
			s.Ask(t, "POST", path, as, key...).Want(t, 403)
		}
		s.Ask(t, "POST", path, as).Want(t, 401)
		s.Ask(t, "POST", path, as, s.ada...).Want(t, 403)
		s.Ask(t, "POST", path, `{"email":"nobody@example.com"}`, s.admin...).Want(t, 404)
		s.Ask(t, "POST", path, `{"email":"admin@example.com"}`, s.admin...).Want(t, 422, "your own")
		s.Ask(t, "POST", path, `{"role":"emperor"}`, s.admin...).Want(t, 422, "must be one of user, admin")
		s.Ask(t, "POST", path, `{}`, s.admin...).Want(t, 422, "either email or role")
		s.Ask(t, "POST", path, `{"email":"ada@example.com","role":"user"}`, s.admin...).Want(t, 422, "either email or role")
		s.Ask(t, "POST", "/graphql", `{"query":"mutation { seeAs(email: \"ada@example.com\") { expiresIn role } }"}`, s.admin...).Want(t, 200, `"expiresIn":600`, `"role":"user"`)
		s.Ask(t, "POST", "/graphql", `{"query":"mutation { seeAs(email: \"ada@example.com\") { expiresIn } }"}`, s.ada...).Want(t, 200, "FORBIDDEN")

		s.Ask(t, "POST", "/api/v1/users/"+s.adaID+"/deactivate", "", s.admin...).Want(t, 200)
		s.Ask(t, "POST", path, as, s.admin...).Want(t, 404)
	})
}
