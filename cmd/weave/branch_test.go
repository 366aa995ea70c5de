package main_test

// followsBranches goes to another branch and back while the loop serves the project, in
// which all is migrated: the schema, what is generated of it and the migrations change at
// once.
func (l *developed) followsBranches() {
	l.Helper()
	l.commits("migrated")
	l.run("git", "switch", "--quiet", "--create", "plain")
	l.run("git", "switch", "--quiet", "--create", "starred")
	l.edit("schema/note.go", "\t\tfield.Bool\\(\"done\"\\)", `		field.Bool("starred").Default(false).Comment("Whether it has a star."),`+"\n$0")
	l.settles("ready in", "Note.starred: a new field, false by default")
	l.run("make", "migration", "NAME=add_starred")
	l.settles("ready in", "")
	l.commits("starred")
	l.asks([]asked{{"/api/v1/notes", `{"title":"Star","text":"It shines.","starred":true}`, `"starred":true`}})

	l.run("git", "switch", "--quiet", "plain")
	l.settles("ready in", "notes.starred: the values are kept in")
	l.asks([]asked{
		{"/graphql", `{"query":"{ notesConnection { nodes { starred } } }"}`, `Cannot query field`},
		{"/api/v1/notes", `{"title":"Plain","text":"Bernoulli's."}`, `"done":false`},
	})
	l.run("git", "switch", "--quiet", "starred")
	l.settles("ready in", "notes.starred is there again: the values of 5 rows are put back")
	l.asks([]asked{{"/graphql", `{"query":"{ notesConnection(last: 2, orderBy: [{field: CREATED_AT}]) { nodes { title starred } } }"}`, `[{"title":"Star","starred":true},{"title":"Plain","starred":false}]`}})
	if out := l.run("git", "status", "--short"); out != "" {
		l.Errorf("the loop has left in the tree:\n%s", out)
	}
}
