package operators_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestOperatorsCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, _, code := trial.Run(t, dir, "migrate", "status"); code == 0 || !strings.Contains(out, "pending") {
		t.Errorf("migrate status of an empty database: %d, %s", code, out)
	}
	if out := trial.MustRun(t, dir, "migrate", "up"); !strings.Contains(out, "applied") {
		t.Errorf("migrate up: %s", out)
	}
	trial.MustRun(t, dir, "migrate", "status")

	made := trial.MustRun(t, dir, "user", "create", "ada@example.com", "Ada Lovelace", "--role", "editor")
	if !strings.Contains(made, "editor") || !strings.Contains(made, "password") {
		t.Errorf("user create: %s", made)
	}
	trial.MustRun(t, dir, "user", "set-role", "ADA@example.com", "admin")
	if out := trial.MustRun(t, dir, "user", "list"); !strings.Contains(out, "admin") {
		t.Errorf("user list: %s", out)
	}
	token := strings.TrimSpace(trial.MustRun(t, dir, "token", "ada@example.com"))
	key := strings.TrimSpace(trial.MustRun(t, dir, "apikey", "create", "warehouse", "--permissions", "read,write"))
	trial.MustRun(t, dir, "seed", "--users", "20", "--posts", "30", "--comments", "50", "--products", "10")

	s := trial.StartIn(t, dir)
	s.Ask(t, "GET", "/api/v1/users?role=user", "", "Authorization", "Bearer "+token).Want(t, 200, `"role":"user"`)
	s.Ask(t, "GET", "/api/v1/users", "", "X-API-Key", key).Want(t, 200)
	s.Ask(t, "GET", "/api/v1/products", "").Want(t, 200, `"total":10`)

	trial.MustRun(t, dir, "apikey", "revoke", "1")
	if out := trial.MustRun(t, dir, "apikey", "list"); !strings.Contains(out, "warehouse") || !strings.Contains(out, "revoked") || strings.Contains(out, key) {
		t.Errorf("apikey list: %s", out)
	}
}

// A key stays pinned where its version is not offered any more: it is answered in no other,
// and the start says so.
func TestAPinnedVersionThatIsNotOffered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const all = "--api-versions=v1=main,v2=jsend,v3=flag"
	key := []string{"X-API-Key", strings.TrimSpace(trial.MustRun(t, dir, "apikey", "create", all, "depot", "--api-version", "v3"))}
	ended := strings.TrimSpace(trial.MustRun(t, dir, "apikey", "create", all, "--api-version", "v3", "ended"))
	trial.MustRun(t, dir, "apikey", "revoke", "2")
	still := []string{"X-API-Key", strings.TrimSpace(trial.MustRun(t, dir, "apikey", "create", "shop", "--api-version", "v2"))}
	if out := trial.MustRun(t, dir, "apikey", "list"); !strings.Contains(out, " v3 ") || strings.Contains(out, ended) {
		t.Errorf("apikey list: %s", out)
	}
	const warns = "API keys are pinned to versions of REST that are not offered"
	s := trial.StartIn(t, dir, "ENTWINE_API_VERSIONS=v1=main,v2=jsend", "ENTWINE_API_DEFAULT=v2")
	s.Output.Wait(t, warns)
	if out := s.Output.String(); !strings.Contains(out, "keys=1 offered=\"[v1 v2]\"") {
		t.Errorf("it says %s", out)
	}
	s.Ask(t, "GET", "/api/users", "", key...).Want(t, 400, "to which the API key is pinned, is not a version of this API; allowed: 1, 2")
	s.Ask(t, "GET", "/api/v1/users", "", key...).Want(t, 200, `"status":"success","data":[`)
	s.Ask(t, "GET", "/api/users?v=2", "", key...).Want(t, 200, `"results":`)
	s.Ask(t, "GET", "/api/users", "", append(key, "X-API-Version", "1")...).Want(t, 200, `"status":"success","data":[`)
	s.Ask(t, "POST", "/graphql", `{"query":"{ users { name } }"}`, key...).Want(t, 200, `"users":[`)
	s.Ask(t, "GET", "/api/users", "", still...).Want(t, 200, `"results":`)
}

func TestOperatorsEndAccounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trial.MustRun(t, dir, "user", "create", "root@example.com", "Root", "--role", "admin")
	trial.MustRun(t, dir, "user", "create", "ada@example.com", "Ada Lovelace", "--password", "correct horse 1")
	for _, last := range []string{"deactivate root@example.com", "delete root@example.com", "delete --hard root@example.com", "set-role root@example.com user"} {
		if out, errs, code := trial.Run(t, dir, append([]string{"user"}, strings.Fields(last)...)...); code != 1 || !strings.Contains(errs, "last active admin") {
			t.Errorf("user %s: %d %s%s", last, code, out, errs)
		}
	}
	s := trial.StartIn(t, dir)
	login := func(password string) trial.Reply {
		return s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"`+password+`"}`)
	}
	before := []string{"Authorization", "Bearer " + login("correct horse 1").Want(t, 200).Body["token"].(string)}
	for range 6 {
		login("wrong horse 1")
	}
	trial.MustRun(t, dir, "user", "set-password", "ADA@example.com", "--password", "battery staple 2")
	s.Ask(t, "GET", "/api/v1/auth/me", "", before...).Want(t, 401)
	login("battery staple 2").Want(t, 200) // the failures are forgotten, too
	made := trial.MustRun(t, dir, "user", "set-password", "ada@example.com")
	password, _ := strings.CutPrefix(strings.TrimSpace(made), "password  ")
	login(password).Want(t, 200)

	trial.MustRun(t, dir, "user", "deactivate", "ada@example.com")
	login(password).Want(t, 401)
	trial.MustRun(t, dir, "user", "activate", "ada@example.com")
	login(password).Want(t, 200)
	trial.MustRun(t, dir, "user", "delete", "ada@example.com")
	login(password).Want(t, 401)
	s.Ask(t, "POST", "/api/v1/auth/register", trial.Ada).Want(t, 409)
	trial.MustRun(t, dir, "user", "delete", "--hard", "ada@example.com")
	s.Ask(t, "POST", "/api/v1/auth/register", trial.Ada).Want(t, 201)
}

func TestHelpTeaches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for args, want := range map[string]string{
		"":                   "entwine serve",
		"help":               "Commands:",
		"--help":             "Commands:",
		"help serve":         "first",
		"serve --help":       "first",
		"help user":          "user set-role EMAIL ROLE",
		"help settings":      "ENTWINE_DATABASE_URL",
		"user create --help": "--role ROLE",
		"version":            "go1.",
		"--version":          "go1.",
		"migrate --help":     "migrate status",
	} {
		if out := trial.MustRun(t, dir, strings.Fields(args)...); !strings.Contains(out, want) {
			t.Errorf("entwine %s lacks %q:\n%s", args, want, out)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("help left %v, %v", entries, err)
	}
}

func TestMistakesSayWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	settings := filepath.Join(dir, "settings")
	if err := os.WriteFile(settings, []byte("ENTWINE_ADR=:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, c := range map[string]struct {
		code int
		want string
	}{
		"sreve":                          {2, "there is no command"},
		"apikey":                         {2, `there is no command "apikey": apikey create, apikey list, apikey rotate, apikey revoke are`},
		"healthcheck --addr 127.0.0.1:1": {1, "the process at ENTWINE_ADDR=127.0.0.1:1: "},
		"user create a@b.example Ann --role king": {1, "role must be one of user, admin, "},
		"serve now":                        {2, "it takes no arguments: now is one"},
		"serve --prot 1":                   {2, "entwine help serve"},
		"serve --addr 8080":                {1, "must be host:port"},
		"serve --config " + settings:       {1, "did you mean ENTWINE_ADDR?"},
		"serve --database-url mysql://x/y": {1, "must begin with postgres:// or sqlite://"},
		"user set-role ada king":           {2, "is not a role"},
		"apikey create x --api-version v9": {1, "api_version is not a version of this API; allowed: v1, v2"},
		"apikey create x --api-version 2":  {1, "api_version is not a version of this API; allowed: v1, v2"},
		"apikey revoke x":                  {2, "entwine apikey list"},
		"seed --users 0":                   {2, "at least one user"},
		"user create a b":                  {1, "must be an e-mail address"},
		"user delete":                      {2, "it takes EMAIL, not 0 arguments"},
		"user deactivate ada":              {1, "there is no user with the address ada"},
	} {
		out, errs, code := trial.Run(t, dir, strings.Fields(args)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("entwine %s: %d %s%s, want %d and %q", args, code, out, errs, c.code, c.want)
		}
	}
}
