package app_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// Note is the part of an entity in schema/note.go that declares the action.
type Note struct{ ent.Schema }

// NoteCount is the answer of the action.
type NoteCount struct {
	_   struct{} `comment:"How many notes there are."`
	All int      `comment:"All of them." json:"all"`
}

// Annotations declare an action that is about no row: GET /note-count in REST,
// and the field noteCount of Query in GraphQL. With POST, which is the default, it
// is a field of Mutation.
func (Note) Annotations() []schema.Annotation {
	count := expose.Action{
		Verb: "count", Scope: expose.Unbound, Run: expose.OutsideTx, Comment: "Counts the notes.",
		Answer: expose.AnswerOf(NoteCount{All: 2}),
		Names:  expose.Names{ID: "readNoteCount", GraphQL: "noteCount", Method: "GET", Path: "/note-count"},
	}
	return []schema.Annotation{expose.Resource{Path: "notes", Actions: []expose.Action{count}}}
}

// Policy says who may count them.
func (Note) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{"count": policy.Anyone()}}
}

// noteMethods are behind the actions of notes, as weave generates the interface
// NoteMethods of package rows.
type noteMethods struct{ db *store.DB }

// Count carries the action out.
func (m noteMethods) Count(ctx context.Context) (write.Result, error) {
	rows, err := m.db.QueryContext(ctx, "SELECT COUNT(*) FROM notes")
	if err != nil {
		return write.Result{}, err
	}
	defer rows.Close()
	var count NoteCount
	for rows.Next() {
		if err := rows.Scan(&count.All); err != nil {
			return write.Result{}, err
		}
	}
	return write.Result{Members: count}, rows.Err()
}

// An action about no row is a REST route and a GraphQL field of one's own: it is
// in both documents, under the same authentication, policy and limits as all else.
func ExampleParts_methods() {
	s := service(func(h *app.Host) (*app.Parts, error) {
		return &app.Parts{Methods: noteMethods{h.DB}}, nil // in a project: rows.NewMethods(…)
	})
	s.Generated = generated(s.Migrations) // in a project: service.Generated(migrate.Files)
	p, remove := process()
	defer remove()
	server, end, err := s.Embed(context.Background(), p, nil)
	if err != nil {
		panic(err)
	}
	defer end()
	ask := func(method, path, body string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		server.Handler.ServeHTTP(w, r)
		answer, _, _ := strings.Cut(w.Body.String(), `,"extensions"`)
		fmt.Println(w.Code, answer)
	}
	ask("GET", "/api/v1/note-count", "")
	ask("POST", "/graphql", `{"query":"{ noteCount { all } }"}`)
	// Output:
	// 200 {"status":"success","data":{"all":0}}
	// 200 {"data":{"noteCount":{"all":0}}
}
