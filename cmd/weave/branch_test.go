package main_test

import (
	"net/http"
	"syscall"
)

// followsBranches goes to another branch and back while the loop serves the project, in
// which all is migrated: the schema, what is generated of it and the migrations change at
// once.
func (p *ownProject) followsBranches(session http.Header) {
	p.Helper()
	p.commits("migrated")
	p.run("git", "switch", "--quiet", "--create", "plain")
	p.run("git", "switch", "--quiet", "--create", "starred")
	l := p.develops("make", "dev")
	l.settles("ready in", "listens")
	l.header = session
	l.edit("schema/note.go", "\t\tfield.Bool\\(\"done\"\\)", `		field.Bool("starred").Default(false).Comment("Whether it has a star."),`+"\n$0")
	l.settles("ready in", "Note.starred: a new field, false by default")
	p.run("make", "migration", "NAME=add_starred")
	l.settles("ready in", "")
	p.commits("starred")
	l.asks([]asked{{"/api/v1/notes", `{"title":"Star","text":"It shines.","starred":true}`, `"starred":true`}})

	p.run("git", "switch", "--quiet", "plain")
	l.settles("ready in", "notes.starred: the values are kept in")
	l.asks([]asked{
		{"/graphql", `{"query":"{ notesConnection { nodes { starred } } }"}`, `Cannot query field`},
		{"/api/v1/notes", `{"title":"Plain","text":"Bernoulli's."}`, `"done":false`},
	})
	p.run("git", "switch", "--quiet", "starred")
	l.settles("ready in", "notes.starred is there again: the values of 5 rows are put back")
	l.asks([]asked{{"/graphql", `{"query":"{ notesConnection(last: 2, orderBy: [{field: CREATED_AT}]) { nodes { title starred } } }"}`, `[{"title":"Star","starred":true},{"title":"Plain","starred":false}]`}})
	l.end(syscall.SIGINT)
	if out := p.run("git", "status", "--short"); out != "" {
		p.Errorf("the loop has left in the tree:\n%s", out)
	}
	p.run("go", "run", "./cmd/notes", "migrate", "status") // it fails where some are pending
}
