package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// entityFile is the schema of an entity with a name.
func entityFile(name, plural string) string {
	return strings.NewReplacer("Thing", name, "things", plural).Replace(`package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// Thing has a name.
type Thing struct{ ent.Schema }

func (Thing) Fields() []ent.Field {
	return []ent.Field{expose.Line(expose.Length(field.String("name"), 1, 200)).Comment("Its name.").Annotations(expose.Example("Engines"))}
}

func (Thing) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

func (Thing) Policy() ent.Policy {
	anyone := policy.Anyone()
	return policy.Rules{Read: anyone, Verbs: policy.Verbs{policy.Create: anyone, policy.Update: anyone, policy.Delete: anyone}}
}

func (Thing) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Something with a name."), expose.Resource{Path: "things", Operations: expose.CRUD()}}
}
`)
}

// Two people add an entity each, on two branches: what was generated and what was migrated
// is merged by one command. A conflict in code that both wrote by hand is left to them.
func TestTwoBranchesAreMerged(t *testing.T) {
	if testing.Short() {
		t.Skip("generates a service five times")
	}
	storetest.NeedPostgres(t)
	t.Parallel()
	p := newNotes(t)
	p.env = []string{
		"GOFLAGS=" + strings.TrimSpace(goEnv(t, "GOFLAGS")+" -mod=mod"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
	}
	change := func(branch, migration, name, text string) {
		t.Helper()
		p.run("git", "checkout", "--quiet", "-B", branch)
		if name != "" {
			if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if migration != "" {
			p.run(weave, "generate")
			p.run(weave, "migrate", "diff", migration)
			p.run("go", "mod", "tidy")
		}
		p.run("git", "add", ".")
		p.run("git", "commit", "--quiet", "--message", branch)
	}
	p.run("git", "init", "--quiet", "--initial-branch", "main")
	change("main", "first", "", "")
	change("authors", "authors", "schema/author.go", entityFile("Author", "authors"))
	p.run("git", "checkout", "--quiet", "main")
	change("tags", "tags", "schema/tag.go", entityFile("Tag", "tags"))
	p.run("git", "checkout", "--quiet", "authors")

	said := p.run(weave, "merge", "tags")
	for _, name := range []string{"migrate/sqlite/", "migrate/postgres/"} {
		if !strings.Contains(said, "it is "+name) {
			t.Errorf("weave merge does not say where the migration in %s is:\n%s", name, said)
		}
	}
	p.merged()
	for _, folder := range []string{"sqlite", "postgres"} {
		files, err := filepath.Glob(filepath.Join(p.dir, "migrate", folder, "*.sql"))
		if err != nil || len(files) != 3 || !strings.HasSuffix(files[1], "_tags.sql") || !strings.HasSuffix(files[2], "_authors.sql") {
			t.Errorf("the migrations of %s are %v, %v: those of the branch that one is on come last", folder, files, err)
		}
	}
	if said, err := p.try(weave, "merge", "tags"); err != nil || !strings.Contains(said, "up to date") {
		t.Errorf("the same again: %v\n%s", err, said)
	}
	if said, err := p.try(weave, "merge"); err == nil || !strings.Contains(said, "no merge is under way") {
		t.Errorf("without a merge: %v\n%s", err, said)
	}

	// Both write the same line.
	p.run("git", "branch", "other")
	change("authors", "", "schema/tag.go", strings.Replace(entityFile("Tag", "tags"), "Its name.", "The name.", 1))
	p.run("git", "checkout", "--quiet", "other")
	change("other", "", "schema/tag.go", strings.Replace(entityFile("Tag", "tags"), "Its name.", "A name.", 1))
	if said, err := p.try(weave, "merge", "authors"); err == nil || !strings.Contains(said, "yours to resolve: schema/tag.go") {
		t.Errorf("a conflict by hand: %v\n%s", err, said)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "schema/tag.go"), []byte(entityFile("Tag", "tags")), 0o600); err != nil {
		t.Fatal(err)
	}
	p.run("git", "add", "schema/tag.go")
	p.run(weave, "merge")
	p.merged()
}

// merged requires that the last commit is a merge whose generated code and
// migrations are those of its schema.
func (p *ownProject) merged() {
	p.Helper()
	if parents := strings.Fields(p.run("git", "log", "-1", "--format=%P")); len(parents) != 2 {
		p.Errorf("the last commit has the parents %v", parents)
	}
	p.run(weave, "migrate", "verify")
	p.run(weave, "generate")
	if left := p.run("git", "status", "--porcelain"); left != "" {
		p.Errorf("generated anew, these are others:\n%s", left)
	}
}
