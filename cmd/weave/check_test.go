package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

const noteSchema = `package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Note is a text.
type Note struct{ ent.Schema }

// Fields of the Note.
func (Note) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Annotations(expose.By(expose.Sort)),
		field.String("title").Comment("The title."),
		field.Bool("done").Default(false).Comment("Whether it is done."),
	}
}

// Policy of the Note.
func (Note) Policy() ent.Policy {
	admin := policy.Roles(viewer.Admin)
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{policy.Create: admin, policy.Update: admin, policy.Delete: admin}}
}

// Annotations of the Note.
func (Note) Annotations() []schema.Annotation {
	return []schema.Annotation{expose.Resource{Path: "notes", Operations: expose.CRUD(), Sort: "id"}}
}
`

// A release is held against what is declared after it: what breaks is refused by
// weave check and by weave migrate diff, until it is written down that it is meant.
func TestCheckHoldsARelease(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles and runs schemas")
	}
	storetest.NeedPostgres(t)
	m := newModule(t)
	m.write("schema/note.go", noteSchema)
	m.weave(0, "what clients and running processes notice is not judged: there is no contract to compare with: the project is in no git repository", "migrate", "diff", "init")
	m.write("ent/contract.json", m.weave(0, `"service"`, "check", "--contract"))
	m.write("ent/manifest/manifest.json", `{"format":1,"entities":[{"name":"Note","description":"As it was."}]}`)
	m.git("init", "--quiet", "--initial-branch", "main")
	m.git("add", ".")
	m.git("commit", "--quiet", "--message", "notes")
	m.git("tag", "v1")
	m.weave(0, "permission matrix: safe.", "check", "--against", "v1")
	m.weave(0, "manifest  Note: the descriptions differ; make clients and documents from it again\n", "check", "--against", "v1")
	m.weave(0, "permission matrix: safe.", "check") // against the last commit
	m.weave(2, `no change has the code "field-droped"`, "check", "--against", "v1", "--accept", "field-droped")
	m.weave(1, `git has no commit, tag or branch "v2"`, "check", "--against", "v2")

	m.write("schema/note.go", strings.Replace(noteSchema, `		field.Bool("done").Default(false).Comment("Whether it is done."),
`, `		field.String("body").Optional().Nillable().Comment("The text."),
`, 1))
	m.weave(1, "breaks    field-dropped  Note.done", "check", "--against", "v1")
	m.weave(1, "used: it was not deprecated, so its uses were not counted", "check", "--against", "v1", "--usage", m.write("none.json", "[]"))
	today := time.Now().UTC().Format(time.DateOnly)
	uses := m.write("uses.json", `[{"day":"`+today+`","kind":"field","name":"NoteOrderField.DONE","key_id":3,"agent":"billing","requests":12},
		{"day":"`+today+`","kind":"field","name":"Note.done","key_id":3,"agent":"billing","requests":30},
		{"day":"2020-01-01","kind":"field","name":"Note.done","user_id":7,"agent":"curl","requests":5}]`)
	if out := m.weave(1, "used: by key 3 (billing), 42 requests, last on "+today, "migrate", "diff", "drop_done", "--drop", "notes.done", "--usage", uses); strings.Contains(out, "curl") {
		t.Errorf("a use of years ago counts: %s", out)
	}
	m.weave(1, "it is not what entwine usage --json writes", "check", "--against", "v1", "--usage", m.write("other.json", "{}"))
	m.weave(1, "1 change breaks what HEAD promised", "migrate", "diff", "drop_done", "--drop", "notes.done")
	m.write("Makefile", "migration:\n\tweave migrate diff '$(NAME)' $(ALLOW)\n")
	const both = "\nIf all of that is meant: make migration NAME=drop_done ALLOW=\"--accept field-dropped --drop notes.done\"\n"
	m.weave(1, both, "migrate", "diff", "drop_done")
	m.weave(1, both, "migrate", "diff", "drop_done", "--accept", "field-dropped") // which the planner refuses
	var report struct {
		Contracts map[string]string `json:"contracts"`
		Findings  []struct {
			Code, What, Verdict, Says, Way, Command, File string
			Line                                          int
		}
		Manifest []string
	}
	text, _, _ := strings.Cut(m.weave(1, `"findings"`, "check", "--against", "v1", "--json"), "\nweave: ")
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(report.Findings) != 2 || report.Findings[0].Command != "weave migrate diff NAME --drop notes.done --accept field-dropped" || report.Contracts["SDL"] != "breaks" || report.Contracts["permission matrix"] != "safe" || !slices.Equal(report.Manifest, []string{"Note"}) {
		t.Errorf("the report is %+v", report)
	}
	if f := report.Findings[0]; f.File != "schema/note.go" || f.Line == 0 || f.Says == "" || f.Way == "" {
		t.Errorf("the finding has no place, cause or way: %+v", f)
	}
	m.reportsProblems()
	m.importsWhatIsNotForIt()
	m.asksForARename()
	m.weave(0, "_drop_done.sql", "migrate", "diff", "drop_done", "--drop", "notes.done", "--accept", "field-dropped")
	accepted, err := os.ReadFile(filepath.Join(m.root, "migrate/accepted.txt"))
	if err != nil || strings.Count(string(accepted), " field-dropped Note.done\n") != 1 {
		t.Errorf("migrate/accepted.txt is %s, %v", accepted, err)
	}
	m.weave(0, "accepted  field-dropped", "check", "--against", "v1")

	// In the next release it is not there to be dropped, and what was accepted
	// before it does not count.
	m.write("ent/contract.json", m.weave(0, `"service"`, "check", "--contract"))
	m.git("add", ".")
	m.git("commit", "--quiet", "--message", "no done")
	m.git("tag", "v2")
	m.weave(0, "SQL: safe", "check", "--against", "v2")

	// A name that was kept in the database alone goes a release later.
	headline := strings.Replace(noteSchema, `field.String("title")`, `field.String("headline").StorageKey("title").Annotations(expose.Was("title"))`, 1)
	headline = strings.Replace(headline, `		field.Bool("done").Default(false).Comment("Whether it is done."),
`, `		field.String("body").Optional().Nillable().Comment("The text."),
`, 1)
	m.write("schema/note.go", headline)
	m.write("ent/contract.json", m.weave(0, `"service"`, "check", "--contract"))
	m.git("commit", "--quiet", "--all", "--message", "headlines")
	m.write("schema/note.go", strings.Replace(headline, `.StorageKey("title")`, "", 1))
	m.weave(1, "breaks    field-renamed  Note.headline: the column is headline, and was title. Breaks: old", "migrate", "diff", "headline")
	m.weave(0, "_headline.sql", "migrate", "diff", "headline", "--accept", "field-renamed")
	m.weave(0, "it calls notes.title headline: programs from before it fail", "migrate", "lint")
}

// reportsProblems has a mistake in the schema, of which programs get the file and the line.
func (m *module) reportsProblems() {
	m.Helper()
	type report struct {
		Problems []struct {
			File, What, Says string
			Line             int
		}
	}
	was, err := os.ReadFile(filepath.Join(m.root, "schema/note.go"))
	if err != nil {
		m.Fatal(err)
	}
	const resource = `expose.Resource{Path: "notes"`
	for wrong, c := range map[string]struct{ in, want string }{
		`expose.Resource{Path: "no notes"`:               {resource, "path"},
		`expose.Resources{Path: "notes"`:                 {resource, "undefined: expose.Resources"},
		`.Annotations(expose.Example(5)).Comment("The t`: {`.Comment("The t`, `expose.Example(5): the field is shown as a string`},
		"import (\n\t\"example.com/nothing\"":            {"import (", "could not import example.com/nothing: no package"},
	} {
		m.write("schema/note.go", strings.Replace(string(was), c.in, wrong, 1))
		text, _, _ := strings.Cut(m.weave(1, `"problems"`, "check", "--json"), "\nweave: ")
		var found report
		if err := json.Unmarshal([]byte(text), &found); err != nil {
			m.Fatalf("%v in %s", err, text)
		}
		if len(found.Problems) == 0 || found.Problems[0].File != "schema/note.go" || found.Problems[0].Line == 0 || !strings.Contains(found.Problems[0].Says, c.want) {
			m.Errorf("%s: the problems are %+v", wrong, found.Problems)
		}
	}
	m.write("schema/note.go", string(was))
}

// importsWhatIsNotForIt has the module's own code import what changes with the generator.
func (m *module) importsWhatIsNotForIt() {
	m.Helper()
	file := m.write("text/text.go", "// Package text shows texts.\npackage text\n\nimport _ \"github.com/entwine-go/entwine/kit/gen/markdown\"\n")
	m.weave(1, "text/text.go:4: github.com/entwine-go/entwine/kit/gen/markdown is for generated code alone", "check", "--against", "v1")
	if err := os.Remove(file); err != nil {
		m.Fatal(err)
	}
}

// asksForARename says otherwise of the note what came: no line to copy drops a
// field before it is known that it was not renamed.
func (m *module) asksForARename() {
	m.Helper()
	m.write("schema/note.go", strings.Replace(noteSchema, `field.String("title")`, `field.String("headline").Optional().Nillable()`, 1))
	for _, args := range [][]string{{}, {"--accept", "field-dropped"}} {
		out := m.weave(1, "", append([]string{"migrate", "diff", "headline"}, args...)...)
		for _, want := range []string{"headline", "s new. Which is it?", `renamed: expose.Was("title") at the field headline`, "removed: weave migrate diff "} {
			if !strings.Contains(out, want) {
				m.Errorf("%q does not ask whether the title is the headline: no %q in %s", args, want, out)
			}
		}
		if strings.Contains(out, "If all of that is meant") {
			m.Errorf("%q: a line to copy drops what may be a rename: %s", args, out)
		}
	}
	m.weave(1, "\nIf all of that is meant: make migration NAME=headline ALLOW=\"--drop notes.title --accept field-dropped\"", "migrate", "diff", "headline", "--drop", "notes.title")
	m.write("schema/note.go", strings.Replace(noteSchema, `field.String("title")`, `field.String("headline").Annotations(expose.Was("title"))`, 1))
	m.weave(1, "it was title: values stay", "check", "--against", "v1")
	m.write("schema/note.go", strings.Replace(noteSchema, `		field.Bool("done").Default(false).Comment("Whether it is done."),
`, `		field.String("body").Optional().Nillable().Comment("The text."),
`, 1))
}

// module is a module of its own, which uses this one.
type module struct {
	*testing.T
	root string
}

func newModule(t *testing.T) *module {
	t.Helper()
	m := &module{t, t.TempDir()}
	entwine, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/entwine-go/entwine"
	m.write("go.mod", strings.Replace(string(mod), "module "+path, "module example.com/notes", 1)+
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", path, entwine))
	m.write("go.sum", string(sum))
	for _, folder := range []string{"postgres", "sqlite"} {
		if err := os.MkdirAll(filepath.Join(m.root, "migrate", folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *module) write(name, text string) string {
	m.Helper()
	path := filepath.Join(m.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.Fatal(err)
	}
	return path
}

func (m *module) git(args ...string) {
	m.Helper()
	cmd := exec.CommandContext(m.Context(), "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
	cmd.Dir = m.root
	if out, err := cmd.CombinedOutput(); err != nil {
		m.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// weave runs weave in the module and returns what it says.
func (m *module) weave(code int, want string, args ...string) string {
	m.Helper()
	out, got := call(m.T, append(args, "--root", m.root)...)
	if got != code || !strings.Contains(out, want) {
		m.Errorf("weave %s: exit code %d, want %d and %q:\n%s", strings.Join(args, " "), got, code, want, out)
	}
	return out
}
