package main_test

import (
	"syscall"
	"testing"
)

// A developer goes to another branch and back while the loop serves: the schema,
// what is generated of it and the migrations change at once.
func TestTheLoopFollowsBranches(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a service half a dozen times")
	}
	t.Parallel()
	p := newNotes(t)
	p.env = loopEnv()
	p.run("make", "generate", "migration", "NAME=first")
	p.commits()
	p.run("git", "switch", "--quiet", "--create", "plain")
	p.run("git", "switch", "--quiet", "--create", "pinned")
	l := p.develops("make", "dev")
	l.settles("ready in", "listens")
	l.signsUp("Ada Lovelace")
	l.edit("schema/note.go", "\t\tfield.Bool\\(\"done\"\\)", `		field.Bool("pinned").Default(false).Comment("Whether it stays on top."),`+"\n$0")
	l.settles("ready in", "Note.pinned: a new field, false by default")
	p.run("make", "migration", "NAME=add_pinned")
	l.settles("ready in", "")
	p.run("git", "add", "--all")
	p.run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "pinned")
	l.asks([]asked{{"/api/v1/notes", `{"title":"Engines","text":"They weave.","pinned":true}`, `"pinned":true`}})

	p.run("git", "switch", "--quiet", "plain")
	l.settles("ready in", "notes.pinned: the values are kept in")
	l.asks([]asked{
		{"/graphql", `{"query":"{ notesConnection { nodes { pinned } } }"}`, `Cannot query field`},
		{"/api/v1/notes", `{"title":"Numbers","text":"Bernoulli's."}`, `"done":false`},
	})
	p.run("git", "switch", "--quiet", "pinned")
	l.settles("ready in", "notes.pinned is there again: the values of 1 rows are put back")
	l.asks([]asked{{"/graphql", `{"query":"{ notesConnection(orderBy: [{field: CREATED_AT}]) { nodes { title pinned } } }"}`, `[{"title":"Engines","pinned":true},{"title":"Numbers","pinned":false}]`}})
	l.end(syscall.SIGINT)
	if out := p.run("git", "status", "--short"); out != "" {
		t.Errorf("the loop has left in the tree:\n%s", out)
	}
	p.run("go", "run", "./cmd/notes", "migrate", "status") // it fails where some are pending
}
