package limits_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// Two processes count in one database, what is counted is there when they have
// stopped, and admins see it through both APIs and the command.
func TestWhoStillUsesAVersion(t *testing.T) {
	t.Parallel()
	server, err := pgserver.Shared(t.Context())
	if err != nil {
		t.Skipf("NOT TESTED on PostgreSQL: %v", err)
	}
	url, drop, err := pgserver.Scratch(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = drop() })
	dir := t.TempDir()
	settings := []string{
		"ENTWINE_DATABASE_URL=" + url, "ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword,
		trial.Planned("ENTWINE_API_LIFECYCLE=v1 deprecated={-24} sunset={48} successor=v2"),
	}
	one, two := trial.StartIn(t, dir, settings...), trial.StartIn(t, dir, settings...)
	token := one.SignIn(t)
	for _, s := range []*trial.Service{one, two, two} {
		s.Ask(t, "GET", "/api/v1/posts", "", "User-Agent", "curl/8.5.0").Want(t, 200)
		s.Ask(t, "GET", "/api/v1/posts", "", "User-Agent", "curl/8.6.0", "Authorization", "Bearer "+token).Want(t, 200)
	}
	one.Stop(t)
	two.Stop(t)
	run := func(args ...string) string {
		t.Helper()
		cmd := trial.Command(t, dir, args...)
		cmd.Env = append(cmd.Env, settings...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("entwine %s: %v\n%s", strings.Join(args, " "), err, trial.Said(err))
		}
		return string(out)
	}
	var all []struct {
		Kind, Name, Agent string
		UserID            int64 `json:"user_id"`
		Requests          int
	}
	if err := json.Unmarshal([]byte(run("usage", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	seen := map[bool]int{}
	for _, u := range all {
		if u.Kind == "version" && u.Name == "v1" && u.Agent == "curl" {
			seen[u.UserID != 0] += u.Requests
		}
	}
	if seen[false] != 3 || seen[true] != 3 {
		t.Errorf("counted %+v", all)
	}
	if table := run("usage"); !strings.Contains(table, "anonymous") || !strings.Contains(table, "user 1") {
		t.Errorf("entwine usage:\n%s", table)
	}
	if none := run("usage", "--since", "2999-01-01", "--json"); strings.TrimSpace(none) != "[]" {
		t.Errorf("nothing is %s", none)
	}
	s := trial.StartIn(t, dir, settings...)
	admin := []string{"Authorization", "Bearer " + s.SignIn(t)}
	s.Ask(t, "GET", "/api/v1/deprecated-uses?agent=curl&sort=-requests&fields=name,requests", "", admin...).Want(t, 200, `"name":"v1","requests":3`)
	s.Ask(t, "POST", "/graphql", `{"query":"{ deprecatedUsesConnection(where: {agent: \"curl\"}) { nodes { kind name requests } } }"}`, admin...).
		Want(t, 200, `{"kind":"version","name":"v1","requests":3}`)
	s.Ask(t, "GET", "/api/v1/deprecated-uses", "").Want(t, 401)
}

// A client can say anything of itself: what it says makes a bounded number of rows,
// whichever process it asks, and after a restart.
func TestUserAgentsAreBounded(t *testing.T) {
	plan := trial.Planned("ENTWINE_API_LIFECYCLE=v1 deprecated={-24} sunset={48} successor=v2")
	eachCrowd(t, func(t *testing.T, crowd []*trial.Service) {
		for round := range 2 {
			for i := range 130 {
				agent := fmt.Sprintf("a%d-%d-%s", round, i, strings.Repeat("x", 300))
				crowd[i%len(crowd)].Ask(t, "GET", "/api/v1/posts", "", "User-Agent", agent, "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i)).Want(t, 200)
			}
			for i, s := range crowd {
				s.Stop(t) // which writes what it has counted
				crowd[i] = trial.StartIn(t, s.Dir, s.Cmd.Env...)
			}
		}
		cmd := trial.Command(t, crowd[0].Dir, "usage", "--json")
		cmd.Env = crowd[0].Cmd.Env
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("entwine usage: %v\n%s", err, trial.Said(err))
		}
		var all []struct {
			Agent    string
			Requests int
		}
		if err := json.Unmarshal(out, &all); err != nil {
			t.Fatal(err)
		}
		total, others := 0, 0
		for _, u := range all {
			total += u.Requests
			if u.Agent == "(others)" {
				others += u.Requests
			}
			if len(u.Agent) > 40 {
				t.Errorf("an agent of %d bytes", len(u.Agent))
			}
		}
		if len(all) != 101 || total != 260 || others != 160 {
			t.Errorf("%d rows, %d requests, %d of them others': want 101, 260, 160", len(all), total, others)
		}
	}, plan)
}
