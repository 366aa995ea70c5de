package operators_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestFromNothingToBothAPIs(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, settings ...string) {
		s := trial.StartIn(t, t.TempDir(), settings...)
		auth := s.SignUp(t)
		s.Ask(t, "GET", "/api/v1/auth/me", "", auth...).Want(t, 200, `"email":"ada@example.com"`)
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"Hello","content":"The first one.","published":true}`, auth...).Want(t, 201, `"title":"Hello"`)
		s.Ask(t, "GET", "/api/v1/posts?expand=author", "").Want(t, 200, `"total":1`, `"name":"Ada Lovelace"`)

		query := `{"query":"{ posts { title author { name } } }"}`
		s.Ask(t, "POST", "/graphql", query).Want(t, 200, `{"data":{"posts":[{"title":"Hello","author":{"name":"Ada Lovelace"}}]}`)
		mutation := `{"query":"mutation { addComment(postId: \"1\", text: \"Well said.\") { text author { name } } }"}`
		s.Ask(t, "POST", "/graphql", mutation, auth...).Want(t, 200, `{"data":{"addComment":{"text":"Well said.","author":{"name":"Ada Lovelace"}}}`)
		s.Ask(t, "GET", "/api/v1/posts/1/comments", "").Want(t, 200, `"text":"Well said."`)
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, "ENTWINE_DATABASE_URL="+storetest.Schema{}.PostgresURL(t))
	})
}

func TestWhoCannotComeIn(t *testing.T) {
	t.Parallel()
	trial.EachDatabase(t, func(t *testing.T, s *trial.Service) {
		s.SignUp(t)
		s.Ask(t, "POST", "/api/v1/auth/register", trial.Ada).Want(t, 409, `"DUPLICATE_RESOURCE"`, `"field":"email"`)
		bad := s.Ask(t, "POST", "/api/v1/auth/register", `{"name":"A","email":"x","password":"hushhush"}`).Want(t, 422, `"VALIDATION_ERROR"`)
		if n := len(bad.Body["error"].(map[string]any)["details"].([]any)); n != 3 || strings.Contains(bad.Text, "hushhush") {
			t.Errorf("%d details, want 3 and no password: %s", n, bad.Text)
		}
		wrong := s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"wrong"}`).Want(t, 401, `"INVALID_CREDENTIALS"`)
		unknown := s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"bob@example.com","password":"wrong"}`).Want(t, 401)
		if trial.Message(wrong) != trial.Message(unknown) {
			t.Errorf("a wrong password is answered %q, an unknown address %q", trial.Message(wrong), trial.Message(unknown))
		}
		s.Ask(t, "GET", "/api/v1/users", "").Want(t, 401, `"AUTH_REQUIRED"`, `"token required"`)
		s.Ask(t, "GET", "/api/v1/posts", "", "Authorization", "Bearer x").Want(t, 401, `"TOKEN_INVALID"`)
		refused := s.Ask(t, "POST", "/graphql", `{"query":"{ posts { id } }"}`, "Authorization", "Bearer x").Want(t, 401, `"errors":[{`, `"UNAUTHENTICATED"`)
		if refused.Header.Get("WWW-Authenticate") == "" {
			t.Error("a 401 without WWW-Authenticate")
		}
	})
}

func TestTheEdgeHoldsForBothAPIs(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	for _, path := range []string{"/api/v1/posts", "/graphql", "/", "/healthz", "/readyz", "/nothing"} {
		a := s.Ask(t, "GET", path, "", "X-Request-Id", "r1")
		if a.Header.Get("X-Request-Id") != "r1" || a.Header.Get("X-Content-Type-Options") != "nosniff" || a.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("GET %s: %v", path, a.Header)
		}
	}
	large := `{"query":"` + strings.Repeat("x", 1<<20) + `"}`
	s.Ask(t, "POST", "/graphql", large).Want(t, 413, `"PAYLOAD_TOO_LARGE"`, `"errors"`)
	s.Ask(t, "POST", "/api/v1/posts", large).Want(t, 413, `"PAYLOAD_TOO_LARGE"`, `"status":"error"`)
	s.Ask(t, "POST", "/api/v1/auth/login", strings.Repeat(" ", 17<<10)).Want(t, 413)
	s.Ask(t, "GET", "/nothing", "").Want(t, 404, `"RESOURCE_NOT_FOUND"`)
	s.Ask(t, "GET", "/readyz", "").Want(t, 200, `{"status":"ok","checks":{"database":"ok","events":"ok","requests":"ok"}}`)
	s.Ask(t, "GET", "/", "").Want(t, 200, s.URL+"/api/v1/auth/login")
	s.Ask(t, "GET", "/api/v1/openapi", "").Want(t, 200, `"openapi": "3.1`)
}

func TestTheFirstStartMakesAnAdmin(t *testing.T) {
	t.Parallel()
	trial.EachDatabase(t, func(t *testing.T, s *trial.Service) {
		file := filepath.Join(s.Dir, "data", "admin-password")
		info, err := os.Stat(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, s.Output)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("the password is in a file of mode %v", info.Mode())
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		password := strings.TrimSuffix(string(content), "\n")
		in := s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+password+`"}`).Want(t, 200)
		s.Ask(t, "GET", "/api/v1/users", "", "Authorization", "Bearer "+in.Body["token"].(string)).Want(t, 200, `"role":"admin"`)
		s.Stop(t) // so that all it prints has been read
		if said := s.Output.String(); strings.Contains(said, password) || !strings.Contains(said, "file=data/admin-password") {
			t.Errorf("it printed the password, or not where it is:\n%s", said)
		}
		if left, err := filepath.Glob(filepath.Join(s.Dir, "data", ".admin*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

// Where the port is taken there is no database and no admin yet when that is said.
func TestATakenPortIsSaidFirst(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := t.TempDir()
	out, said, code := trial.Run(t, dir, "serve", "--addr", l.Addr().String())
	if code == 0 || !strings.Contains(said, "address already in use: set ENTWINE_ADDR") || strings.Contains(out+said, "admin@") {
		t.Errorf("serve ended with %d: %s%s", code, out, said)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("the folder has %v (%v)", files, err)
	}
}

func TestTheSecondStartMakesNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trial.StartIn(t, dir).Stop(t)
	file := filepath.Join(dir, "data", "admin-password")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	trial.StartIn(t, dir).Stop(t)
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a password again: %v", err)
	}
}

func TestAnAdminIsNotMadeWhosePasswordIsNowhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	settings := []string{"ENTWINE_DATABASE_URL=" + storetest.Schema{}.PostgresURL(t), "ENTWINE_ADDR=127.0.0.1:0"}
	if err := os.WriteFile(filepath.Join(dir, "data"), nil, 0o600); err != nil { // where the folder would be
		t.Fatal(err)
	}
	cmd := trial.Command(t, dir, "serve")
	cmd.Env = append(cmd.Env, settings...)
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err == nil || !strings.Contains(out.String(), "ENTWINE_DATA_DIR") {
		t.Errorf("serve: %v, %s", err, &out)
	}
	cmd = trial.Command(t, t.TempDir(), "user", "list")
	cmd.Env = append(cmd.Env, settings...)
	if list, err := cmd.Output(); err != nil || strings.Contains(string(list), "admin") {
		t.Errorf("%v: %s", err, list)
	}
}

func TestATerminalShowsThePassword(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := trial.Command(t, dir, "serve", "--addr", "127.0.0.1:0")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	said, read := new(trial.Log), make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(said, terminal) // EIO: the program has ended
	}()
	said.Wait(t, "entwine listens on")
	if _, err := terminal.Write([]byte{3}); err != nil { // Ctrl-C
		t.Fatal(err)
	}
	err = cmd.Wait()
	<-read
	if err != nil {
		t.Errorf("it ended with %v\n%s", err, said)
	}
	if !regexp.MustCompile(`The first admin is admin@example.com, password \S+: this is shown only now`).MatchString(said.String()) {
		t.Errorf("no password was shown:\n%s", said)
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "admin-password")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is in a file, too: %v", err)
	}
}

func TestAnAdminOfTheSettings(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_ADMIN_EMAIL=root@example.com", "ENTWINE_ADMIN_PASSWORD=battery staple 9")
	s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"root@example.com","password":"battery staple 9"}`).Want(t, 200)
	s.Stop(t)
	if strings.Contains(s.Output.String(), "battery") {
		t.Errorf("a password of the settings was printed:\n%s", s.Output)
	}
}

func TestWhatWasSaidOutlivesARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := trial.StartIn(t, dir)
	auth := s.SignUp(t)
	s.Stop(t)
	s = trial.StartIn(t, dir)
	s.Ask(t, "GET", "/api/v1/auth/me", "", auth...).Want(t, 200, "ada@example.com")
}

func TestServeRefusesPendingMigrationsWhenTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := trial.Command(t, dir, "serve")
	cmd.Env = append(cmd.Env, "ENTWINE_MIGRATE=false", "ENTWINE_ADDR=127.0.0.1:0")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err == nil || !strings.Contains(out.String(), "entwine migrate up") {
		t.Errorf("serve: %v, %s", err, &out)
	}
	trial.MustRun(t, dir, "migrate", "up")
	trial.StartIn(t, dir, "ENTWINE_MIGRATE=false").Ask(t, "GET", "/readyz", "").Want(t, 200)
}
