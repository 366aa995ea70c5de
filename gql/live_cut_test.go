package gql_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/post"
)

// Wherever an event stream is cut, a subscription from the position that the client has
// gives it the list again by one response.
func TestALiveSubscriptionIsCutAtEveryByte(t *testing.T) {
	onStage(t, func(s *stage) {
		for i, title := range []string{"B", "C", "E"} {
			s.post(2, title, i+1)
		}
		run := s.tape("")
		run.responses(1)
		for i, title := range []string{"D", "A", "F"} {
			s.client.Post.Update().Where(post.ID(1)).SetTitle(title).ExecX(s.system())
			run.responses(i + 2)
		}
		s.client.Post.Delete().Where(post.ID(2)).ExecX(s.system())
		run.responses(5)
		run.cut()
		recorded := run.sent.String()
		var end screen
		end.takes(t, recorded)
		if len(end.rows) != 2 {
			t.Fatalf("it ends with %v", end.rows)
		}
		for k := range len(recorded) + 1 {
			var c screen
			c.takes(t, recorded[:k])
			from := c.position
			again := s.tape(from)
			again.responses(1)
			again.cut()
			c.takes(t, again.sent.String())
			if c.reset != (from == "") || !slices.Equal(c.rows, end.rows) {
				t.Fatalf("cut at byte %d it goes on from %q, anew: %v, and has %v, want %v", k, from, c.reset, c.rows, end.rows)
			}
		}
		other := s.hear("ada", `postsLive(first: 2, orderBy: [{field: TITLE}], since: "`+end.position+`") { reset }`)
		text := other.next()
		if text == `{"type":"pong"}` {
			text = other.next()
		}
		if !strings.Contains(text, `"reset":true`) {
			t.Errorf("from the position of another caller: %s", text)
		}
	})
}

// screen is the list that a client shows.
type screen struct {
	position string
	reset    bool // of the last response
	rows     []string
}

// takes does what the whole events of an event stream say.
func (c *screen) takes(t *testing.T, sent string) {
	t.Helper()
	all := strings.Split(sent, "\n\n")
	for _, one := range all[:len(all)-1] {
		data, found := strings.CutPrefix(one, "event: next\ndata: ")
		if !found {
			continue
		}
		var said struct {
			Data struct {
				PostsLive struct {
					Position string
					Reset    bool
					Steps    []struct {
						Kind, ID string
						Index    int
						From     *int
						Node     json.RawMessage
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(data), &said); err != nil {
			t.Fatal(err)
		}
		u := said.Data.PostsLive
		if c.position, c.reset = u.Position, u.Reset; c.reset {
			c.rows = nil
		}
		for _, step := range u.Steps {
			node := step.ID + string(step.Node)
			if step.Kind != "enter" {
				at := step.Index
				if step.From != nil {
					at = *step.From
				}
				if !strings.HasPrefix(c.rows[at], step.ID) {
					t.Fatalf("%+v of %v", step, c.rows)
				}
				if step.Kind == "move" {
					node = c.rows[at]
				}
				c.rows = slices.Delete(c.rows, at, at+1)
			}
			if step.Kind != "leave" {
				c.rows = slices.Insert(c.rows, step.Index, node)
			}
		}
	}
}

// tape has what an event stream of bob's list has sent.
type tape struct {
	*stage
	body io.ReadCloser
	sent bytes.Buffer
}

func (s *stage) tape(since string) *tape {
	s.Helper()
	if since != "" {
		since = `, since: "` + since + `"`
	}
	body, _ := json.Marshal(map[string]string{
		"query": `subscription { postsLive(first: 2, orderBy: [{field: TITLE}]` + since + `) { position reset steps { kind id index from node { title } } } }`,
	})
	r, err := http.NewRequestWithContext(s.Context(), "POST", s.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	r.Header = http.Header{"X-Name": {"bob"}, "Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = res.Body.Close() })
	return &tape{stage: s, body: res.Body}
}

// responses reads until so many have come.
func (t *tape) responses(n int) {
	t.Helper()
	b := make([]byte, 1024)
	for strings.Count(t.sent.String(), "event: next\n") < n || !strings.HasSuffix(t.sent.String(), "\n\n") {
		n, err := t.body.Read(b)
		if t.sent.Write(b[:n]); err != nil {
			t.Fatalf("%v after %q", err, t.sent.String())
		}
	}
}

// cut ends the stream.
func (t *tape) cut() { _ = t.body.Close() }
