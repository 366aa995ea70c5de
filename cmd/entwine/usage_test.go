package main_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/pgserver"
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
		"ENTWINE_DATABASE_URL=" + url, "ENTWINE_ADMIN_PASSWORD=" + killPassword,
		planned("ENTWINE_API_LIFECYCLE=v1 deprecated={-24} sunset={48} successor=v2"),
	}
	one, two := startIn(t, dir, settings...), startIn(t, dir, settings...)
	token := one.signIn(t)
	for _, s := range []*service{one, two, two} {
		s.ask(t, "GET", "/api/v1/posts", "", "User-Agent", "curl/8.5.0").want(t, 200)
		s.ask(t, "GET", "/api/v1/posts", "", "User-Agent", "curl/8.6.0", "Authorization", "Bearer "+token).want(t, 200)
	}
	one.stop(t)
	two.stop(t)
	run := func(args ...string) string {
		t.Helper()
		cmd := command(t, dir, args...)
		cmd.Env = append(cmd.Env, settings...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("entwine %s: %v\n%s", strings.Join(args, " "), err, cmdErr(err))
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
	s := startIn(t, dir, settings...)
	admin := []string{"Authorization", "Bearer " + s.signIn(t)}
	s.ask(t, "GET", "/api/v1/deprecated-uses?agent=curl&sort=-requests&fields=name,requests", "", admin...).want(t, 200, `"name":"v1","requests":3`)
	s.ask(t, "POST", "/graphql", `{"query":"{ deprecatedUsesConnection(where: {agent: \"curl\"}) { nodes { kind name requests } } }"}`, admin...).
		want(t, 200, `{"kind":"version","name":"v1","requests":3}`)
	s.ask(t, "GET", "/api/v1/deprecated-uses", "").want(t, 401)
}

// cmdErr is what a command that failed said.
func cmdErr(err error) string {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(e.Stderr)
	}
	return ""
}
