// Package livelist follows live lists of a service (doc/clients/live.md), for programs in
// Go: beside the client that ogen generates, or any other whose requests go through a
// [Doer]. It leans on nothing of the kit.
//
// The list, its filter, its order and its credentials are those of the client's own call,
// whose request is sent as one for an event stream.
package livelist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"time"
)

// Doer sends requests, as ogen's WithClient takes it.
type Doer interface {
	// Do is that of [http.Client].
	Do(*http.Request) (*http.Response, error)
}

// List is a list that is followed.
type List[Row any] struct {
	// Call asks for the first page of the list, over the Doer, by the client's own method. It is
	// called again for each connection, so that this has the credentials of then. Its error ends the
	// list where nothing was sent.
	Call func(ctx context.Context, over Doer) error
	// Client sends the requests: [http.DefaultClient] where it is nil. It has no Timeout, for a
	// stream lasts.
	Client *http.Client
	// Backoff is the first wait after a connection that was cut, which doubles up to 30 s: 200 ms where
	// it is 0.
	Backoff time.Duration
}

// State is a list at one moment.
type State[Row any] struct {
	// Rows are all of them, in the list's order.
	Rows []Row
	// Total is how many rows the list has, where the call asks for page 1, else -1. There may be more
	// where Exact is false.
	Total int64
	Exact bool
}

// RefusedError is why a list has ended that the service refuses.
type RefusedError struct {
	// Status is that of HTTP.
	Status int
	// Code and Message are those of the error (doc/api/errors.md).
	Code, Message string
}

// Error implements error.
func (r *RefusedError) Error() string {
	return fmt.Sprintf("follow a list: the service answers %d %s: %s", r.Status, r.Code, r.Message)
}

// silence is how long a stream may say nothing: the service says something every 15 s.
const silence = 40 * time.Second

// Follow yields the list of now, and then each time that it is another. A connection that
// is cut is made again, and goes on from the rows that there are. It ends with ctx, whose error is
// the last that it yields, and with a [RefusedError].
func (l *List[Row]) Follow(ctx context.Context) iter.Seq2[State[Row], error] {
	return func(yield func(State[Row], error) bool) {
		s := &screen[Row]{more: func(now State[Row]) bool { return yield(now, nil) }}
		for tries := 0; ; tries++ {
			before := s.events
			err := l.connect(ctx, s)
			if s.stopped {
				return
			}
			if s.events > before {
				tries = 0
			}
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(State[Row]{}, err)
				return
			}
			l.rest(ctx, tries)
		}
	}
}

// rest waits before another connection.
func (l *List[Row]) rest(ctx context.Context, tries int) {
	wait := l.Backoff
	if wait == 0 {
		wait = 200 * time.Millisecond
	}
	wait = min(wait<<min(tries, 16), 30*time.Second)
	timer := time.NewTimer(wait/2 + rand.N(wait/2+1))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// connect takes events until the connection ends. The error is one that another
// connection would have, too.
func (l *List[Row]) connect(ctx context.Context, s *screen[Row]) error {
	var asked taken
	if err := l.Call(ctx, &asked); asked.request == nil {
		return err
	}
	ctx, cut := context.WithCancel(ctx)
	defer cut()
	quiet := time.AfterFunc(silence, cut)
	defer quiet.Stop()
	r := asked.request.Clone(ctx)
	r.Header.Set("Accept", "text/event-stream")
	if s.position != "" {
		r.Header.Set("Last-Event-ID", s.position)
	}
	client := l.Client
	if client == nil {
		client = http.DefaultClient
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil // the service may be there again
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return refusal(answer)
	}
	return s.take(answer.Body, func() { quiet.Reset(silence) })
}

// refusal is the error of the answer, nil where a later answer may differ.
func refusal(answer *http.Response) error {
	switch code := answer.StatusCode; {
	case code >= 500, code == http.StatusRequestTimeout, code == http.StatusTooManyRequests:
		return nil
	}
	var said struct {
		Error struct{ Code, Message string }
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	_ = json.Unmarshal(text, &said) // of a proxy it is something else
	return &RefusedError{answer.StatusCode, said.Error.Code, said.Error.Message}
}

// taken is the request of a call, which it does not send.
type taken struct{ request *http.Request }

func (t *taken) Do(r *http.Request) (*http.Response, error) {
	t.request = r
	return nil, errors.New("the list is followed")
}
