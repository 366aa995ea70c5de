package gql_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/post"
)

// update is an answer of a live list.
type update struct {
	Position string
	// The total, where it is selected.
	TotalCount      int
	TotalCountExact bool
	Reset           bool
	Steps           json.RawMessage
}

// updated takes the next update of the first subscription.
func (e *ear) updated() (u update) {
	e.Helper()
	var m struct {
		Payload struct {
			Data   struct{ PostsLive update }
			Errors json.RawMessage
		}
	}
	text := e.next()
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.Payload.Errors != nil {
		e.Fatalf("heard %s", text)
	}
	return m.Payload.Data.PostsLive
}

// A live list begins with its first page, goes on with what becomes of it for this
// caller, and from a position with what became of it since.
func TestLiveLists(t *testing.T) {
	onStage(t, func(s *stage) {
		const list = `postsLive(first: 2, where: {published: true}, orderBy: [{field: TITLE}]%) {
			position reset totalCount totalCountExact steps { kind id index from node { title again: title author { name } } }
		}`
		wants := func(u update, reset bool, steps string) {
			s.Helper()
			if want := len(s.client.Post.Query().AllX(s.system())); u.TotalCount != want || !u.TotalCountExact {
				s.Errorf("told that there are %d, want %d", u.TotalCount, want)
			}
			if u.Reset != reset || string(u.Steps) != steps {
				s.Errorf("told %v %s\nwant %v %s", u.Reset, u.Steps, reset, steps)
			}
		}
		s.post(2, "B", 1)
		e := s.hear("nobody", strings.Replace(list, "%", "", 1))
		var pong bool
		first := func() update {
			for {
				if text := e.next(); text == `{"type":"pong"}` {
					pong = true
				} else {
					var m struct {
						Payload struct{ Data struct{ PostsLive update } }
					}
					if err := json.Unmarshal([]byte(text), &m); err != nil {
						s.Fatal(err)
					}
					return m.Payload.Data.PostsLive
				}
			}
		}
		wants(first(), true, `[{"kind":"enter","id":"UG9zdDox","index":0,"from":null,"node":{"title":"B","again":"B","author":{"name":"Bob"}}}]`)
		if !pong {
			e.wants(`{"type":"pong"}`)
		}
		s.post(2, "A", 2)
		wants(e.updated(), false, `[{"kind":"enter","id":"UG9zdDoy","index":0,"from":null,"node":{"title":"A","again":"A","author":{"name":"Bob"}}}]`)
		s.client.Post.Update().Where(post.ID(1)).SetTitle("C").ExecX(s.system())
		u := e.updated()
		wants(u, false, `[{"kind":"change","id":"UG9zdDox","index":1,"from":null,"node":{"title":"C","again":"C","author":{"name":"Bob"}}}]`)

		s.post(2, "B", 3)
		since := s.hear("nobody", strings.Replace(list, "%", `, since: "`+u.Position+`"`, 1))
		e = since
		pong = false
		wants(first(), false, `[{"kind":"leave","id":"UG9zdDox","index":1,"from":null,"node":null},`+
			`{"kind":"enter","id":"UG9zdDoz","index":1,"from":null,"node":{"title":"B","again":"B","author":{"name":"Bob"}}}]`)
	})
}

// A list of what the caller may not read, or by what is no filter, is refused, and what
// may not be seen of a row is an error at its place.
func TestLiveListsOfSecrets(t *testing.T) {
	onStage(t, func(s *stage) {
		s.post(2, "B", 1)
		for _, c := range []struct{ list, want string }{
			{`ordersLive { position }`, `"code":"UNAUTHENTICATED"`},
			{`postsLive(first: -1) { position }`, `"message":"must not be negative"`},
			{`postsLive { steps { node { author { email } } } }`, `"path":["postsLive","steps",0,"node","author","email"]`},
		} {
			e := s.hear("nobody", c.list)
			text := e.next()
			if text == `{"type":"pong"}` {
				text = e.next()
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("%s: %s, want %s", c.list, text, c.want)
			}
		}
	})
}
