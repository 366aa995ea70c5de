package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// replaced replaces texts of a file, each of which has to be there.
func replaced(t *testing.T, file string, pairs ...string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			t.Fatalf("%s has no %q", file, pairs[i])
		}
		text = []byte(strings.ReplaceAll(string(text), pairs[i], pairs[i+1]))
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every kind of change that is called safe is made at once, below programs of both
// versions that read and write: no request fails and no value is lost. Then
// everything is called otherwise: what a client of the first program asks for
// works with the last one, and is counted.
func TestProgramsOfTwoVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a service three times")
	}
	t.Parallel()
	p := newNotes(t)
	dir := p.dir
	note, label := filepath.Join(dir, "schema", "note.go"), filepath.Join(dir, "schema", "label.go")
	written(t, dir, "kit", "note", "user", "label")
	program := func(name string) string {
		p.run("make", "generate", "migration", "NAME="+name)
		p.run("go", "build", "-o", filepath.Join("bin", name), "./cmd/notes")
		return filepath.Join(dir, "bin", name)
	}
	before, promised := program("first"), readContract(t, dir)
	earlier := t.TempDir()
	if err := os.CopyFS(earlier, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	changeSafely(t, dir)
	beside := program("second")
	try := tried{dir: dir, safe: t.TempDir(), first: before, second: beside}
	if err := os.CopyFS(filepath.Join(try.safe, "migrate"), os.DirFS(filepath.Join(dir, "migrate"))); err != nil {
		t.Fatal(err)
	}
	callsSafe(t, promised, readContract(t, dir))
	replaced(t, note, `.StorageKey("title")`, ``,
		`Values("draft", "kept")`, `Values("draft", "stored")`,
		`Comment("What becomes of it.").
			Annotations(`, `Comment("What becomes of it.").
			Annotations(expose.ValueWas("stored", "kept"), `,
		`edge.To("labels", Label.Type)`, `edge.To("tags", Tag.Type)`, `expose.Nested(expose.List)`, `expose.Nested(expose.List), expose.Was("labels")`)
	replaced(t, label, "Label", "Tag", `Ref("labels")`, `Ref("tags")`, `Path: "labels", Operations: expose.CRUD()}`, `Path: "tags", Operations: expose.CRUD()}, expose.Was("Label")`)
	after := program("third")
	promises(t, dir, "third")
	tagged(t, dir, earlier, "first")
	t.Run("tried", func(t *testing.T) {
		t.Run("sqlite", func(t *testing.T) { try.on(t, storetest.Schema{}.SQLiteURL(t)) })
		t.Run("postgres", func(t *testing.T) {
			database := storetest.Schema{}.PostgresURL(t)
			try.on(t, database)
			try.beside(t, database)
		})
	})
	// The next release takes the name before of a field away, and has another for one
	// in versions that write names as REST does.
	replaced(t, note, `, expose.Was("title").Until("2026-01-01", "2999-01-01")`, ``, `Comment("How important it is.").
			Annotations(`, `Comment("How important it is.").
			Annotations(expose.Named("importance"), `)
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			database := url(t)
			kept := map[string]string{}
			c := &client{T: t, kept: kept, program: "before", environment: environment(t, database)}
			end := c.serve(before)
			c.ask(inOldNames())
			c.beside(beside)
			end()
			c.program = "after"
			end = c.serve(after)
			c.ask(inOldNames())
			c.newNames()
			end()
			c.counted(after)
			said, code := call(t, "check", "--against", "third", "--usage", database, "--versions", "old=main,new=jsend", "--root", dir)
			if line := findingOf(said, "Note.headline:"); code != 1 || !strings.Contains(line, "(old-client), ") || !strings.Contains(line, "Breaks: REST") {
				t.Errorf("check: exit code %d, of what its clients used: %s", code, said)
			}
			if line := findingOf(said, "Note.rank:"); !strings.Contains(line, "Breaks: REST old used:") {
				t.Errorf("check: of what one version calls otherwise: %s", said)
			}
		})
	}
}

// promises commits the project, and tags it as a release.
func promises(t *testing.T, dir, tag string) {
	t.Helper()
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "--message", tag}, {"tag", tag}} {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// findingOf is the finding of a report about a change, in one line.
func findingOf(report, what string) string {
	_, rest, _ := strings.Cut(report, what)
	if next := regexp.MustCompile(`\n\S`).FindStringIndex(rest); next != nil {
		rest = rest[:next[0]]
	}
	return strings.Join(strings.Fields(rest), " ")
}

// client is one of the program before.
type client struct {
	*testing.T
	url, program string
	environment  []string
	// kept are values of earlier answers: the ids of the rows that it made, and cursors.
	kept map[string]string
}

// request is a request of the client, with the parts of the answer that are compared.
type request struct {
	method, path, body string
	wants              []string
	// keep names what it keeps of the answer, by a pattern.
	keep map[string]string
	// warned is set where the program after says that the names end.
	warned bool
}

// inOldNames are the requests of a client of the program before, by the names of that time.
// Braces hold the name of a kept value, and the program whose answer had it.
func inOldNames() []request {
	const page = `{"query":"{ notesConnection(first: 1, after: AFTER, orderBy: [{field: TITLE, direction: DESC}], where: {titleHasPrefix: \"{program} \", hasLabels: true, state: kept}) { totalCount edges { cursor node { title } } } }"}`
	id := map[string]string{"label": `"id":(\d+)`}
	return []request{
		{method: "POST", path: "/api/v1/labels", body: `{"name":"red"}`, wants: []string{`"name":"red"`}, keep: id, warned: true},
		{method: "POST", path: "/api/v1/notes", body: `{"title":"{program} one","text":"a","state":"kept","label_ids":[{label}]}`, wants: []string{`"title":"{program} one"`}, keep: map[string]string{"one": `"id":(\d+)`}, warned: true},
		{method: "POST", path: "/api/v1/notes", body: `{"title":"{program} two","text":"b","state":"kept","label_ids":[{label}]}`, wants: []string{`"title":"{program} two"`}, keep: map[string]string{"two": `"id":(\d+)`}, warned: true},
		{method: "POST", path: "/api/v1/notes", body: `{"text":"b"}`, wants: []string{`400`, `is required`}},
		{method: "GET", path: "/api/v1/notes/{one}", wants: []string{`"title":"{program} one"`}},
		{method: "PATCH", path: "/api/v1/notes/{one}", body: `{"pin":"0451"}`, wants: []string{"200"}},
		{method: "GET", path: "/api/v1/notes/{one}?fields=pin", wants: []string{"400", `has no field \"pin\"`}},
		{method: "GET", path: "/api/v2/notes/{one}", wants: []string{`"title":"{program} one"`}},
		{method: "GET", path: "/api/v1/notes/{one}?fields=title", wants: []string{`{"title":"{program} one"}`}, warned: true},
		{method: "GET", path: "/api/v1/notes/{one}?fields=id&expand=labels", wants: []string{`"labels":[{`, `"name":"red"`}, warned: true},
		{method: "PATCH", path: "/api/v1/notes/{one}", body: `{"title":"{program} 1"}`, wants: []string{`"title":"{program} 1"`}, warned: true},
		{method: "PUT", path: "/api/v1/notes/{one}", body: `{"title":"{program} one","text":"c","state":"kept","label_ids":[{label}]}`, wants: []string{`"title":"{program} one"`, `"text":"c"`}, warned: true},
		{method: "GET", path: "/api/v1/notes?title={program}+one&fields=title", wants: []string{`[{"title":"{program} one"}]`}, warned: true},
		{method: "GET", path: "/api/v2/notes?title[in]={program}+one&fields=title", wants: []string{`[{"title":"{program} one"}]`}, warned: true},
		{method: "GET", path: "/api/v1/notes?state=kept&title[gte]={program}+one&labels={label}&sort=-title&fields=title", wants: []string{`[{"title":"{program} two"},{"title":"{program} one"}]`}, warned: true},
		{method: "GET", path: "/api/v1/notes?state=kept&title[gte]={program}&labels={label}&sort=-title&fields=title&limit=1&cursor=", wants: []string{`[{"title":"{program} two"}]`}, keep: map[string]string{"rest": `"next_cursor":"([^"]+)"`}, warned: true},
		{method: "GET", path: "/api/v1/notes?state=kept&title[gte]={program of rest}&labels={label of rest}&sort=-title&fields=title&limit=1&cursor={rest of rest}", wants: []string{`200 {"status":"success","data":[{"title":"{program of rest} `}, warned: true},
		{method: "GET", path: "/api/v1/notes/{one}/labels?fields=name", wants: []string{`[{"name":"red"}]`}, warned: true},
		{method: "GET", path: "/api/v1/labels/{label}", wants: []string{`"name":"red"`}, warned: true},
		{method: "POST", path: "/graphql", body: `{"query":"mutation Make($input: CreateLabelInput!) { createLabel(input: $input) { ...L } } fragment L on Label { name }","variables":{"input":{"name":"blue"}}}`, wants: []string{`{"createLabel":{"name":"blue"}}`}},
		{method: "POST", path: "/graphql", body: `{"query":"mutation { createNote(input: {title: \"{program} three\", text: \"d\", state: kept, labelIDs: [\"{label}\"]}) { title labels { name } } }"}`, wants: []string{`{"title":"{program} three","labels":[{"name":"red"}]}`}},
		{method: "POST", path: "/graphql", body: `{"query":"mutation M($id: ID!, $input: UpdateNoteInput!) { updateNote(id: $id, input: $input) { it: title } }","variables":{"id":"{two}","input":{"title":"{program} 2","state":"kept"}}}`, wants: []string{`{"it":"{program} 2"}`}},
		{method: "POST", path: "/graphql", body: `{"query":"mutation { createNote(input: {text: \"d\"}) { title } }"}`, wants: []string{`"errors"`}},
		{method: "POST", path: "/graphql", body: strings.Replace(page, "AFTER", "null", 1), wants: []string{`"title":"{program} three"`, `"totalCount":3`}, keep: map[string]string{"graphql": `"cursor":"([^"]+)"`}},
		{method: "POST", path: "/graphql", body: strings.NewReplacer("AFTER", `\"{graphql of graphql}\"`, "{program}", "{program of graphql}").Replace(page), wants: []string{`"title":"{program of graphql} one"`}},
		{method: "POST", path: "/graphql", body: `{"query":"query Q($where: NoteWhereInput, $order: [NoteOrder!]) { notesConnection(where: $where, orderBy: $order) { nodes { title labelsConnection { nodes { name } } } } }","variables":{"where":{"or":[{"title":"{program} one"},{"title":"{program} 2","stateIn":["kept"]}],"hasLabelsWith":[{"name":"red"}]},"order":[{"field":"TITLE"}]}}`, wants: []string{`"nodes":[{"title":"{program} 2",`, `{"title":"{program} one"`, `"labelsConnection":{"nodes":[{"name":"red"}]}`}},
		{method: "POST", path: "/graphql", body: `{"query":"{ labelsConnection(where: {name: \"red\"}, first: 1) { nodes { name } } label(id: \"{label}\") { name } }"}`, wants: []string{`{"nodes":[{"name":"red"}]}`, `"label":{"name":"red"}`}},
	}
}

// serve starts a program, which migrates, and returns what ends it.
func (c *client) serve(program string) (end func()) {
	c.Helper()
	serve := programtest.Command(programtest.Within(c.T, programtest.Usual), program, "serve")
	serve.Dir, serve.Stderr, serve.Env = c.TempDir(), c.Output(), c.environment
	out, err := serve.StdoutPipe()
	if err != nil {
		c.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = serve.Process.Kill() })
	lines := bufio.NewReader(out)
	first, _ := lines.ReadString('\n')
	if _, err := fmt.Sscanf(first, "notes listens on %s\n", &c.url); err != nil {
		c.Fatalf("it says %q: %v", first, err)
	}
	return func() {
		if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
			c.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, lines)
		if err := serve.Wait(); err != nil {
			c.Errorf("it ended with %v", err)
		}
	}
}

// environment has the processes that share a database share a Redis, which those of
// SQLite need.
func environment(t *testing.T, database string) []string {
	return append(slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "ENTWINE_") }),
		"ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_DATABASE_URL="+database, "ENTWINE_RATE_LIMIT=off", "ENTWINE_REDIS_URL="+storetest.Redis(t).URL)
}

var braces = regexp.MustCompile(`\{([a-z]+)( of [a-z]+)?\}`)

// filled puts in what was kept: what is "of" something is of the program of which
// that was kept first.
func (c *client) filled(text string) string {
	return braces.ReplaceAllStringFunc(text, func(found string) string {
		part := braces.FindStringSubmatch(found)
		program := c.program
		if part[2] != "" {
			program = "before"
		}
		if part[1] == "program" {
			return program
		}
		if value, ok := c.kept[program+" "+part[1]]; ok {
			return value
		}
		return found
	})
}

func (c *client) ask(all []request) {
	c.Helper()
	for _, r := range all {
		path, body := strings.ReplaceAll(c.filled(r.path), " ", "+"), c.filled(r.body)
		answer, said := c.send(r.method, path, body)
		for _, want := range r.wants {
			if want = c.filled(want); !strings.Contains(said, want) {
				c.Errorf("%s: %s %s %s: %s, want %s", c.program, r.method, path, body, said, want)
			}
		}
		if strings.Contains(said, "0451") {
			c.Errorf("%s: %s %s %s: a secret is shown: %s", c.program, r.method, path, body, said)
		}
		for name, pattern := range r.keep {
			if found := regexp.MustCompile(pattern).FindStringSubmatch(said); found != nil {
				c.kept[c.program+" "+name] = found[1]
			}
		}
		if warned := answer.Header.Get("Deprecation") == "true"; warned != (r.warned && c.program != "before") {
			c.Errorf("%s: %s %s %s: Deprecation is %q", c.program, r.method, path, body, answer.Header.Get("Deprecation"))
		}
	}
}

func (c *client) send(method, path, body string) (*http.Response, string) {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("User-Agent", "old-client/1.0")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		c.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer, fmt.Sprint(answer.StatusCode, " ", string(said))
}

// newNames asks in the words of now, and in both.
func (c *client) newNames() {
	c.Helper()
	c.program = "now"
	c.ask([]request{
		{method: "GET", path: "/api/v1/notes?headline=after+one&state=stored&fields=headline,title,state", wants: []string{`[{"headline":"after one","title":"after one","state":"stored"}]`}, warned: true},
		{method: "POST", path: "/api/v1/notes", body: `{"headline":"x","title":"x","text":"y"}`, wants: []string{"201"}, warned: true},
		{method: "POST", path: "/api/v1/notes", body: `{"headline":"x","title":"z","text":"y"}`, wants: []string{"400", "cannot be combined with"}, warned: true},
		{method: "POST", path: "/graphql", body: `{"query":"mutation { createNote(input: {headline: \"x\", title: \"z\", text: \"d\"}) { title } }"}`, wants: []string{"one of them is allowed"}},
		{method: "POST", path: "/graphql", body: `{"query":"mutation M($input: CreateNoteInput!) { createNote(input: $input) { title } }","variables":{"input":{"headline":"x","title":"z","text":"d"}}}`, wants: []string{"one of them is allowed"}},
		{method: "POST", path: "/graphql", body: `{"query":"{ __type(name: \"Note\") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }"}`, wants: []string{`{"name":"title","isDeprecated":true,"deprecationReason":"Deprecated since 2026-01-01, gone on 2999-01-01: use headline."}`}},
	})
}

// counted looks for what the client used.
func (c *client) counted(program string) {
	c.Helper()
	cmd := programtest.Command(c.Context(), program, "usage", "--json")
	cmd.Dir, cmd.Stderr, cmd.Env = c.TempDir(), c.Output(), c.environment
	out, err := cmd.Output()
	if err != nil {
		c.Fatal(err)
	}
	var uses []struct{ Kind, Name, Agent string }
	if err := json.Unmarshal(out, &uses); err != nil {
		c.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"field Note.title", "field Note.state=kept", "field NoteOrderField.TITLE", "field CreateNoteInput.title", "operation GET /labels/{id}", "operation Mutation.createLabel", "field Note.labels"} {
		kind, name, _ := strings.Cut(want, " ")
		if !slices.ContainsFunc(uses, func(u struct{ Kind, Name, Agent string }) bool {
			return u.Kind == kind && u.Name == name && u.Agent == "old-client"
		}) {
			c.Errorf("%s is not among the uses: %s", want, out)
		}
	}
}
