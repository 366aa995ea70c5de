package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOperatorsCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, _, code := entwine(t, dir, "migrate", "status"); code == 0 || !strings.Contains(out, "pending") {
		t.Errorf("migrate status of an empty database: %d, %s", code, out)
	}
	if out := mustEntwine(t, dir, "migrate", "up"); !strings.Contains(out, "applied") {
		t.Errorf("migrate up: %s", out)
	}
	mustEntwine(t, dir, "migrate", "status")

	made := mustEntwine(t, dir, "user", "create", "ada@example.com", "Ada Lovelace", "--role", "editor")
	if !strings.Contains(made, "editor") || !strings.Contains(made, "password") {
		t.Errorf("user create: %s", made)
	}
	mustEntwine(t, dir, "user", "set-role", "ADA@example.com", "admin")
	if out := mustEntwine(t, dir, "user", "list"); !strings.Contains(out, "admin") {
		t.Errorf("user list: %s", out)
	}
	token := strings.TrimSpace(mustEntwine(t, dir, "token", "ada@example.com"))
	key := strings.TrimSpace(mustEntwine(t, dir, "apikey", "create", "warehouse", "--permissions", "read,write"))
	mustEntwine(t, dir, "seed", "--users", "20", "--posts", "30", "--comments", "50", "--products", "10")

	s := startIn(t, dir)
	s.ask(t, "GET", "/api/v1/users?role=user", "", "Authorization", "Bearer "+token).want(t, 200, `"role":"user"`)
	s.ask(t, "GET", "/api/v1/users", "", "X-API-Key", key).want(t, 200)
	s.ask(t, "GET", "/api/v1/products", "").want(t, 200, `"total":10`)

	mustEntwine(t, dir, "apikey", "revoke", "1")
	if out := mustEntwine(t, dir, "apikey", "list"); !strings.Contains(out, "warehouse") || !strings.Contains(out, "revoked") || strings.Contains(out, key) {
		t.Errorf("apikey list: %s", out)
	}
}

func TestOperatorsEndAccounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustEntwine(t, dir, "user", "create", "root@example.com", "Root", "--role", "admin")
	mustEntwine(t, dir, "user", "create", "ada@example.com", "Ada Lovelace", "--password", "correct horse 1")
	for _, last := range []string{"deactivate root@example.com", "delete root@example.com", "delete --hard root@example.com", "set-role root@example.com user"} {
		if out, errs, code := entwine(t, dir, append([]string{"user"}, strings.Fields(last)...)...); code != 1 || !strings.Contains(errs, "last active admin") {
			t.Errorf("user %s: %d %s%s", last, code, out, errs)
		}
	}
	s := startIn(t, dir)
	login := func(password string) reply {
		return s.ask(t, "POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"`+password+`"}`)
	}
	before := []string{"Authorization", "Bearer " + login("correct horse 1").want(t, 200).body["token"].(string)}
	for range 6 {
		login("wrong horse 1")
	}
	mustEntwine(t, dir, "user", "set-password", "ADA@example.com", "--password", "battery staple 2")
	s.ask(t, "GET", "/api/v1/auth/me", "", before...).want(t, 401)
	login("battery staple 2").want(t, 200) // the failures are forgotten, too
	made := mustEntwine(t, dir, "user", "set-password", "ada@example.com")
	password, _ := strings.CutPrefix(strings.TrimSpace(made), "password  ")
	login(password).want(t, 200)

	mustEntwine(t, dir, "user", "deactivate", "ada@example.com")
	login(password).want(t, 401)
	mustEntwine(t, dir, "user", "activate", "ada@example.com")
	login(password).want(t, 200)
	mustEntwine(t, dir, "user", "delete", "ada@example.com")
	login(password).want(t, 401)
	s.ask(t, "POST", "/api/v1/auth/register", ada).want(t, 409)
	mustEntwine(t, dir, "user", "delete", "--hard", "ada@example.com")
	s.ask(t, "POST", "/api/v1/auth/register", ada).want(t, 201)
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
		if out := mustEntwine(t, dir, strings.Fields(args)...); !strings.Contains(out, want) {
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
		"sreve":                            {2, "there is no command"},
		"serve now":                        {2, "it takes 0 arguments"},
		"serve --prot 1":                   {2, "entwine help serve"},
		"serve --addr 8080":                {1, "must be host:port"},
		"serve --config " + settings:       {1, "did you mean ENTWINE_ADDR?"},
		"serve --database-url mysql://x/y": {1, "must begin with postgres:// or sqlite://"},
		"user set-role ada king":           {2, "is not a role"},
		"apikey revoke x":                  {2, "entwine apikey list"},
		"seed --users 0":                   {2, "at least one user"},
		"user create a b":                  {1, "must be an e-mail address"},
		"user delete":                      {2, "it takes 1 arguments (EMAIL)"},
		"user deactivate ada":              {1, "there is no user with the address ada"},
	} {
		out, errs, code := entwine(t, dir, strings.Fields(args)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("entwine %s: %d %s%s, want %d and %q", args, code, out, errs, c.code, c.want)
		}
	}
}
