package browser_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// TestTheConsoleCanBeTurnedOff asks for it with and without the setting: to a program
// without it, it is a path like any other at which there is nothing, and the page at / has no
// link to it.
func TestTheConsoleCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]int{"": http.StatusOK, "ENTWINE_CONSOLE=off": http.StatusNotFound} {
		s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, setting)
		for _, path := range []string{"/console", "/console/rows/posts"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != want {
				t.Errorf("with %q %s answers %d, want %d", setting, path, answer.StatusCode, want)
			}
		}
		if page := s.Ask(t, http.MethodGet, "/", "", "Accept", "text/html"); strings.Contains(page.Text, `href="/console"`) != (want == http.StatusOK) {
			t.Errorf("with %q the page at / links to the console: %v", setting, want != http.StatusOK)
		}
	}
}
