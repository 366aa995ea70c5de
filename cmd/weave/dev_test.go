package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A developer changes a schema in every way that the loop has an answer to,
// while a client asks all the time and is never refused; then goes to another branch and
// back.
func TestTheLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a service a dozen times")
	}
	t.Parallel()
	p := newNotes(t)
	p.env = loopEnv()
	l := p.develops("make", "dev")
	l.settles("ready in", "listens")
	p.run("git", "init", "--quiet")
	p.commits("begin")
	l.signsUp("Ada Lovelace")
	l.asks([]asked{{"/api/v1/notes", `{"title":"Engines","text":"They weave."}`, `"done":false`}})
	left := l.visited()

	// No migration is written yet: commands of operators work all the same.
	if token := p.run("data/dev/notes", "token", "ada.lovelace@example.com"); strings.Count(token, ".") != 2 {
		t.Errorf("token prints %s", token)
	}
	p.run("data/dev/notes", "jobs", "list")

	heard := l.hears("noteWritten { title }")
	l.asks([]asked{{"/api/v1/notes", `{"title":"Numbers","text":"Bernoulli's."}`, `"done":false`}})
	if got := heard(); !strings.Contains(got, "Numbers") {
		t.Errorf("the subscription heard %s", got)
	}
	ended := make(chan error, 1)
	go func() { // reading answers pings, too
		_, _, err := l.heard[0].Read(l.Context())
		ended <- err
	}()
	const field = `		field.Bool("pinned").Default(false).Comment("Whether it stays on top."),`
	l.edit("schema/note.go", "\t\tfield.Bool\\(\"done\"\\)", field+"\n$0")
	l.settles("ready in", "Note.pinned: a new field, false by default")
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "Service restart") {
		t.Errorf("the subscription is told %v, want that the service restarts", err)
	}
	l.asks([]asked{
		{"/api/v1/notes", `{"title":"Two","text":"x","pinned":true}`, `"pinned":true`},
		{"/graphql", `{"query":"{ notesConnection { edges { node { title pinned } } } }"}`, `{"title":"Engines","pinned":false}`},
	})

	// A step that waits for what its program lacks: the program from before has its commands.
	note := l.read("schema/note.go")
	l.write("schema/note.go", strings.NewReplacer(`On: "insert", `, `On: "insert", Job: "note_written", `,
		`return []ent.Edge{`, `return []ent.Edge{edge.To("sequels", Note.Type).Comment("What follows it.").From("prequels").Comment("What it follows."), `).Replace(note))
	l.settles("Waiting for the next save", "note_written")
	if got := l.status(); !strings.Contains(got.Text, `enqueues jobs of the kind "note_written", which no handler`) {
		t.Errorf("pages are told %+v, want what is missing", got)
	}
	if out, err := p.try("go", "run", "./cmd/notes", "jobs", "list"); err == nil || !strings.Contains(out, "run data/dev/notes, the program that weave dev has built for it") {
		t.Errorf("jobs list of a program that is ahead of the database: %v, %s", err, out)
	}
	p.run("data/dev/notes", "jobs", "list")
	p.run("data/dev/notes", "token", "ada.lovelace@example.com")
	// The handler alone is what was missing.
	program := l.read("cmd/notes/main.go")
	l.write("cmd/notes/written.go", noteWritten)
	l.edit("cmd/notes/main.go", `Generated: service`, `Open: written, $0`)
	l.settles("ready in", "")
	l.asks([]asked{{"/api/v1/notes", `{"title":"Three","text":"x","pinned":true}`, `"title":"Three"`}})
	l.write("cmd/notes/main.go", program)
	l.write("cmd/notes/written.go", "package main\n")
	l.write("schema/note.go", note)
	l.settles("ready in", "")

	// Mistakes of three kinds, and each mended.
	still := []asked{{"/graphql", `{"query":"{ notesConnection(first: 1) { edges { node { pinned } } } }"}`, `{"pinned":true}`}}
	for _, mistake := range []struct{ file, from, to, want string }{
		{"schema/note.go", `"Whether it stays on top."\)`, `"Whether it stays on top.").Annotations(expose.Since("nothing"))`, "schema/note.go:"},
		{"schema/note.go", `Default\(false\).Comment\("Whether it stays`, `Default(nothing).Comment("Whether it stays`, "undefined: nothing"},
		{"schema/note.go", `(?m)^.*field.Bool\("done"\)`, "\t\tfield.String(\"color\").Comment(\"Its color.\"),\n$0", `expose.Backfill("…")`},
		{"cmd/notes/main.go", `&app.Service\{`, `&app.Nothing{`, "undefined: app.Nothing"},
	} {
		was := l.read(mistake.file)
		l.edit(mistake.file, mistake.from, mistake.to)
		l.settles("Waiting for the next save", mistake.want)
		if got := l.status(); got.State != "failed" || !strings.Contains(got.Text, mistake.want) {
			t.Errorf("pages are told %+v, want %q", got, mistake.want)
		}
		l.asks(still)
		l.write(mistake.file, was)
	}
	l.settles("ready in", "nothing changed")
	if got := l.status(); got.State != "ready" {
		t.Errorf("pages are told %+v once all is mended", got)
	}
	if page := l.page("/"); !strings.Contains(page, `<script src="/-/development.js">`) {
		t.Errorf("the page does not ask how it goes:\n%s", page)
	}

	// Names and columns that come and go.
	l.edit("schema/note.go", `field.Bool\("pinned"\)(.*)\),`, `field.Bool("on_top")$1).Annotations(expose.Was("pinned")),`)
	l.settles("ready in", "")
	l.asks([]asked{{"/graphql", `{"query":"{ notesConnection { edges { node { title onTop } } } }"}`, `{"title":"Two","onTop":true}`}})
	with := l.read("schema/note.go")
	l.edit("schema/note.go", `(?m)^.*field.Bool\("on_top"\).*\n`, "")
	l.settles("ready in", "notes.on_top: the values are kept in")
	l.asks([]asked{{"/graphql", `{"query":"{ notesConnection { edges { node { onTop } } } }"}`, `Cannot query field`}})
	l.write("schema/note.go", with)
	l.settles("ready in", "notes.on_top is there again: the values of 4 rows are put back")
	l.asks([]asked{{"/graphql", `{"query":"{ notesConnection { edges { node { title onTop } } } }"}`, `{"title":"Two","onTop":true}`}})

	// One at a time, and back.
	for _, args := range []string{"dev", "migrate down"} {
		if out, err := p.try(weave, strings.Fields(args)...); err == nil || !strings.Contains(out, "another process serves") {
			t.Errorf("weave %s beside it: %v, %s", args, err, out)
		}
	}
	left()
	session := l.header
	l.end(syscall.SIGINT)
	if out := p.run(weave, "migrate", "down"); !strings.Contains(out, "is as before the last step") {
		t.Errorf("weave migrate down: %s", out)
	}
	p.env = append(p.env, "GOFLAGS="+goEnv(t, "GOFLAGS")+" -mod=mod") // as make dev has it
	l = p.develops(weave, "dev")
	l.settles("ready in", "")
	l.header = session
	left = l.visited()
	p.run("make", "migration", "NAME=first")
	l.settles("ready in", "")
	l.asks([]asked{{"/graphql", `{"query":"{ notesConnection { edges { node { title onTop } } } }"}`, `{"title":"Two","onTop":true}`}})
	left()
	l.followsBranches()
	if err := l.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range l.lines { // until the program has seen that, and ended
	}
	_ = l.cmd.Wait()
	if out := p.run("data/dev/notes", "migrate", "status"); !strings.Contains(out, "applied ") || strings.Contains(out, "pending") {
		t.Errorf("the database has had what was named: %s", out)
	}
	if out, err := p.try(weave, "migrate", "down"); err == nil || !strings.Contains(out, "migrations go forward only") {
		t.Errorf("weave migrate down of what has a name: %v, %s", err, out)
	}
	for setting, want := range map[string]string{"ENTWINE_ENV=production": "is production", "ENTWINE_DATABASE_URL=postgres://localhost/none": "keeps its data in a SQLite file"} {
		other := &ownProject{T: t, within: p.within, dir: p.dir, env: []string{setting}}
		for _, args := range []string{"dev", "migrate down"} {
			if out, err := other.try(weave, strings.Fields(args)...); err == nil || !strings.Contains(out, want) {
				t.Errorf("%s weave %s: %v, %s", setting, args, err, out)
			}
		}
	}
}

// noteWritten is a handler of the topic on new notes.
const noteWritten = `package main

import (
	"context"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
)

type note struct {
	ID int64 ` + "`json:\"id\"`" + `
}

func (note) Kind() string { return "note_written" }

type reader struct{}

func (reader) Work(context.Context, *jobs.Job[note]) error { return nil }

func written(*app.Host) (*app.Parts, error) {
	return &app.Parts{Kinds: []jobs.Kind{jobs.Handle[note](reader{})}}, nil
}
`

// loopEnv are the settings of a project that weave dev serves.
func loopEnv() []string {
	return []string{"ENTWINE_LOG_LEVEL=warn", "ENTWINE_RATE_LIMIT=off", "ENTWINE_ACCESS_TOKEN_TIME=1h"}
}

// developed is a project that weave dev serves.
type developed struct {
	*serving
	lines chan string
	http  *http.Client
}

func (p *ownProject) develops(name string, args ...string) *developed {
	p.Helper()
	l := &developed{serving: p.serve(name, args...), lines: make(chan string), http: &http.Client{}}
	go func() {
		for scan := bufio.NewScanner(l.stdout); scan.Scan(); {
			l.lines <- scan.Text()
		}
		close(l.lines)
	}()
	return l
}

// end does as that of serving does: the lines are read elsewhere.
func (l *developed) end(signal syscall.Signal) {
	l.Helper()
	l.sends(signal)
	for range l.lines {
	}
	l.waits(signal)
}

// settles waits until a line has the mark, and wants the text in those up to it.
func (l *developed) settles(mark, want string) {
	l.Helper()
	var said strings.Builder
	said.WriteString("listens ")
	for line, more := "", true; !strings.Contains(line, mark); {
		select {
		case line, more = <-l.lines:
		case line = <-l.log:
		case <-l.Context().Done():
			more = false
		}
		if fmt.Fprintln(&said, line); !more {
			l.Fatalf("it does not come to %q: %v\n%s", mark, context.Cause(l.within), said.String())
		}
	}
	if l.Log(said.String()); !strings.Contains(said.String(), want) {
		l.Errorf("it says, and not %q:\n%s", want, said.String())
	}
}

// visited has a client ask until the returned function is called: each request
// has to be answered.
func (l *developed) visited() (leave func()) {
	ctx, cancel := context.WithCancel(l.Context())
	var asking sync.WaitGroup
	header := l.header
	asking.Go(func() {
		for tick := time.NewTicker(50 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			r, err := http.NewRequestWithContext(l.Context(), http.MethodGet, l.url+"/api/v1/notes/1", http.NoBody)
			if err != nil {
				l.Error(err)
				return
			}
			r.Header = header
			answer, err := l.http.Do(r)
			if err != nil {
				l.Errorf("a client was refused: %v", err)
				return
			}
			_, err = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK {
				l.Errorf("a client was answered %d, %v", answer.StatusCode, err)
				return
			}
		}
	})
	return func() {
		cancel()
		asking.Wait()
		l.http.CloseIdleConnections()
	}
}

func (l *developed) page(path string) string {
	l.Helper()
	r, err := http.NewRequestWithContext(l.Context(), http.MethodGet, l.url+path, http.NoBody)
	if err != nil {
		l.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	answer, err := l.http.Do(r)
	if err != nil {
		l.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		l.Fatal(err)
	}
	return string(text)
}

type told struct{ State, Text, After, At string }

// status is the answer to pages that ask for the state of the build.
func (l *developed) status() (s told) {
	l.Helper()
	for s.State == "" || s.State == "working" { // the terminal hears of it first
		if err := json.Unmarshal([]byte(l.page("/-/development?seen="+url.QueryEscape(s.At))), &s); err != nil {
			l.Fatal(err)
		}
	}
	return s
}

func (p *ownProject) read(name string) string {
	p.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

func (p *ownProject) write(name, text string) {
	p.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
}

// commits commits all of the project.
func (p *ownProject) commits(message string) {
	p.Helper()
	p.run("git", "add", "--all")
	p.run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", message)
}
