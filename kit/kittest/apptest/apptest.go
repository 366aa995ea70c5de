// Package apptest serves a service to its own tests: the whole of it, over a
// database of its own, without a network.
package apptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/app"
)

// Server answers requests until its test ends. [Serve] makes one.
type Server struct {
	http.Handler

	// Header goes with each request: Authorization.
	Header http.Header

	t testing.TB
}

// Serve returns a server of the service over a new SQLite database with all
// migrations. Settings are variables of the environment:
// "ENTWINE_DATABASE_URL=postgres://…" names another database. No jobs are worked on,
// and passwords are hashed at the lowest cost. It ends with the test.
func Serve(t testing.TB, s *app.Service, settings ...string) *Server {
	t.Helper()
	p := &app.Process{Stdout: t.Output(), Stderr: t.Output(), Environ: append([]string{"ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_BCRYPT_COST=4"}, settings...)}
	server, end, err := s.Embed(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	return &Server{server.Handler, http.Header{}, t}
}

// Ask sends a request with s.Header, and with the body, if it is not empty, as JSON.
// It returns the body of the answer, and the test fails unless that contains want. The
// status is not looked at.
func (s *Server) Ask(method, path, body, want string) string {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	r.Header = s.Header.Clone()
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if !strings.Contains(w.Body.String(), want) {
		s.t.Errorf("%s %s: %d %s, want %s", method, path, w.Code, w.Body, want)
	}
	return w.Body.String()
}

// SignUp registers a user with the name, in a service that has accounts, and has later
// requests be theirs: it sets Authorization in s.Header.
func (s *Server) SignUp(name string) {
	s.t.Helper()
	s.Header.Del("Authorization")
	body, err := json.Marshal(map[string]string{
		"name": name, "email": strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.com", "password": "correct horse 1",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	var in struct{ Token string }
	if err := json.Unmarshal([]byte(s.Ask("POST", "/api/auth/register", string(body), `"token"`)), &in); err != nil {
		s.t.Fatal(err)
	}
	s.Header.Set("Authorization", "Bearer "+in.Token)
}
