package main_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A project of one's own is begun with nothing but Go, is served, gets an entity
// with an action, a kind of job, a schedule, a handler of events and a
// subscription, and does all that on both databases.
func TestAProjectOfOnesOwn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	r := publish(t)
	p := &ownProject{T: t, within: programtest.Within(t, programtest.Usual), dir: t.TempDir(), env: r.env}
	p.run("go", "run", entwine+"/cmd/weave@"+r.version, "new", "example.com/acme/notes")
	p.dir = filepath.Join(p.dir, "notes")

	// On a machine without PostgreSQL.
	p.env = append(p.env, "ENTWINE_DEV_DATABASE_URL=none")
	s := p.serve("make", "run")
	s.signsUp("Ada Lovelace")
	s.asks([]asked{
		{"/api/v1/notes", `{"title":"Engines","text":"They weave."}`, `"done":false`},
		{"/graphql", `{"query":"{ notesConnection { edges { node { title user { name } } } } }"}`, `{"title":"Engines","user":{"name":"Ada Lovelace"}}`},
	}).end(syscall.SIGINT)
	p.run("go", "mod", "tidy")
	p.addZines()
	if said := p.run("make", "generate", "migration", "NAME=add_zines"); !strings.Contains(said, "POSTGRESQL HAS NO MIGRATION FOR THIS") {
		t.Errorf("without PostgreSQL a migration is written, and it is said:\n%s", said)
	}
	if said, err := p.try("bin/weave", "migrate", "lint"); err == nil {
		t.Errorf("lint takes a half of the migrations:\n%s", said)
	}

	// On one with it.
	p.env = p.env[:len(p.env)-1]
	if said := p.run("make", "migration", "NAME=add_zines_postgres"); strings.Contains(said, "sqlite") || !strings.Contains(said, "wrote migrate/postgres/") {
		t.Errorf("the other half is written with PostgreSQL:\n%s", said)
	}
	if tools := p.run("go", "list", "tool"); tools != entwine+"/cmd/weave\n" { // which go tool weave would compile without -trimpath
		t.Errorf("the project's tools are %s", tools)
	}
	p.run("bin/weave", "migrate", "verify")
	p.run("bin/weave", "migrate", "lint")
	p.run("make", "test")
	p.run("make", "build")
	p.eachDatabase(func(own *ownProject) {
		s := own.serve(filepath.Join(p.dir, "bin", "notes"), "serve")
		s.said("stock is taken")
		heard := s.hears("zineCatalogued { title catalogued }")
		s.asks([]asked{
			{"/api/v1/zines", `{"title":"Engines"}`, `"catalogued":false`},
			{"/api/v1/zines/1/lend", `{"to":""}`, `"field":"to"`},
			{"/api/v1/zines/1/lend", `{"to":"Ada"}`, `"borrower":"Ada"`},
			{"/api/v1/zines/1/lend", `{"to":"Grace"}`, `the zine is lent already`},
			{"/graphql", `{"query":"mutation { createZine(input: {title: \"Numbers\"}) { title borrower } }"}`, `{"title":"Numbers","borrower":null}`},
			{"/graphql", `{"query":"mutation { lendZine(id: 2, to: \"Grace\") { borrower } }"}`, `{"borrower":"Grace"}`},
		})
		s.answers("/zines.txt", 200, "Engines\nNumbers\n")
		s.hasAccounts()
		for range 2 {
			if got := heard(); !strings.Contains(got, `"catalogued":true`) {
				own.Errorf("the subscription heard %s", got)
			}
		}
		s.refusesStale()
		s.searches()
		s.end(syscall.SIGTERM)
	})
}

// earlier is the version that testdata/earlier names. No release is called so.
const earlier = "v0.0.0-earlier.1"

// A project as it was written and migrated by an earlier weave takes this version
// without an edit by hand: its migrations stay, and those that entwine's own
// tables need are added.
func TestAnEarlierProjectIsUpgraded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	r := publish(t)
	r.also(t, earlier)
	p := &ownProject{T: t, within: programtest.Within(t, programtest.Usual), dir: t.TempDir(), env: r.env}
	if err := os.CopyFS(p.dir, os.DirFS("testdata/earlier")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(p.dir, "go.mod.txt"), filepath.Join(p.dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	said := p.run("go", "run", entwine+"/cmd/weave@"+r.version, "upgrade", r.version)
	for _, want := range []string{
		"entwine " + earlier + " is " + r.version + " now", "wrote migrate/postgres/", "wrote migrate/sqlite/", "permission matrix: safe", "Job.traceparent: a new field",
		"cmd/notes/main.go: imports what has moved from where it is now",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("weave upgrade does not say %q:\n%s", want, said)
		}
	}
	err := filepath.WalkDir("testdata/earlier/migrate", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".sql" {
			return err
		}
		before, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		after, err := os.ReadFile(filepath.Join(p.dir, strings.TrimPrefix(name, "testdata/earlier")))
		if string(after) != string(before) {
			t.Errorf("%s is another one now", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p.run("go", "run", entwine+"/cmd/weave", "migrate", "verify")
	p.run("make", "test")
	p.upgradesToNothing(r.version)
}

// upgradesToNothing takes the version that go.mod has: no file is another one then.
func (p *ownProject) upgradesToNothing(version string) {
	p.Helper()
	modules := func() (all string) {
		for _, name := range []string{"go.mod", "go.sum"} {
			text, err := os.ReadFile(filepath.Join(p.dir, name))
			if err != nil {
				p.Fatal(err)
			}
			all += string(text)
		}
		return all
	}
	before := modules()
	if said := p.run("go", "run", entwine+"/cmd/weave", "upgrade", version); !strings.Contains(said, "entwine "+version+" is what go.mod has") {
		p.Errorf("weave upgrade to the same version says\n%s", said)
	}
	if modules() != before {
		p.Error("weave upgrade to the same version changes go.mod or go.sum")
	}
}

// ownProject is a folder in which programs are run, as long as the test may take.
type ownProject struct {
	*testing.T
	within context.Context
	dir    string
	env    []string // beside this process's
	// data is the service's data directory, where that is not one of dir.
	data string
}

// newNotes begins the project notes with the entwine of this tree, which has linked
// bin/weave. args are more arguments of weave new.
func newNotes(t *testing.T, args ...string) *ownProject {
	t.Helper()
	p := begin(t, args...)
	if text := linked(t); len(text) > 0 {
		if err := os.MkdirAll(filepath.Join(p.dir, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, "bin", "weave"), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// begin writes the files of the project notes.
func begin(t *testing.T, args ...string) *ownProject {
	t.Helper()
	dir := t.TempDir()
	args = append([]string{"new", "example.com/acme/notes", "--replace", "../..", "--root", dir}, args...)
	if said, code := call(t, args...); code != 0 {
		t.Fatal(said)
	}
	return &ownProject{T: t, within: programtest.Within(t, programtest.Usual), dir: filepath.Join(dir, "notes")}
}

// Context is the test's, and ends where the test takes too long: its programs are killed.
func (p *ownProject) Context() context.Context { return p.within }

var link struct {
	once sync.Once
	text []byte
}

// linked returns bin/weave as make generate links it in each of the projects. It is
// linked once: go build in a project finds that it is up to date.
func linked(t *testing.T) []byte {
	t.Helper()
	link.once.Do(func() {
		p := begin(t)
		p.run("go", "build", "-mod=mod", "-o", "bin/", entwine+"/cmd/weave", entwine+"/kit/app")
		link.text = []byte(p.read("bin/weave"))
	})
	return link.text
}

// eachDatabase runs the test on SQLite and on PostgreSQL, each with an empty
// database and a data directory of its own.
func (p *ownProject) eachDatabase(test func(own *ownProject)) {
	p.Helper()
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		p.Run(name, func(t *testing.T) {
			own := &ownProject{T: t, within: p.within, dir: p.dir, data: t.TempDir()}
			own.env = append(slices.Clone(p.env), "ENTWINE_DATABASE_URL="+url(t), "ENTWINE_DATA_DIR="+own.data, "ENTWINE_BCRYPT_COST=4")
			test(own)
		})
	}
}

// addZines writes what testdata has of zines.
func (p *ownProject) addZines() {
	p.Helper()
	for from, to := range map[string]string{"zine.go": "schema/zine.go", "zines.go": "cmd/notes/zines.go", "results.yaml": "rest/results.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata/zines", from))
		if err == nil {
			err = os.WriteFile(filepath.Join(p.dir, to), text, 0o600)
		}
		if err != nil {
			p.Fatal(err)
		}
	}
	p.edit("cmd/notes/main.go", `service\.Generated\(migrate\.Files\)`, `service.Generated(migrate.Files), Open: open`)
}

// edit replaces what matches, which has to be there once.
func (p *ownProject) edit(name, pattern, by string) {
	p.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.Fatal(err)
	}
	what := regexp.MustCompile(pattern)
	if n := len(what.FindAllIndex(text, -1)); n != 1 {
		p.Fatalf("%s has %q %d times", name, pattern, n)
	}
	if err := os.WriteFile(filepath.Join(p.dir, name), what.ReplaceAll(text, []byte(by)), 0o600); err != nil {
		p.Fatal(err)
	}
}

func (p *ownProject) command(name string, args ...string) *exec.Cmd {
	cmd := programtest.Command(p.within, name, args...)
	cmd.Dir = p.dir
	own := slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "ENTWINE_") })
	cmd.Env = slices.Concat(own, []string{"ENTWINE_ADDR=127.0.0.1:0"}, p.env)
	return cmd
}

func (p *ownProject) try(name string, args ...string) (string, error) {
	out, err := p.command(name, args...).CombinedOutput()
	if p.within.Err() != nil {
		p.Fatalf("%s %v: %v\n%s", name, args, programtest.Why(p.within, err), out)
	}
	return string(out), err
}

// run runs a program, which has to work.
func (p *ownProject) run(name string, args ...string) string {
	p.Helper()
	out, err := p.try(name, args...)
	if err != nil {
		p.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

// serving is a program that serves.
type serving struct {
	*ownProject
	url    string
	cmd    *exec.Cmd
	stdout *bufio.Reader
	log    chan string // its lines
	header http.Header // of each request
	heard  []*websocket.Conn
}

// serve starts the program, and what it starts, in a process group of its own.
func (p *ownProject) serve(name string, args ...string) *serving {
	p.Helper()
	s := &serving{ownProject: p, cmd: p.command(name, args...), log: make(chan string, 1000), header: http.Header{}}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	lines, w := io.Pipe()
	s.cmd.Stderr = io.MultiWriter(p.Output(), w)
	go func() {
		for scan := bufio.NewScanner(lines); scan.Scan(); {
			select {
			case s.log <- scan.Text():
			default: // a line that is not waited for
			}
		}
	}()
	if err := s.cmd.Start(); err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		if s.cmd.ProcessState == nil { // it was not ended
			_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
			_ = s.cmd.Wait()
		}
		_ = w.Close()
	})
	s.stdout = bufio.NewReader(out)
	var before strings.Builder
	for {
		line, err := s.stdout.ReadString('\n')
		if _, scanErr := fmt.Sscanf(line, "notes listens on %s\n", &s.url); scanErr == nil {
			return s
		}
		if before.WriteString(line); err != nil {
			p.Fatalf("%s %v: it does not listen: %v: %s", name, args, programtest.Why(p.within, err), before.String())
		}
	}
}

// said waits until the log has the text.
func (s *serving) said(text string) {
	s.Helper()
	for {
		select {
		case line := <-s.log:
			if strings.Contains(line, text) {
				return
			}
		case <-s.Context().Done():
			s.Fatalf("the log has no %q: %v", text, context.Cause(s.within))
		}
	}
}

// asked is a request and what its answer has.
type asked struct{ path, body, want string }

func (s *serving) asks(all []asked) *serving {
	s.Helper()
	for _, a := range all {
		if code, said := s.ask(a.path, a.body); !strings.Contains(said, a.want) {
			s.Errorf("POST %s %s: %d %s, want %s", a.path, a.body, code, said, a.want)
		}
	}
	return s
}

// ask sends a request, a GET without a body.
func (s *serving) ask(path, body string) (code int, said string) {
	s.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	return s.send(method, path, body)
}

// send sends a request.
func (s *serving) send(method, path, body string) (code int, said string) {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	r.Header = s.header.Clone()
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		s.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

var tokenOf = regexp.MustCompile(`"token":"([^"]+)"`)

// enters signs a user up or in: the requests from then on are theirs.
func (s *serving) enters(path, body string) {
	s.Helper()
	s.header = http.Header{}
	code, said := s.ask(path, body)
	token := tokenOf.FindStringSubmatch(said)
	if token == nil {
		s.Fatalf("POST %s: %d %s, and no token", path, code, said)
	}
	s.header.Set("Authorization", "Bearer "+token[1])
}

func (s *serving) signsUp(name string) {
	s.Helper()
	email := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.com"
	s.enters("/api/v1/auth/register", fmt.Sprintf(`{"name":%q,"email":%q,"password":"correct horse 1"}`, name, email))
}

// hasAccounts signs users up: notes are theirs, an admin and an API key see all.
func (s *serving) hasAccounts() {
	s.Helper()
	s.answers("/api/v1/notes", 401, "AUTH_REQUIRED")
	s.signsUp("Ada Lovelace")
	s.asks([]asked{
		{"/api/v1/notes", `{"title":"Engines","text":"They weave."}`, `"user_id":2`},
		{"/api/v2/notes", `{"title":"Two","text":"x"}`, `"createdAt"`},
		{"/api/v1/notes", `{"title":"Not hers","text":"x","user_id":1}`, `FORBIDDEN`},
		{"/graphql", `{"query":"{ me { email } sessions { current } notesConnection { totalCount } }"}`, `{"me":{"email":"ada.lovelace@example.com"},"sessions":[{"current":true}],"notesConnection":{"totalCount":2}}`},
		{"/api/v2/auth/login", `{"email":"ada.lovelace@example.com","password":"correct cow 1"}`, `"status":"fail"`},
		{"/api/v1/auth/login", `{"email":"ada.lovelace@example.com","pasword":"x"}`, `is unknown; allowed: email, password, totpToken`},
		{"/api/v1/auth/forgot-password", `{"email":"ada.lovelace@example.com"}`, `a message is on its way`},
	})
	s.answers("/api/v1/auth/me?fields=name", 200, `{"name":"Ada Lovelace"}`)
	s.answers("/api/v1/api-keys", 403, "FORBIDDEN")
	s.signsUp("Grace Hopper")
	s.answers("/api/v1/notes/1", 404, "RESOURCE_NOT_FOUND")
	s.answers("/api/v1/notes", 200, `"total":0`)
	s.hidesUsers()

	s.entersAsAdmin()
	s.answers("/api/v1/users?email=ada.lovelace@example.com", 200, `"email":"ada.lovelace@example.com"`)
	s.answers("/api/v1/notes", 200, `"total":2`)
	program := filepath.Join(s.dir, "bin", "notes")
	if said := s.run(program, "user", "list"); !strings.Contains(said, "grace.hopper@example.com") {
		s.Errorf("user list: %s", said)
	}
	s.header = http.Header{"X-Api-Key": {strings.TrimSpace(s.run(program, "apikey", "create", "warehouse"))}}
	s.answers("/api/v1/notes", 200, `"total":2`)
	s.asks([]asked{{"/api/v1/notes", `{"title":"x","text":"x"}`, "FORBIDDEN"}})
	s.header = http.Header{}
}

// hidesUsers: Grace reads all of her own row, and of Ada an id and a name, which is all
// that she finds her by.
func (s *serving) hidesUsers() {
	s.Helper()
	const ada = `{"id":2,"name":"Ada Lovelace"`
	s.answers("/api/v1/users/2", 200, `"data":`+ada+`,"actions":[],"viewer_can_update":false,"viewer_can_delete":false}}`)
	s.answers("/api/v1/users/3", 200, `"email":"grace.hopper@example.com","role":"user","is_active":true`)
	s.answers("/api/v1/users/2?fields=name,email", 200, `"data":{"name":"Ada Lovelace"}}`)
	s.answers("/api/v1/users?search=ada", 200, ada)
	s.answers("/api/v1/search?q=lovelace", 200, `"id":2`)
	for _, path := range []string{"/api/v1/users", "/api/v2/users", "/api/v1/users?sort=name&fields=email,role", "/api/v1/notes?expand=user", "/api/v1/search?q=ada.lovelace@example.com"} {
		if code, said := s.ask(path, ""); code != 200 || strings.Contains(said, "ada.lovelace") && !strings.Contains(path, "?q=") || strings.Contains(said, "admin@") || strings.Contains(path, "?q=") && strings.Contains(said, `"id":`) {
			s.Errorf("GET %s: %d %s", path, code, said)
		}
	}
	for _, query := range []string{"email=ada.lovelace@example.com", "role=admin", "is_active=true", "sort=email", "from=2020-01-01", "created_at[gt]=2020-01-01"} {
		s.answers("/api/v1/users?"+query, 400, "VALIDATION_ERROR")
	}
	s.answers("/api/v1/users?search=ada.lovelace@", 200, `"total":0`)
	s.answers("/api/v1/users?include_deleted=true", 403, "FORBIDDEN")
	s.asks([]asked{
		{"/graphql", `{"query":"{ usersConnection { nodes { name email } } }"}`, `[{"name":"Grace Hopper","email":"grace.hopper@example.com"},{"name":"Ada Lovelace","email":null},{"name":"Admin","email":null}]`},
		{"/graphql", `{"query":"{ user(id: 2) { isActive } }"}`, `"path":["user","isActive"],"locations":[{"line":1,"column":17}],"extensions":{"code":"FORBIDDEN"`},
		{"/graphql", `{"query":"{ usersConnection(where: {emailHasPrefix: \"ada\"}) { totalCount } }"}`, `{"usersConnection":null}`},
		{"/graphql", `{"query":"{ usersConnection(orderBy: {field: EMAIL, direction: ASC}) { totalCount } }"}`, `{"usersConnection":null}`},
		{"/graphql", `{"query":"mutation { updateUser(id: 3, input: {name: \"Grace H\", role: user}) { name email } }"}`, `{"name":"Grace H","email":"grace.hopper@example.com"}`},
		{"/graphql", `{"query":"mutation { updateUser(id: 3, input: {name: \"Grace Hopper\"}) { version } }"}`, `"version":3`},
		{"/graphql", `{"query":"mutation { updateUser(id: 2, input: {isActive: true}) { id } }"}`, `"FORBIDDEN"`},
	})
}

// entersAsAdmin signs the first admin in.
func (s *serving) entersAsAdmin() {
	s.Helper()
	password, err := os.ReadFile(filepath.Join(s.data, "admin-password"))
	if err != nil {
		s.Fatal(err)
	}
	s.enters("/api/v1/auth/login", fmt.Sprintf(`{"email":"admin@example.com","password":%q}`, strings.TrimSpace(string(password))))
}

var resultOf = regexp.MustCompile(`"result_url":"([^"]+)"`)

// refusesStale changes a zine as it was before an action and a job, which write by
// Ent's client, have changed it.
func (s *serving) refusesStale() {
	s.Helper()
	s.answers("/api/v1/zines/1", 200, `"version":3`)
	anyone := s.header
	s.header = http.Header{"If-Match": {`"2.x"`}}
	for method, body := range map[string]string{"PATCH": `{"title":"Mine"}`, "PUT": `{"title":"Mine"}`, "DELETE": ""} {
		if code, said := s.send(method, "/api/v1/zines/1", body); code != 412 {
			s.Errorf("%s for an old version: %d %s", method, code, said)
		}
	}
	s.header = anyone
	s.asks([]asked{
		{"/graphql", `{"query":"mutation { updateZine(id: 1, expectedVersion: 2, input: {title: \"Mine\"}) { id } }"}`, "PRECONDITION_FAILED"},
		{"/graphql", `{"query":"mutation { deleteZine(id: 1, expectedVersion: 2) }"}`, "PRECONDITION_FAILED"},
	})
}

// searches finds zines by their words, and downloads what the job has made of one.
func (s *serving) searches() {
	s.Helper()
	s.answers("/api/v1/search?q=engin&type=zines", 200, `"data":[{"type":"zines","id":1,"title":"Engines","snippet":"<mark>Engines</mark>",`)
	s.answers("/api/v2/search?q=engin", 200, `"counts":{"zines":1}`)
	s.answers("/api/v1/search?q=engin&type=notes", 400, "zines")
	s.answers("/api/v1/search", 400, `"field":"q"`)
	s.answers("/api/v1/jobs/1/result", 401, "AUTH_REQUIRED")
	s.entersAsAdmin()
	_, said := s.ask("/api/v1/jobs?kind=catalogue&sort=id&limit=1", "")
	result := resultOf.FindStringSubmatch(said)
	if result == nil {
		s.Fatalf("the job has no result: %s", said)
	}
	s.answers(result[1], 200, "zine 1\n")
	s.answers("/api/v1/openapi", 200, `"zine 1"`)
	s.header = http.Header{}
}

// answers asks for a path.
func (s *serving) answers(path string, code int, want string) {
	s.Helper()
	if got, said := s.ask(path, ""); got != code || !strings.Contains(said, want) {
		s.Errorf("GET %s: %d %s, want %d and %s", path, got, said, code, want)
	}
}

// hears subscribes, and returns what returns the next message once it is there.
func (s *serving) hears(subscription string) (next func() string) {
	s.Helper()
	ws, _, err := websocket.Dial(s.Context(), strings.Replace(s.url, "http", "ws", 1)+"/graphql", &websocket.DialOptions{HTTPHeader: s.header, Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		s.Fatal(err)
	}
	s.heard = append(s.heard, ws)
	next = func() string {
		s.Helper()
		_, text, err := ws.Read(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		return string(text)
	}
	for _, text := range []string{
		`{"type":"connection_init"}`, `{"id":"1","type":"subscribe","payload":{"query":` + strconv.Quote("subscription { "+subscription+" }") + `}}`, `{"type":"ping"}`,
	} {
		if err := ws.Write(s.Context(), websocket.MessageText, []byte(text)); err != nil {
			s.Fatal(err)
		}
	}
	for _, want := range []string{"connection_ack", "pong"} {
		if got := next(); !strings.Contains(got, want) {
			s.Fatalf("heard %s, want %s", got, want)
		}
	}
	return next
}

// end sends the signal to the program and to what it has started, as a terminal
// does, and waits until it has ended.
func (s *serving) end(signal syscall.Signal) {
	s.Helper()
	s.sends(signal)
	_, _ = io.Copy(io.Discard, s.stdout)
	s.waits(signal)
}

func (s *serving) sends(signal syscall.Signal) {
	s.Helper()
	for _, ws := range s.heard { // or they are waited for
		_ = ws.CloseNow()
	}
	if err := syscall.Kill(-s.cmd.Process.Pid, signal); err != nil {
		s.Fatal(err)
	}
}

func (s *serving) waits(signal syscall.Signal) {
	s.Helper()
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || signal == syscall.SIGTERM) && !errors.Is(s.Context().Err(), context.Canceled) {
		s.Errorf("it ended with %v", err)
	}
}
