package operators_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// A version is shown to clients in each of its states, through the whole service.
func TestAVersionEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan     string
		status   int
		holds    string
		limit    string
		announce bool
	}{
		"active": {"v1", 200, `"data"`, "50", false},
		"stable": {"v1 stable={-1} deprecated={24}", 200, `"data"`, "50", false},
		"deprecated": {
			"v1 deprecated={-24} sunset={48} successor=v2 guide=https://docs.example.com/v2 limit=20% slowing={-1}..{24} steps=2",
			200, `"_meta":{"api_version":"v1","deprecated":true,`, "30", true,
		},
		"a brown-out": {"v1 deprecated={-24} sunset={48} successor=v2 brownouts={-1}/2h", 410, "version 1 is switched off until", "50", true},
		"retired":     {"v1 deprecated={-48} sunset={-24} successor=v2", 410, "VERSION_RETIRED", "50", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := trial.Start(t, "ENTWINE_RATE_LIMIT=50/1h", "ENTWINE_API_LIFECYCLE="+trial.Planned(c.plan))
			got := s.Ask(t, "GET", "/api/v1/posts", "").Want(t, c.status, c.holds)
			h := got.Header
			if (h.Get("Deprecation") == "true") != c.announce || (strings.Contains(h.Get("Warning"), "299 - ")) != c.announce || h.Get("X-RateLimit-Limit") != c.limit {
				t.Errorf("answered with %v", h)
			}
			if retry := h.Get("Retry-After") != ""; retry != (name == "a brown-out") {
				t.Errorf("Retry-After: %q", h.Get("Retry-After"))
			}
			s.Ask(t, "POST", "/graphql", `{"query":"{ posts { title } }"}`).Want(t, 200, `"posts"`)
			bad := s.Ask(t, "GET", "/api/v1/posts", "", "Authorization", "Bearer bad").Want(t, 401)
			if (bad.Header.Get("Deprecation") == "true") != c.announce {
				t.Errorf("what the edge refuses has %v", bad.Header)
			}
			for _, path := range []string{"/api/v1/openapi", "/api/v1/docs"} {
				if h := s.Ask(t, "GET", path, "").Want(t, 200).Header; (h.Get("Deprecation") == "true") != c.announce || (h.Get("Sunset") != "") != c.announce {
					t.Errorf("%s has %v", path, h)
				}
			}
		})
	}
}

func TestAPlanThatCannotBe(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string]string{
		"v1 sunset=2027-07-01": "ENTWINE_API_LIFECYCLE=v1 sunset=2027-07-01 (environment): v1: sunset needs deprecated",
		"v9 stable=2027-07-01": "ENTWINE_API_LIFECYCLE: there is no version v9 of the API",
	} {
		cmd := trial.Command(t, t.TempDir(), "serve")
		cmd.Env = append(cmd.Env, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_API_LIFECYCLE="+plan)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", plan, err, out)
		}
	}
}
