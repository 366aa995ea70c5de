package gql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/gql"
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/viewer"
)

// stage is a world whose API can be subscribed to.
type stage struct {
	*world
	url string
}

// onStage runs a test on both databases.
func onStage(t *testing.T, test func(s *stage)) {
	t.Helper()
	each(t, func(w *world) {
		bus := new(pubsub.Memory)
		w.db.OnWrite(func() { bus.Wake(events.Topic) })
		tailer := events.NewTailer(w.db, bus, slog.New(slog.DiscardHandler))
		api := gql.New(gql.Config{DB: w.db, Engine: writes.Engine(w.db, nil, writes.Activities{}), Options: graph.Options{
			Events: tailer, Logger: slog.New(slog.DiscardHandler), Documents: &documents.Registry{DB: w.db},
		}})
		server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
			api.ServeHTTP(to, r.WithContext(viewer.With(r.Context(), w.viewers[r.Header.Get("X-Name")])))
		}))
		w.Cleanup(func() {
			api.Drain(context.Background())
			tailer.Close()
			server.Close()
		})
		test(&stage{w, server.URL})
	})
}

// ear is a connection that hears.
type ear struct {
	*stage
	ws *websocket.Conn
}

// hear connects as a viewer and subscribes. When it returns, the
// subscriptions have been accepted or refused.
func (s *stage) hear(name string, subscriptions ...string) *ear {
	s.Helper()
	ws, _, err := websocket.Dial(s.Context(), s.url+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"X-Name": {name}},
	})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = ws.CloseNow() })
	e := &ear{s, ws}
	e.say(`{"type":"connection_init"}`)
	e.wants(`{"type":"connection_ack"}`)
	for i, query := range subscriptions {
		payload, _ := json.Marshal(map[string]any{"query": "subscription { " + query + " }"})
		e.say(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":%s}`, i, payload))
	}
	e.say(`{"type":"ping"}`)
	return e
}

func (e *ear) say(text string) {
	e.Helper()
	if err := e.ws.Write(e.Context(), websocket.MessageText, []byte(text)); err != nil {
		e.Fatal(err)
	}
}

// accepted requires that everything was, and returns the ear.
func (e *ear) accepted() *ear {
	e.Helper()
	e.wants(`{"type":"pong"}`)
	return e
}

// next returns what is heard next.
func (e *ear) next() string {
	e.Helper()
	_, got, err := e.ws.Read(e.Context())
	if err != nil {
		e.Fatal(err)
	}
	return string(got)
}

func (e *ear) wants(text string) {
	e.Helper()
	if got := e.next(); got != text {
		e.Fatalf("heard %s\nwant %s", got, text)
	}
}

// told requires that the first subscription has the data next.
func (e *ear) told(data string) {
	e.Helper()
	e.wants(`{"id":"0","type":"next","payload":{"data":` + data + `}}`)
}

// begun requires that the first subscription was accepted and has the data, in
// either order.
func (e *ear) begun(data string) {
	e.Helper()
	want := map[string]bool{`{"type":"pong"}`: true, `{"id":"0","type":"next","payload":{"data":` + data + `}}`: true}
	for len(want) > 0 {
		got := e.next()
		if !want[got] {
			e.Fatalf("heard %s\nwant one of %v", got, want)
		}
		delete(want, got)
	}
}

func TestEachSubscription(t *testing.T) {
	onStage(t, func(s *stage) {
		draft := s.client.Post.Create().SetAuthorID(2).SetTitle("Later").SetContent("…").SaveX(s.system())
		placed := s.client.Order.Create().SetUserID(2).SetTotal(100).SetCurrency("EUR").SaveX(s.system())
		work := s.client.Job.Create().SetUserID(2).SetKind("report").SetArgs([]byte("{}")).SaveX(s.system())

		posts := s.hear("nobody", "newPost { title author { name } }").accepted()
		users := s.hear("mia", `userStatusChanged(userId: "2") { isActive role }`).accepted()
		orders := s.hear("bob", fmt.Sprintf(`orderStatusChanged(id: "%d") { status }`, placed.ID))
		jobs := s.hear("bob", fmt.Sprintf(`jobProgress(id: "%d") { progress }`, work.ID))
		orders.begun(`{"orderStatusChanged":{"status":"pending"}}`)
		jobs.begun(`{"jobProgress":{"progress":0}}`)

		s.client.Post.UpdateOne(draft).SetPublished(true).SetTitle("Now").ExecX(s.system())
		posts.told(`{"newPost":{"title":"Now","author":{"name":"Bob"}}}`)
		comments := s.hear("nobody", fmt.Sprintf("newComment(postId: %q) { text }", id("Post", int64(draft.ID)))).accepted()
		other := s.post(1, "Another", 1)
		posts.told(`{"newPost":{"title":"Another","author":{"name":"Ada"}}}`)
		s.comment(1, other, "elsewhere")
		s.comment(1, draft, "here")
		comments.told(`{"newComment":{"text":"here"}}`)
		s.client.User.UpdateOneID(2).SetIsActive(false).ExecX(s.system())
		users.told(`{"userStatusChanged":{"isActive":false,"role":"user"}}`)
		s.client.User.UpdateOneID(2).SetRole(user.RoleEditor).ExecX(s.system())
		users.told(`{"userStatusChanged":{"isActive":false,"role":"editor"}}`)
		s.client.Order.UpdateOne(placed).SetStatus(order.StatusCancelled).ExecX(s.system())
		orders.told(`{"orderStatusChanged":{"status":"cancelled"}}`)
		orders.wants(`{"id":"0","type":"complete"}`)
		s.client.Job.UpdateOne(work).SetProgress(0.5).ExecX(s.system())
		jobs.told(`{"jobProgress":{"progress":0.5}}`)
	})
}

func TestEveryEventIsReadWithTheRightsOfItsMoment(t *testing.T) {
	onStage(t, func(s *stage) {
		query := fmt.Sprintf(`userStatusChanged(userId: %q) { name isActive deletedAt salary }`, id("User", 2))
		ada := s.hear("ada", `userStatusChanged(userId: "2") { isActive salary }`).accepted()
		mia := s.hear("mia", query).accepted()
		s.client.User.UpdateOneID(2).SetIsActive(false).ExecX(s.system())
		ada.told(`{"userStatusChanged":{"isActive":false,"salary":2000}}`)
		mia.wants(`{"id":"0","type":"next","payload":{"data":{"userStatusChanged":{"name":"Bob","isActive":false,"deletedAt":null,"salary":null}},` +
			`"errors":[{"message":"you are not allowed to do this","path":["userStatusChanged","salary"],"locations":[{"line":1,"column":80}],"extensions":{"code":"FORBIDDEN","status":403}}]}}`)
	})
}

func TestADeletedRowIsToldToWhoMayReadIt(t *testing.T) {
	onStage(t, func(s *stage) {
		ada := s.hear("ada", `userStatusChanged(userId: "2") { name isActive }`).accepted()
		mia := s.hear("mia", `userStatusChanged(userId: "2") { name }`).accepted()
		s.client.User.UpdateOneID(2).SetDeletedAt(day(1)).ExecX(s.system())
		ada.told(`{"userStatusChanged":{"name":"Bob","isActive":true}}`)
		s.client.User.UpdateOneID(2).ClearDeletedAt().ExecX(s.system())
		ada.told(`{"userStatusChanged":{"name":"Bob","isActive":true}}`)
		mia.told(`{"userStatusChanged":{"name":"Bob"}}`)
		s.client.User.DeleteOneID(2).ExecX(s.system())
		ada.wants(`{"id":"0","type":"complete"}`) // for good
		// Who could not read the row when she was told would not hear of the
		// deletion; but she may have been told only after the restoring.
		if more := mia.next(); more != `{"id":"0","type":"complete"}` {
			mia.wants(`{"id":"0","type":"complete"}`)
		}
	})
}

func TestASubscriptionEndsWithThePostThatItIsAbout(t *testing.T) {
	onStage(t, func(s *stage) {
		post := s.post(1, "Short", 1)
		e := s.hear("nobody", `newComment(postId: "1") { text }`).accepted()
		s.client.Post.UpdateOne(post).SetDeletedAt(day(2)).ExecX(s.system())
		s.client.Post.UpdateOne(post).ClearDeletedAt().ExecX(s.system())
		s.comment(2, post, "still here")
		e.told(`{"newComment":{"text":"still here"}}`)
		s.client.Post.DeleteOne(post).ExecX(s.system())
		e.wants(`{"id":"0","type":"complete"}`)
	})
}

func TestWhatCannotBeSubscribedTo(t *testing.T) {
	onStage(t, func(s *stage) {
		adas := s.client.Job.Create().SetUserID(1).SetKind("report").SetArgs([]byte("{}")).SaveX(s.system())
		draft := s.client.Post.Create().SetAuthorID(1).SetTitle("Later").SetContent("…").SaveX(s.system())
		for _, c := range []struct{ name, query, kind, code string }{
			{"nobody", `jobProgress(id: "1") { id }`, "next", "UNAUTHENTICATED"},
			{"nobody", `userStatusChanged(userId: "1") { id }`, "next", "UNAUTHENTICATED"},
			{"bob", `orderStatusChanged(id: "1") { id }`, "next", "NOT_FOUND"},
			{"bob", fmt.Sprintf(`jobProgress(id: "%d") { id }`, adas.ID), "next", "NOT_FOUND"},
			{"bob", fmt.Sprintf("newComment(postId: %q) { id }", id("Post", int64(draft.ID))), "next", "NOT_FOUND"},
			{"bob", `newComment(postId: "VXNlcjox") { id }`, "next", "BAD_USER_INPUT"},
			{"bob", `a: newPost { id } b: newPost { title }`, "error", "GRAPHQL_VALIDATION_FAILED"},
			{"bob", `newPost { id } __typename`, "error", "GRAPHQL_VALIDATION_FAILED"},
			{"bob", `newPost { nothing }`, "error", "GRAPHQL_VALIDATION_FAILED"},
			{"bob", `newPost { author { posts(first: 100) { author { posts(first: 100) { id } } } } }`, "error", "QUERY_TOO_COMPLEX"},
		} {
			e := s.hear(c.name, c.query)
			seen := map[string]bool{}
			for !seen["pong"] || !seen["complete"] && !seen["error"] {
				_, text, err := e.ws.Read(e.Context())
				if err != nil {
					s.Fatalf("%s: %v", c.query, err)
				}
				var m struct{ Type string }
				_ = json.Unmarshal(text, &m)
				seen[m.Type] = true
				if m.Type == c.kind && !strings.Contains(string(text), `"`+c.code+`"`) {
					s.Errorf("%s as %s: %s, want %s", c.query, c.name, text, c.code)
				}
			}
			if !seen[c.kind] {
				s.Errorf("%s as %s: heard %v, want %s", c.query, c.name, seen, c.kind)
			}
		}
	})
}

func TestQueriesAndMutationsOverASocket(t *testing.T) {
	onStage(t, func(s *stage) {
		e := s.hear("bob").accepted()
		e.say(`{"id":"m","type":"subscribe","payload":{"query":"mutation($t: String!) { createPost(input: {title: $t, content: \"…\", published: true}) { title author { name } } }","variables":{"t":"Hi"}}}`)
		e.wants(`{"id":"m","type":"next","payload":{"data":{"createPost":{"title":"Hi","author":{"name":"Bob"}}},"extensions":{"cost":{"requested":4,"actual":4,"limit":5000}}}}`)
		e.wants(`{"id":"m","type":"complete"}`)
		e.say(`{"id":"q","type":"subscribe","payload":{"query":"{ posts { title } }"}}`)
		e.wants(`{"id":"q","type":"next","payload":{"data":{"posts":[{"title":"Hi"}]},"extensions":{"cost":{"requested":21,"actual":2,"limit":5000}}}}`)
		e.wants(`{"id":"q","type":"complete"}`)
	})
}

// Many who ask for the same get the same, each of them once and in order,
// whichever subscriber reads it first.
func TestSubscribersShareReads(t *testing.T) {
	onStage(t, func(s *stage) {
		var ears []*ear
		for i := range 12 {
			ears = append(ears, s.hear([]string{"nobody", "bob", "ada"}[i%3], "newPost { title }").accepted())
		}
		var posts []*ent.Post
		for i := range 20 {
			posts = append(posts, s.post(int64(typedid.UserID(1)), fmt.Sprint("Post ", i), 1))
		}
		for _, e := range ears {
			for _, p := range posts {
				e.told(`{"newPost":{"title":"` + p.Title + `"}}`)
			}
		}
	})
}
