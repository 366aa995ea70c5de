package gql_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// stage is a world whose API can be subscribed to.
type stage struct {
	// log has the statements of all connections.
	log *store.Log
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
		lists := &live.Lists{DB: w.db, Reader: &read.Reader{DB: w.db, Dialect: w.db.Dialect}, Events: tailer, Poll: 20 * time.Millisecond}
		api := over(w, w.db, graph.Options{
			Events: tailer, Lists: lists, Logger: slog.New(slog.DiscardHandler), Documents: &documents.Registry{DB: w.db},
		})
		log := new(store.Log)
		server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
			api.ServeHTTP(to, r.WithContext(viewer.With(store.WithStatementLog(r.Context(), log), w.viewers[r.Header.Get("X-Name")])))
		}))
		w.Cleanup(func() {
			api.Drain(context.Background())
			tailer.Close()
			lists.Close()
			server.Close()
		})
		test(&stage{log: log, world: w, url: server.URL})
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
	e := s.hearOver("graphql-transport-ws", "subscribe", name, subscriptions)
	e.say(`{"type":"ping"}`)
	return e
}

// hearOlder is hear over the older protocol, which has no pings: the answer to a
// query says that the subscription was accepted.
func (s *stage) hearOlder(name, subscription string) *ear {
	s.Helper()
	e := s.hearOver("graphql-ws", "start", name, []string{subscription})
	e.wants(`{"type":"ka"}`)
	e.say(`{"id":"q","type":"start","payload":{"query":"{ __typename }"}}`)
	for got := ""; got != `{"id":"q","type":"complete"}`; {
		got = e.next()
	}
	return e
}

// events subscribes by an event stream. It returns, once the subscription is
// accepted, what waits for the end of the stream and returns all of it.
func (s *stage) events(name, subscription string) (all func() string) {
	s.Helper()
	body, _ := json.Marshal(map[string]any{"query": "subscription { " + subscription + " }"})
	r, err := http.NewRequestWithContext(s.Context(), "POST", s.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	r.Header = http.Header{"X-Name": {name}, "Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	return func() string {
		s.Helper()
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			s.Fatal(err)
		}
		return string(text)
	}
}

// refused requires that the row of the subscription is not found.
func (s *stage) refused(name, subscription string) {
	s.Helper()
	if got := s.events(name, subscription)(); !strings.Contains(got, `"NOT_FOUND"`) || !strings.Contains(got, "event: complete") {
		s.Errorf("%s as %s: %s, want NOT_FOUND", subscription, name, got)
	}
}

func (s *stage) hearOver(protocol, subscribe, name string, subscriptions []string) *ear {
	s.Helper()
	ws, _, err := websocket.Dial(s.Context(), s.url+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{protocol}, HTTPHeader: http.Header{"X-Name": {name}},
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
		e.say(fmt.Sprintf(`{"id":"%d","type":"%s","payload":%s}`, i, subscribe, payload))
	}
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
		mia.wants(`{"id":"0","type":"complete"}`)
		s.refused("mia", `userStatusChanged(userId: "2") { name }`)
		late := s.hear("ada", `userStatusChanged(userId: "2") { name }`).accepted()
		s.client.User.UpdateOneID(2).ClearDeletedAt().ExecX(s.system())
		ada.told(`{"userStatusChanged":{"name":"Bob","isActive":true}}`)
		late.told(`{"userStatusChanged":{"name":"Bob"}}`)
		s.client.User.DeleteOneID(2).ExecX(s.system())
		ada.wants(`{"id":"0","type":"complete"}`) // for good
	})
}

// A stream about a row that its subscriber can't read any more completes, as a read
// of the row answers 404: over each of the three wires.
func TestASubscriptionEndsWithThePostThatItIsAbout(t *testing.T) {
	onStage(t, func(s *stage) {
		for what, hide := range map[string]func(*ent.PostUpdateOne) *ent.PostUpdateOne{
			"deleted":     func(u *ent.PostUpdateOne) *ent.PostUpdateOne { return u.SetDeletedAt(day(2)) },
			"archived":    func(u *ent.PostUpdateOne) *ent.PostUpdateOne { return u.SetArchivedAt(day(2)) },
			"unpublished": func(u *ent.PostUpdateOne) *ent.PostUpdateOne { return u.SetPublished(false) },
		} {
			post := s.post(1, "Short "+what, 1)
			query := fmt.Sprintf(`newComment(postId: "%d") { text }`, post.ID)
			guest, author, older := s.hear("nobody", query).accepted(), s.hear("ada", query).accepted(), s.hearOlder("nobody", query)
			events := s.events("nobody", query)
			s.comment(2, post, "here")
			guest.told(`{"newComment":{"text":"here"}}`)
			author.told(`{"newComment":{"text":"here"}}`)
			older.wants(`{"id":"0","type":"data","payload":{"data":{"newComment":{"text":"here"}}}}`)
			hide(s.client.Post.UpdateOne(post)).ExecX(s.system())
			guest.wants(`{"id":"0","type":"complete"}`)
			older.wants(`{"id":"0","type":"complete"}`)
			if got := events(); !strings.Contains(got, `"here"`) || !strings.HasSuffix(strings.TrimSpace(got), "event: complete\ndata:") {
				t.Errorf("%s: the event stream is %s, want it to complete", what, got)
			}
			s.refused("nobody", query)
			if what == "deleted" { // nor does anyone hear of a deleted post
				author.wants(`{"id":"0","type":"complete"}`)
				s.refused("ada", query)
				continue
			}
			s.comment(2, post, "still here")
			author.told(`{"newComment":{"text":"still here"}}`)
			s.client.Post.DeleteOne(post).ExecX(s.system())
			author.wants(`{"id":"0","type":"complete"}`)
		}
	})
}

// No subscriber hears of a row that was deleted before its event was read.
func TestADeletedRowIsNotTold(t *testing.T) {
	onStage(t, func(s *stage) {
		guest, admin := s.hear("nobody", "newPost { title }").accepted(), s.hear("ada", "newPost { title }").accepted()
		if err := s.db.InTx(s.system(), func(ctx context.Context) error {
			post := s.client.Post.Create().SetAuthorID(2).SetTitle("Gone").SetContent("…").SetPublished(true).SaveX(ctx)
			return s.client.Post.UpdateOne(post).SetDeletedAt(day(1)).Exec(ctx)
		}); err != nil {
			s.Fatal(err)
		}
		s.post(2, "There", 1)
		for _, e := range []*ear{guest, admin} {
			e.told(`{"newPost":{"title":"There"}}`)
		}
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
			{"bob", `newPost @include(if: true) { id }`, "error", "GRAPHQL_VALIDATION_FAILED"},
			{"bob", `... @skip(if: false) { newPost { id } }`, "error", "GRAPHQL_VALIDATION_FAILED"},
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

// An event costs as many statements as there are kinds of subscribers, and not users: those
// whom the row names are found among them, and read for themselves.
func TestUsersWithTheSameRightsShareReads(t *testing.T) {
	const users, most = 60, 12
	onStage(t, func(s *stage) {
		about := s.client.Post.Create().SetAuthorID(2).SetTitle("Bob's").SetContent("…").SetPublished(true).SaveX(s.system())
		comments := fmt.Sprintf("newComment(postId: %q) { text post { title } }", id("Post", int64(about.ID)))
		var fans []*ear
		for i := range users {
			name := fmt.Sprint("fan", i)
			s.viewers[name] = &viewer.Viewer{UserID: int64(1000 + i), Role: "user"}
			for range 2 {
				fans = append(fans, s.hear(name, "newPost { title author { name } }", comments).accepted())
			}
		}
		bob := s.hear("bob", "newPost { title author { name } }", comments).accepted()
		cost := func(what string) {
			s.Helper()
			if n := len(s.log.Statements()); n > most {
				s.Errorf("%s costs %d statements, want at most %d for %d users", what, n, most, users+1)
			}
			s.log.Reset()
		}
		hears := func(all []*ear, text string) {
			s.Helper()
			for _, e := range all {
				e.wants(text)
			}
		}
		s.log.Reset()
		s.post(1, "Shown", 1)
		hears(append(fans, bob), `{"id":"0","type":"next","payload":{"data":{"newPost":{"title":"Shown","author":{"name":"Ada"}}}}}`)
		cost("a post")
		s.comment(1, about, "Here.")
		hears(append(fans, bob), `{"id":"1","type":"next","payload":{"data":{"newComment":{"text":"Here.","post":{"title":"Bob's"}}}}}`)
		cost("a comment")
		about.Update().SetArchivedAt(store.Time(time.Now())).ExecX(s.system())
		hears(fans, `{"id":"1","type":"complete"}`)
		cost("a post that is hidden")
		s.comment(2, about, "Still here.")
		hears([]*ear{bob}, `{"id":"1","type":"next","payload":{"data":{"newComment":{"text":"Still here.","post":{"title":"Bob's"}}}}}`)
	})
}

// Fields that say what the viewer has done or may do are the viewer's own.
func TestWhatIsAUsersOwnIsNotShared(t *testing.T) {
	onStage(t, func(s *stage) {
		ada, bob := s.hear("ada", "newPost { viewerCanUpdate }").accepted(), s.hear("bob", "newPost { viewerCanUpdate }").accepted()
		s.post(1, "Ada's", 1)
		ada.told(`{"newPost":{"viewerCanUpdate":true}}`)
		bob.told(`{"newPost":{"viewerCanUpdate":false}}`)
	})
}
