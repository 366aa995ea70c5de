package limits_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/internal/trial"
)

// A subscription reserves what its events may come to, and gets back at its end
// what they did not: by the refusal, or once it is left.
func TestASubscriptionCountsWhatItAnswers(t *testing.T) {
	t.Parallel()
	eachLimited(t, func(t *testing.T, s *trial.Service) {
		auth := s.SignUp(t)
		left := func() int {
			a := s.Ask(t, "POST", "/graphql", `{"query":"{ __typename }"}`, auth...)
			n, err := strconv.Atoi(a.Header.Get("X-RateLimit-Remaining"))
			if err != nil {
				t.Fatal(err, a.Text)
			}
			return n
		}
		ws, _, err := websocket.Dial(t.Context(), strings.Replace(s.URL, "http", "ws", 1)+"/graphql", &websocket.DialOptions{
			Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{auth[0]: {auth[1]}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = ws.CloseNow() }()
		say := func(text string) {
			if err := ws.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		hear := func(want string) {
			t.Helper()
			_, text, err := ws.Read(t.Context())
			if err != nil || !strings.Contains(string(text), want) {
				t.Fatalf("heard %s, %v, want %s", text, err, want)
			}
		}
		const rows = `{ id author { posts(first: 100) { id title content author { id name } } } }` // 602
		say(`{"type":"connection_init"}`)
		hear("connection_ack")
		before := left()

		say(`{"id":"1","type":"subscribe","payload":{"query":"subscription { newComment(postId: 99999) { id post ` + rows + ` } }"}}`)
		hear("NOT_FOUND")
		hear("complete")
		if got := left(); got != before-2 {
			t.Errorf("one that is refused leaves %d of %d", got, before)
		}

		before = left()
		say(`{"id":"2","type":"subscribe","payload":{"query":"subscription { newPost ` + rows + ` }"}}`)
		say(`{"type":"ping"}`)
		hear("pong")
		if got := left(); got > before-1-1-5 {
			t.Errorf("one that runs leaves %d of %d: it reserves nothing", got, before)
		}
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"One","content":"…","published":true}`, auth...).Want(t, 201)
		hear(`"title":"One"`)
		say(`{"id":"2","type":"complete"}`)
		for i := 3; ; i++ { // what was asked since, and its own request
			got := left()
			if got == before-i-1 {
				break
			}
			if got < 10 {
				t.Fatalf("one that has ended leaves %d of %d after %d requests", got, before, i+1)
			}
		}
	})
}
