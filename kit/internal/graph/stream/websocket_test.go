package stream_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

func subscribe(id, query string) string {
	return fmt.Sprintf(`{"id":%s,"type":"subscribe","payload":{"query":%s}}`, quoted(id), quoted(query))
}

func TestAConversation(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(current, `{"token":"7"}`)
		c.send(subscribe("a", "who"))
		c.hears(`{"id":"a","type":"next","payload":{"data":"7 0"}}`)
		c.hears(`{"id":"a","type":"complete"}`)
		c.send(subscribe("a", "feed")) // its id is free again
		c.send(subscribe(`"b"`, "bad"))
		c.hears(`{"id":"\"b\"","type":"error","payload":[{"message":"bad"}]}`)
		c.send(`{"type":"ping","payload":{"n":1}}`)
		c.hears(`{"type":"pong","payload":{"n":1}}`) // which says that the subscription was accepted
		c.send(`{"type":"ping"}`)
		c.hears(`{"type":"pong"}`)
		c.send(`{"type":"pong"}`)
		w.feed(0).next <- `{"data":1}`
		c.hears(`{"id":"a","type":"next","payload":{"data":1}}`)
		c.send(`{"id":"a","type":"complete"}`)
		c.send(`{"id":"unknown","type":"complete"}`)
		synctest.Wait()
		if !w.feed(0).closed.Load() {
			t.Error("completing has not ended the operation")
		}
		c.send(subscribe("a", "feed"))
		w.feed(1).next <- `{"data":2}`
		c.hears(`{"id":"a","type":"next","payload":{"data":2}}`)
		w.feed(1).end <- io.EOF
		c.hears(`{"id":"a","type":"complete"}`)
		_ = c.ws.Close(websocket.StatusNormalClosure, "")
	})
}

func TestTheOlderProtocol(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(legacy, `{"Authorization":"Bearer 7"}`)
		c.send(`{"id":"1","type":"start","payload":{"query":"who"}}`)
		c.hears(`{"id":"1","type":"data","payload":{"data":"7 0"}}`)
		c.hears(`{"id":"1","type":"complete"}`)
		c.send(`{"id":"1","type":"start","payload":{"query":"bad"}}`)
		c.hears(`{"id":"1","type":"data","payload":{"errors":[{"message":"bad"}]}}`)
		c.hears(`{"id":"1","type":"complete"}`)
		c.send(`{"id":"1","type":"start","payload":{"query":"feed"}}`)
		w.feed(0).next <- `{"data":1}`
		c.hears(`{"id":"1","type":"data","payload":{"data":1}}`)
		c.send(`{"id":"1","type":"stop"}`)
		c.hears(`{"type":"ka"}`) // 15 seconds later
		c.send(`{"type":"connection_terminate"}`)
		c.isClosed(websocket.StatusNormalClosure, "")
	})
}

// An id is free again as soon as the client has read that its operation is complete.
func TestAnIDIsUsedAgainAtOnce(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(current, `{"token":"7"}`)
		for range 200 {
			c.send(subscribe("a", "who"))
			c.hears(`{"id":"a","type":"next","payload":{"data":"7 0"}}`)
			c.hears(`{"id":"a","type":"complete"}`)
		}
	})
}

// An operation with a text that is none is refused, and the others of the connection go on.
func TestTextsThatAreNone(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(current, `{"token":"7"}`)
		c.send(subscribe("a", "feed"))
		for _, text := range []string{`\ud800`, `\u0000`} {
			c.send(`{"id":"b","type":"subscribe","payload":{"query":"feed","variables":{"a":"` + text + `"}}}`)
			if got := c.heard(); !strings.HasPrefix(got, `{"id":"b","type":"error","payload":[{"message":"payload: `) || !strings.Contains(got, `"code":"BAD_USER_INPUT"`) {
				t.Errorf("%s: %s", text, got)
			}
		}
		c.send(`{"id":"a","type":"complete"}`)
		c.send(`{"type":"ping"}`)
		c.hears(`{"type":"pong"}`)
	})
}

// A connection that ends while a ping is being written is closed with its code.
func TestTheCodeArrivesBehindAPing(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(current, `{"token":"7"}`)
		time.Sleep(15 * time.Second)
		synctest.Wait() // the ping is being written, as the client reads nothing
		c.send(`{`)
		synctest.Wait()
		c.isClosed(4400, "Invalid message: ")
	})
}

func TestWhoAConnectionIsFrom(t *testing.T) {
	for _, c := range []struct{ name, header, payload, want string }{
		{"nobody", "", `{}`, "0 0"},
		{"nobody who says so", "", `null`, "0 0"},
		{"the upgrade's", "7", `{}`, "7 0"},
		{"the payload's before the upgrade's", "7", `{"token":"8"}`, "8 0"},
		{"a header in the payload", "", `{"authorization":"bearer 9"}`, "9 0"},
		{"an API key", "", `{"apiKey":"ek_1"}`, "0 1"},
		{"an API key by its header's name", "", `{"X-API-Key":"ek_1"}`, "0 1"},
		{"Apollo's token", "", `{"authToken":"9"}`, "9 0"},
		{"Hasura's headers", "", `{"headers":{"content-type":"application/json","Authorization":"Bearer 9"}}`, "9 0"},
		{"a key among headers", "", `{"headers":{"x-api-key":"ek_1"}}`, "0 1"},
		{"no header", "7", `{"headers":{}}`, "7 0"},
		{"the same twice", "", `{"headers":{"authorization":"Bearer 9"},"token":"9"}`, "9 0"},
		{"a token beside other things", "", `{"token":"9","client":"web"}`, "9 0"},
		{"nothing in place of a token", "7", `{"token":null,"apiKey":""}`, "7 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				ws := w.dial(current, "Authorization", c.header)
				ws.send(`{"type":"connection_init","payload":` + c.payload + `}`)
				ws.hears(`{"type":"connection_ack"}`)
				ws.send(subscribe("a", "who"))
				ws.hears(`{"id":"a","type":"next","payload":{"data":"` + c.want + `"}}`)
			})
		})
	}
}

func TestEveryCode(t *testing.T) {
	opened := func(w *world) *client { return w.open(current, `{"token":"7"}`) }
	saying := func(text string) func(w *world) *client {
		return func(w *world) *client {
			c := opened(w)
			c.send(text)
			return c
		}
	}
	ending := func(err error) func(w *world) *client {
		return func(w *world) *client {
			c := opened(w)
			c.send(subscribe("a", "feed"))
			w.feed(0).end <- err
			return c
		}
	}
	first := func(text string) func(w *world) *client {
		return func(w *world) *client {
			c := w.dial(current)
			c.send(text)
			return c
		}
	}
	for _, c := range []struct {
		name string
		code websocket.StatusCode
		why  string
		do   func(w *world) *client
	}{
		{"no sub-protocol", 4406, "Subprotocol not acceptable", func(w *world) *client { return w.dial("") }},
		{"another sub-protocol", 4406, "Subprotocol not acceptable", func(w *world) *client { return w.dial("soap") }},
		{"no connection_init", 4408, "Connection initialisation timeout", func(w *world) *client { return w.dial(current) }},
		{"a second connection_init", 4429, "Too many initialisation requests", saying(`{"type":"connection_init"}`)},
		{"a subscription too early", 4401, "Unauthorized", first(subscribe("a", "feed"))},
		{"a bad token", 4403, "Forbidden: token invalid", first(`{"type":"connection_init","payload":{"token":"x"}}`)},
		{"a header without a scheme", 4403, "Forbidden: token required", first(`{"type":"connection_init","payload":{"Authorization":"7"}}`)},
		{"a bad key", 4403, "Forbidden: API key invalid", first(`{"type":"connection_init","payload":{"apiKey":"x"}}`)},
		{"a token that is no string", 4403, "Forbidden", first(`{"type":"connection_init","payload":{"token":7}}`)},
		{"a credential by another name", 4400, "Invalid message: payload.jwt is no credential", first(`{"type":"connection_init","payload":{"jwt":"7"}}`)},
		{"another header", 4400, "Invalid message: payload.x-hasura-admin-secret", first(`{"type":"connection_init","payload":{"headers":{"x-hasura-admin-secret":"7"}}}`)},
		{"headers that are none", 4400, "Invalid message: payload.headers", first(`{"type":"connection_init","payload":{"headers":"7"}}`)},
		{"two credentials", 4400, "Invalid message: payload has several", first(`{"type":"connection_init","payload":{"token":"7","apiKey":"ek_1"}}`)},
		{"a bad token among headers", 4403, "Forbidden: token invalid", first(`{"type":"connection_init","payload":{"headers":{"authorization":"Bearer x"}}}`)},
		{"no JSON", 4400, "Invalid message: ", saying(`{`)},
		{"no object", 4400, "Invalid message: ", saying(`[]`)},
		{"a name twice", 4400, "Invalid message: ", saying(`{"type":"ping","type":"ping"}`)},
		{"a name twice beside an operation", 4400, "Invalid message: ", saying(`{"id":"a","id":"b","type":"subscribe","payload":{"query":"\ud800"}}`)},
		{"half of a character too early", 4401, "Unauthorized", first(`{"id":"a","type":"subscribe","payload":{"query":"feed","variables":{"a":"\ud800"}}}`)},
		{"an unknown type", 4400, "Invalid message: type", saying(`{"type":"start"}`)},
		{"no id", 4400, "Invalid message: id", saying(`{"type":"subscribe","payload":{"query":"feed"}}`)},
		{"an empty id", 4400, "Invalid message: id", saying(subscribe("", "feed"))},
		{"no payload", 4400, "Invalid message: payload", saying(`{"id":"a","type":"subscribe"}`)},
		{"no query", 4400, "Invalid message: payload.query", saying(`{"id":"a","type":"subscribe","payload":{}}`)},
		{"variables that are none", 4400, "Invalid message: payload.variables", saying(`{"id":"a","type":"subscribe","payload":{"query":"feed","variables":[]}}`)},
		{"bytes", 4400, "Invalid message: ", func(w *world) *client {
			c := opened(w)
			_ = c.ws.Write(w.Context(), websocket.MessageBinary, []byte(`{"type":"ping"}`))
			return c
		}},
		{"an id in use", 4409, "Subscriber for a already exists", func(w *world) *client {
			c := opened(w)
			c.send(subscribe("a", "feed"))
			c.send(subscribe("a", "feed"))
			return c
		}},
		{"a long id in use", 4409, "Subscriber for xxxxx", func(w *world) *client {
			c := opened(w)
			c.send(subscribe(strings.Repeat("x", 300), "feed"))
			c.send(subscribe(strings.Repeat("x", 300), "feed"))
			return c
		}},
		{"a message that is too large", 1009, "read limited", saying(strings.Repeat(" ", 64<<10+1))},
		{"too many connections", 1013, "3 connections", func(w *world) *client {
			for range 3 {
				opened(w)
			}
			c := w.dial(current)
			c.send(`{"type":"connection_init","payload":{"token":"7"}}`)
			return c
		}},
		{"events that were not taken", 1013, "the subscriber is too slow", ending(events.ErrSlow)},
		{"events that may be missing", 1013, "events may have been missed", ending(events.ErrBehind)},
		{"the end of events", 1012, "Service restart", ending(events.ErrClosed)},
		{"a token that is refused for an event", 4403, "Forbidden: token expired", ending(problem.New(problem.TokenExpired, "token expired"))},
		{"a mistake of ours", 1011, "Internal server error", ending(errors.New("secret"))},
		{"a panic of ours", 1011, "Internal server error", saying(subscribe("a", "panic"))},
		{"a drain", 1012, "Service restart", func(w *world) *client {
			c := opened(w)
			go w.Drain(w.Context())
			return c
		}},
		{"a connection after a drain", 1012, "Service restart", func(w *world) *client {
			w.Drain(w.Context())
			return w.dial(current)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) { c.do(w).isClosed(c.code, c.why) })
		})
	}
}

// A subscription more than are allowed is refused alone: those that run go on, and
// when one of them has ended there is room for another.
func TestTheNextSubscriptionIsRefusedAlone(t *testing.T) {
	inBubble(t, func(w *world) {
		first, second, third := w.open(current, `{"token":"7"}`), w.open(current, `{"token":"7"}`), w.open(current, `{"token":"7"}`)
		refused := func(c *client, where string) {
			t.Helper()
			c.send(subscribe("more", "who"))
			c.hears(`{"id":"more","type":"error","payload":[{"message":"` + where + `: end one of them first","extensions":{"code":"SUBSCRIPTION_LIMIT","status":429}}]}`)
		}
		for i := range 200 {
			first.send(subscribe(fmt.Sprint(i), "feed"))
			second.send(subscribe(fmt.Sprint(i), "feed"))
		}
		refused(first, "200 operations are running already on this connection")
		refused(second, "200 operations are running already on this connection")
		refused(third, "400 operations are running already on all connections of this caller")

		answered := func(c *client, user string) {
			t.Helper()
			c.send(subscribe("one", "who"))
			c.hears(`{"id":"one","type":"next","payload":{"data":"` + user + ` 0"}}`)
			c.hears(`{"id":"one","type":"complete"}`)
		}
		answered(w.open(current, `{"token":"8"}`), "8")
		first.send(`{"id":"7","type":"complete"}`)
		answered(first, "7")
		answered(third, "7")
		_ = second.ws.Close(websocket.StatusNormalClosure, "") // what ran on it is counted no more
		synctest.Wait()
		for i := range 200 {
			third.send(subscribe(fmt.Sprint(i), "feed"))
		}
		refused(third, "200 operations are running already on this connection")
	})
}

func TestCredentialsAreProvenAgain(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(current, `{"token":"7/600"}`)
		c.send(subscribe("a", "feed"))
		began := time.Now()
		const good = 70 * time.Second // twice proven and found good
		for time.Since(began) < good {
			time.Sleep(4 * time.Second) // but not so long that a ping waits
			c.send(`{"type":"ping"}`)
			c.hears(`{"type":"pong"}`)
		}
		w.mu.Lock()
		w.revoked = true
		w.mu.Unlock()
		c.isClosed(4403, "Forbidden: token invalid")
		if took := time.Since(began); took > good+34*time.Second {
			t.Errorf("it was noticed %v after that", took-good)
		}
	})
	inBubble(t, func(w *world) {
		began := time.Now()
		w.open(current, `{"token":"7/20"}`).isClosed(4403, "Forbidden: token expired")
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("a token of 20 s was good for %v", took)
		}
	})
}

// An operation is run as the viewer of the moment when it begins, however long
// ago the connection was opened.
func TestAnOperationProvesTheCredentialsAgain(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(current, `{"token":"7"}`)
		w.become(&viewer.Viewer{UserID: 8}, nil)
		c.send(subscribe("a", "who"))
		c.hears(`{"id":"a","type":"next","payload":{"data":"8 0"}}`)
		c.hears(`{"id":"a","type":"complete"}`)

		w.become(nil, problem.New(problem.Unavailable, "away"))
		c.send(subscribe("a", "who"))
		c.hears(`{"id":"a","type":"next","payload":{"errors":"away"}}`)
		c.hears(`{"id":"a","type":"complete"}`)

		w.become(nil, problem.New(problem.TokenInvalid, "token invalid"))
		c.send(subscribe("a", "who"))
		c.isClosed(4403, "Forbidden: token invalid")
	})
}

// A client that reads nothing is cut off after 5 seconds, and holds up no other.
func TestAReaderThatStandsStill(t *testing.T) {
	inBubble(t, func(w *world) {
		still, other := w.open(current, `{"token":"7"}`), w.open(current, `{"token":"7"}`)
		still.send(subscribe("a", "flood"))
		still.send(subscribe("b", "feed"))
		feed := w.feed(0)
		began := time.Now()
		other.send(subscribe("a", "who"))
		other.hears(`{"id":"a","type":"next","payload":{"data":"7 0"}}`)
		other.hears(`{"id":"a","type":"complete"}`)
		if took := time.Since(began); took > 0 {
			t.Errorf("another connection was held up for %v", took)
		}
		for !feed.closed.Load() {
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it was cut off after %v", took)
		}
	})
}

func TestAClientThatIsGoneIsNoticed(t *testing.T) {
	inBubble(t, func(w *world) {
		c := w.open(current, `{"token":"7"}`)
		c.send(subscribe("a", "feed"))
		feed := w.feed(0)
		began := time.Now()
		for !feed.closed.Load() { // the client does not read, so it answers no ping
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if took := time.Since(began); took > 31*time.Second {
			t.Errorf("it was noticed after %v", took)
		}
	})
}

func TestAConnectionThatEndsMakesRoom(t *testing.T) {
	inBubble(t, func(w *world) {
		for range 10 {
			c := w.open(current, `{"token":"7"}`)
			_ = c.ws.Close(websocket.StatusNormalClosure, "")
			synctest.Wait()
		}
	})
}
