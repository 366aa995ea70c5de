package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"

	"github.com/entwine-go/entwine/kit/kittest/contracttest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// reply is an answer of the service.
type reply struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

// published is the document of REST, which every answer is held to.
var published = sync.OnceValues(func() (*contracttest.Document, error) {
	return contracttest.Read(spec.Document(), "/api/v1", "/api")
})

// newRequest returns a request with the headers, names and values in turn. A
// body that is not empty is JSON.
func newRequest(t *testing.T, method, url, body string, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// ask sends a request of [newRequest] to the service.
func (s *service) ask(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	res, err := http.DefaultTransport.RoundTrip(newRequest(t, method, s.url+path, body, headers...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	document, err := published()
	if err != nil {
		t.Fatal(err)
	}
	for _, missing := range document.Check(method, path, res.StatusCode, res.Header) {
		t.Errorf("%s %s: %s is not in the document", method, path, missing)
	}
	a := reply{status: res.StatusCode, header: res.Header, text: string(text)}
	_ = json.Unmarshal(text, &a.body) // what is not JSON has no body
	return a
}

// want fails the test unless the answer has the status and holds the texts.
func (a reply) want(t *testing.T, status int, texts ...string) reply {
	t.Helper()
	if a.status != status {
		t.Fatalf("answered %d, want %d: %s", a.status, status, a.text)
	}
	for _, text := range texts {
		if !strings.Contains(a.text, text) {
			t.Fatalf("the answer lacks %s: %s", text, a.text)
		}
	}
	return a
}

const (
	ada      = `{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}`
	adaLogin = `{"email":"ADA@example.com","password":"correct horse 1"}`
)

// signUp makes ada and returns the header that is hers.
func (s *service) signUp(t *testing.T) []string {
	t.Helper()
	s.ask(t, "POST", "/api/v1/auth/register", ada).want(t, 201, `"status":"success"`, `"token":"`)
	in := s.ask(t, "POST", "/api/v1/auth/login", adaLogin).want(t, 200, `"expiresIn":`)
	if in.body["token"] != in.body["accessToken"] {
		t.Errorf("token and accessToken differ: %s", in.text)
	}
	return []string{"Authorization", "Bearer " + in.body["token"].(string)}
}

// eachDatabase runs the test on a service over SQLite and one over PostgreSQL.
func eachDatabase(t *testing.T, test func(t *testing.T, s *service)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, start(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, start(t, "ENTWINE_DATABASE_URL="+storetest.Schema{}.PostgresURL(t)))
	})
}

func TestFromNothingToBothAPIs(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *service) {
		auth := s.signUp(t)
		s.ask(t, "GET", "/api/v1/auth/me", "", auth...).want(t, 200, `"email":"ada@example.com"`)
		s.ask(t, "POST", "/api/v1/posts", `{"title":"Hello","content":"The first one.","published":true}`, auth...).want(t, 201, `"title":"Hello"`)
		s.ask(t, "GET", "/api/v1/posts?expand=author", "").want(t, 200, `"total":1`, `"name":"Ada Lovelace"`)

		query := `{"query":"{ posts { title author { name } } }"}`
		s.ask(t, "POST", "/graphql", query).want(t, 200, `{"data":{"posts":[{"title":"Hello","author":{"name":"Ada Lovelace"}}]}`)
		mutation := `{"query":"mutation { addComment(postId: \"1\", text: \"Well said.\") { text author { name } } }"}`
		s.ask(t, "POST", "/graphql", mutation, auth...).want(t, 200, `{"data":{"addComment":{"text":"Well said.","author":{"name":"Ada Lovelace"}}}`)
		s.ask(t, "GET", "/api/v1/posts/1/comments", "").want(t, 200, `"text":"Well said."`)
	})
}

func TestWhoCannotComeIn(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *service) {
		s.signUp(t)
		s.ask(t, "POST", "/api/v1/auth/register", ada).want(t, 409, `"DUPLICATE_RESOURCE"`, `"field":"email"`)
		bad := s.ask(t, "POST", "/api/v1/auth/register", `{"name":"A","email":"x","password":"hushhush"}`).want(t, 422, `"VALIDATION_ERROR"`)
		if n := len(bad.body["error"].(map[string]any)["details"].([]any)); n != 3 || strings.Contains(bad.text, "hushhush") {
			t.Errorf("%d details, want 3 and no password: %s", n, bad.text)
		}
		wrong := s.ask(t, "POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"wrong"}`).want(t, 401, `"INVALID_CREDENTIALS"`)
		unknown := s.ask(t, "POST", "/api/v1/auth/login", `{"email":"bob@example.com","password":"wrong"}`).want(t, 401)
		if message(wrong) != message(unknown) {
			t.Errorf("a wrong password is answered %q, an unknown address %q", message(wrong), message(unknown))
		}
		s.ask(t, "GET", "/api/v1/users", "").want(t, 401, `"AUTH_REQUIRED"`, `"token required"`)
		s.ask(t, "GET", "/api/v1/posts", "", "Authorization", "Bearer x").want(t, 401, `"TOKEN_INVALID"`)
		refused := s.ask(t, "POST", "/graphql", `{"query":"{ posts { id } }"}`, "Authorization", "Bearer x").want(t, 401, `"errors":[{`, `"UNAUTHENTICATED"`)
		if refused.header.Get("WWW-Authenticate") == "" {
			t.Error("a 401 without WWW-Authenticate")
		}
	})
}

func message(a reply) any { return a.body["error"].(map[string]any)["message"] }

func TestTheEdgeHoldsForBothAPIs(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range []string{"/api/v1/posts", "/graphql", "/", "/healthz", "/readyz", "/nothing"} {
		a := s.ask(t, "GET", path, "", "X-Request-Id", "r1")
		if a.header.Get("X-Request-Id") != "r1" || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Content-Security-Policy") == "" {
			t.Errorf("GET %s: %v", path, a.header)
		}
	}
	large := `{"query":"` + strings.Repeat("x", 1<<20) + `"}`
	s.ask(t, "POST", "/graphql", large).want(t, 413, `"PAYLOAD_TOO_LARGE"`, `"errors"`)
	s.ask(t, "POST", "/api/v1/posts", large).want(t, 413, `"PAYLOAD_TOO_LARGE"`, `"status":"error"`)
	s.ask(t, "POST", "/api/v1/auth/login", strings.Repeat(" ", 17<<10)).want(t, 413)
	s.ask(t, "GET", "/nothing", "").want(t, 404, `"RESOURCE_NOT_FOUND"`)
	s.ask(t, "GET", "/readyz", "").want(t, 200, `{"status":"ok","checks":{"database":"ok","events":"ok","requests":"ok"}}`)
	s.ask(t, "GET", "/", "").want(t, 200, s.url+"/api/v1/auth/login")
	s.ask(t, "GET", "/api/v1/openapi", "").want(t, 200, `"openapi": "3.1`)
}

func TestTheFirstStartMakesAnAdmin(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *service) {
		file := filepath.Join(s.dir, "data", "admin-password")
		info, err := os.Stat(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, s.output)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("the password is in a file of mode %v", info.Mode())
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		password := strings.TrimSuffix(string(content), "\n")
		in := s.ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+password+`"}`).want(t, 200)
		s.ask(t, "GET", "/api/v1/users", "", "Authorization", "Bearer "+in.body["token"].(string)).want(t, 200, `"role":"admin"`)
		s.stop(t) // so that all it prints has been read
		if said := s.output.String(); strings.Contains(said, password) || !strings.Contains(said, "file=data/admin-password") {
			t.Errorf("it printed the password, or not where it is:\n%s", said)
		}
		if left, err := filepath.Glob(filepath.Join(s.dir, "data", ".admin*")); err != nil || len(left) > 0 {
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
	out, said, code := entwine(t, dir, "serve", "--addr", l.Addr().String())
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
	startIn(t, dir).stop(t)
	file := filepath.Join(dir, "data", "admin-password")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	startIn(t, dir).stop(t)
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
	cmd := command(t, dir, "serve")
	cmd.Env = append(cmd.Env, settings...)
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err == nil || !strings.Contains(out.String(), "ENTWINE_DATA_DIR") {
		t.Errorf("serve: %v, %s", err, &out)
	}
	cmd = command(t, t.TempDir(), "user", "list")
	cmd.Env = append(cmd.Env, settings...)
	if list, err := cmd.Output(); err != nil || strings.Contains(string(list), "admin") {
		t.Errorf("%v: %s", err, list)
	}
}

func TestATerminalShowsThePassword(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := command(t, dir, "serve", "--addr", "127.0.0.1:0")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	said, read := new(lockedBuffer), make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(said, terminal) // EIO: the program has ended
	}()
	said.wait(t, "entwine listens on")
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
	s := start(t, "ENTWINE_ADMIN_EMAIL=root@example.com", "ENTWINE_ADMIN_PASSWORD=battery staple 9")
	s.ask(t, "POST", "/api/v1/auth/login", `{"email":"root@example.com","password":"battery staple 9"}`).want(t, 200)
	s.stop(t)
	if strings.Contains(s.output.String(), "battery") {
		t.Errorf("a password of the settings was printed:\n%s", s.output)
	}
}

func TestWhatWasSaidOutlivesARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startIn(t, dir)
	auth := s.signUp(t)
	s.stop(t)
	s = startIn(t, dir)
	s.ask(t, "GET", "/api/v1/auth/me", "", auth...).want(t, 200, "ada@example.com")
}

func TestServeRefusesPendingMigrationsWhenTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := command(t, dir, "serve")
	cmd.Env = append(cmd.Env, "ENTWINE_MIGRATE=false", "ENTWINE_ADDR=127.0.0.1:0")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err == nil || !strings.Contains(out.String(), "entwine migrate up") {
		t.Errorf("serve: %v, %s", err, &out)
	}
	mustEntwine(t, dir, "migrate", "up")
	startIn(t, dir, "ENTWINE_MIGRATE=false").ask(t, "GET", "/readyz", "").want(t, 200)
}
