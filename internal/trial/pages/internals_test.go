package pages_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
)

// The tables of doc/internals name functions that exist, and have them in the order in which
// the stack of a statement does. Tables that follow one another do so in time: what is
// traced after a request is a statement that came after the one of the table before.
func TestInternalsSayWhatHappens(t *testing.T) { //nolint:tparallel // it has no subtests
	t.Parallel()
	s := newTraced(t)
	s.ask("POST", "/api/auth/register", `{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}`)
	const create, read, query = "`POST /api/v1/posts`", "`GET /api/v1/posts/1`", "`{ posts { title author { name } } }`"
	s.follow("write.md", create+", from", func() { s.ask("POST", "/api/v1/posts", `{"title":"A","content":"B","published":true}`) })
	s.follow("write.md", "`mutation { createPost(…) }`", func() {
		s.ask("POST", "/graphql", `{"query":"mutation { createPost(input: {title: \"A\", content: \"B\"}) { id } }"}`)
	})
	s.follow("rest-request.md", read, func() { s.ask("GET", "/api/v1/posts/1", "") })
	s.follow("graphql-operation.md", query, func() { s.ask("POST", "/graphql", `{"query":"{ posts { title author { name } } }"}`) })

	var live <-chan string
	s.follow("live-change.md", "The list of `postsLive` asks", func() {
		live = s.subscribe(`{"query":"subscription { postsLive(first: 5) { steps { kind node { title } } } }"}`)
		s.next(live)
	}, "The list of `postsLive` reads", "The follower of `postsLive`")
	s.follow("live-change.md", "The tailer reads the event `live.posts`", func() {
		s.ask("POST", "/api/v1/posts", `{"title":"C","content":"D","published":true}`)
		s.next(live)
	}, "A list of `postsLive` that was marked")

	created := s.subscribe(`{"query":"subscription { newPost { title } }"}`)
	s.follow("write.md", "The tailer of `subscription { newPost { title } }`", func() {
		s.ask("POST", "/api/v1/posts", `{"title":"E","content":"F","published":true}`)
		s.next(created)
	}, "The subscription of `newPost`")

	s.follow("write.md", "`POST /api/v1/auth/forgot-password`", func() {
		s.ask("POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`)
		s.work()
		s.until(`SET status = 'succeeded'`)
	}, "A worker claims the job", "The worker completes the job")
	s.follow("write.md", "the sweeper of `password_reset`", func() {
		if _, err := (&jobs.Sweeper{DB: s.host.DB, Bell: s.host.Jobs.Bell, Log: s.host.Log}).Pass(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// follow does something, and expects the table after each of the texts to have its functions
// in the order in which the stack of a statement has them, one statement after the other.
func (s *traced) follow(page, says string, do func(), then ...string) {
	s.t.Helper()
	began := len(s.since(0))
	do()
	for _, says := range append([]string{says}, then...) {
		rows := internals(s.t, page, says)
		if len(rows) == 0 {
			s.t.Errorf("%s has no table under %s", page, says)
			continue
		}
		best := rows
		for i, of := range s.since(began) {
			if missing := beyond(of.stack, rows); len(missing) < len(best) {
				if best = missing; len(best) == 0 {
					began += i + 1
					break
				}
			}
		}
		if len(best) > 0 {
			s.t.Errorf("%s, %s: %s in %s is not called by what stands above it", page, says, best[0].function, best[0].file)
		}
	}
}

// beyond are the rows from the first that the stack does not have after those before it.
func beyond(stack, rows []call) []call {
	for i, row := range rows {
		at := slices.IndexFunc(stack, func(c call) bool { return c.file == row.file && strings.Contains(c.function, "."+row.function) })
		if at < 0 {
			return rows[i:]
		}
		stack = stack[at+1:]
	}
	return nil
}

// Every table of doc/internals names functions that exist.
func TestInternalsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../../doc/internals/*.md")
	if err != nil || len(pages) < 6 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		for _, row := range internals(t, filepath.Base(page), "") {
			source, err := os.ReadFile(filepath.Join("../../..", row.file))
			if err != nil {
				t.Errorf("%s: %v", page, err)
			} else if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + regexp.QuoteMeta(row.function) + `[(\[]`).Match(source) {
				t.Errorf("%s: %s has no function %s", page, row.file, row.function)
			}
		}
	}
}

// doc/internals/generate.md has the calls of a generation in the order of the source.
func TestInternalsSayHowItIsGenerated(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../../../kit/codegen/codegen.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is && f.Name.Name == "run" {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				c, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				switch of := c.Fun.(type) {
				case *ast.Ident:
					calls = append(calls, of.Name)
				case *ast.SelectorExpr:
					calls = append(calls, of.Sel.Name)
				}
				return true
			})
		}
	}
	rows := internals(t, "generate.md", "These are the calls of `run`")
	for i, row := range rows {
		at := slices.Index(calls, row.function)
		if at < 0 {
			t.Fatalf("generate.md: run does not call %s after %v", row.function, rows[:i])
		}
		calls = calls[at+1:]
	}
	if len(rows) < 10 {
		t.Errorf("generate.md has %d calls", len(rows))
	}
}

// Where something is added stands in doc/internals/where-to-add.md: the lists have the files
// that have what was added before, and no others.
func TestWhereToAddListsTheFiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../doc/internals/where-to-add.md")
	if err != nil {
		t.Fatal(err)
	}
	all := sources(t)
	for _, c := range []struct {
		section string
		has     *regexp.Regexp
		tests   bool // belong to the list
	}{
		{"A kind of field", regexp.MustCompile(`\bentity\.Date\b|\bdate\.(Date|Parse)\b|^package date\b`), false},
		{"A dialect", regexp.MustCompile(`\bPerDialect(\[\w+\])?\(|\bPerDialect\[T any\]|\nfunc \((\w+ )?\*?sqlite\w*\) `), false},
		{"An operation of accounts", regexp.MustCompile(`[cC]hangePassword`), false},
		{"A command", regexp.MustCompile(`\bhealthCommand\(\)`), false},
		{"A kind of change", regexp.MustCompile("\\{16, |\\.add\\(16, |\\| 16 \\| `input-required`"), true},
		{"A page of the console", regexp.MustCompile(`"migrations"|/migrations"|function Migrations\b`), false},
	} {
		_, section, _ := strings.Cut(string(text), "\n## "+c.section+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		var listed []string
		for _, row := range regexp.MustCompile(`(?m)^\| \[([^\]]+)\]\(`).FindAllStringSubmatch(section, -1) {
			listed = append(listed, row[1])
		}
		for file, source := range all {
			has := (c.tests || !strings.HasSuffix(file, "_test.go")) && c.has.Match(source)
			if has != slices.Contains(listed, file) {
				t.Errorf("%s: %s has it: %t, is listed: %t", c.section, file, has, !has)
			}
		}
		if len(listed) < 2 {
			t.Errorf("%s lists %v", c.section, listed)
		}
	}
}

// sources are the texts of all hand-written files below kit/, and the page of changes.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	read := func(path string) error {
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(filepath.ToSlash(path), "../../../")] = text
		return err
	}
	err := filepath.WalkDir("../../../kit", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"testdata", "notes", "dist", "node_modules", "gen"}, d.Name()):
			return fs.SkipDir
		case slices.Contains([]string{".go", ".yaml", ".graphql", ".tsx"}, filepath.Ext(path)):
			return read(path)
		}
		return nil
	})
	if err = errors.Join(err, read("../../../doc/schema/changes.md")); err != nil {
		t.Fatal(err)
	}
	return all
}

// call is a row of a table of doc/internals, or a frame of a stack.
type call struct{ file, function string }

var internalsRow = regexp.MustCompile("(?m)^\\| \\[([^\\]]+)\\]\\([^)]*\\) \\| `([^`]+)` \\|")

// internals are the rows of the table that follows the text, or of all tables.
func internals(t *testing.T, page, after string) (rows []call) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../doc/internals", page))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), after)
	if !found {
		t.Fatalf("%s says nothing of %s", page, after)
	}
	if after != "" {
		_, rest, _ = strings.Cut(rest, "|---|---|---|\n")
		rest, _, _ = strings.Cut(rest, "\n\n")
	}
	for _, row := range internalsRow.FindAllStringSubmatch(rest, -1) {
		rows = append(rows, call{row[1], row[2]})
	}
	return rows
}
