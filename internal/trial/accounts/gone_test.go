package accounts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// A credential of a user who is removed for good is no good anywhere, whatever
// is asked, and whether it needed one.
func TestATokenWhoseUserIsGone(t *testing.T) {
	t.Parallel()
	trial.EachDatabase(t, func(t *testing.T, s *trial.Service) {
		auth := s.SignUp(t)
		me := s.Ask(t, "GET", "/api/v1/auth/me", "", auth...).Want(t, 200)
		id := me.Body["data"].(map[string]any)["id"]
		s.Ask(t, "DELETE", fmt.Sprintf("/api/v1/users/%v?hard=true", id), "", firstAdmin(t, s)...).Want(t, 204)
		for _, asked := range []string{
			"GET /api/v1/posts", "GET /api/v1/auth/me", "GET /api/v1/cart", "GET /api/v1/data", "GET /api/v1/nothing", "GET /api/v1/openapi",
			"POST /api/v1/posts", "PATCH /api/v1/users/1", "DELETE /api/v1/cart", "OPTIONS /api/v1/posts", "HEAD /api/v1/posts", "POST /graphql",
		} {
			method, path, _ := strings.Cut(asked, " ")
			if a := s.Ask(t, method, path, "", auth...).Want(t, 401); a.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: no WWW-Authenticate", asked)
			}
		}
	})
}

// firstAdmin signs the first admin in and returns the header that is theirs.
func firstAdmin(t *testing.T, s *trial.Service) []string {
	t.Helper()
	password, err := os.ReadFile(filepath.Join(s.Dir, "data", "admin-password"))
	if err != nil {
		t.Fatal(err)
	}
	in := s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+strings.TrimSpace(string(password))+`"}`).Want(t, 200)
	return []string{"Authorization", "Bearer " + in.Body["token"].(string)}
}
