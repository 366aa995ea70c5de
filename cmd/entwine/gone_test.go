package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A credential of a user who is removed for good is no good anywhere, whatever
// is asked, and whether it needed one.
func TestATokenWhoseUserIsGone(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *service) {
		auth := s.signUp(t)
		me := s.ask(t, "GET", "/api/v1/auth/me", "", auth...).want(t, 200)
		id := me.body["data"].(map[string]any)["id"]
		s.ask(t, "DELETE", fmt.Sprintf("/api/v1/users/%v?hard=true", id), "", s.firstAdmin(t)...).want(t, 204)
		for _, asked := range []string{
			"GET /api/v1/posts", "GET /api/v1/auth/me", "GET /api/v1/cart", "GET /api/v1/data", "GET /api/v1/nothing", "GET /api/v1/openapi",
			"POST /api/v1/posts", "PATCH /api/v1/users/1", "DELETE /api/v1/cart", "OPTIONS /api/v1/posts", "HEAD /api/v1/posts", "POST /graphql",
		} {
			method, path, _ := strings.Cut(asked, " ")
			if a := s.ask(t, method, path, "", auth...).want(t, 401); a.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: no WWW-Authenticate", asked)
			}
		}
	})
}

// firstAdmin signs the first admin in and returns the header that is theirs.
func (s *service) firstAdmin(t *testing.T) []string {
	t.Helper()
	password, err := os.ReadFile(filepath.Join(s.dir, "data", "admin-password"))
	if err != nil {
		t.Fatal(err)
	}
	in := s.ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+strings.TrimSpace(string(password))+`"}`).want(t, 200)
	return []string{"Authorization", "Bearer " + in.body["token"].(string)}
}
