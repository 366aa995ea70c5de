// Package stream carries GraphQL over connections that stay open.
//
// It owns the wire: the WebSocket protocols graphql-transport-ws and the older
// graphql-ws, server-sent events (graphql-sse, one connection for each operation),
// how much a connection may ask for and leave unread, whose credentials are good
// for how long, and how all of them end when the process does. The [Executor]
// answers operations.
//
//	waiting -connection_init, credentials good-> open -complete, error-> open
//	   any  -a broken rule, a slow reader, an expiry, the end of the process-> closed, with a code
//
// A connection at rest is one goroutine for each subscription: package web waits for its client,
// and what reads and writes exists while there is something to read or to write.
package stream

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Executor runs operations.
type Executor interface {
	// Start begins an operation for the viewer of ctx. A subscription that it returns
	// without errors has been accepted: it has all commits from then on. Refused are
	// documents that can't be run at all.
	Start(ctx context.Context, p *graphql.RawParams) (Results, gqlerror.List)
	// Refusal is a response that holds but the error, which it logs where that
	// is a fault.
	Refusal(ctx context.Context, err error) []byte
}

// Results are the responses of an operation: one of a query or a mutation,
// one for each event of a subscription.
type Results interface {
	// Next waits for the next response, as JSON. After the last it returns
	// [io.EOF]. Any other error ends the connection, with a code that
	// says why (endingOf).
	Next(ctx context.Context) ([]byte, error)
	// Close ends the operation.
	Close()
}

// Authenticator proves credentials, and proves them again: see web.Authenticator.
// Its errors are problem errors where a credential is no good.
type Authenticator interface {
	Token(ctx context.Context, token string) (*viewer.Viewer, error)
	APIKey(ctx context.Context, key string) (*viewer.Viewer, error)
	// Still returns a viewer who was proven before as they are now.
	Still(ctx context.Context, was *viewer.Viewer) (*viewer.Viewer, error)
}

// The limits of a connection.
const (
	maxMessage    = 64 << 10         // bytes of a message from the client
	maxOperations = 200              // at a time on a connection
	maxOfCaller   = 400              // and on all connections of a caller to this process
	maxUnread     = 256              // messages that wait to be written
	maxUnreadSize = 1 << 20          // and their bytes
	initTime      = 3 * time.Second  // to say connection_init
	writeTime     = 5 * time.Second  // for the client to take a message
	beatTime      = 15 * time.Second // between pings, and for the answer to one
	proofTime     = 30 * time.Second // until credentials are proven again
	retryTime     = 5 * time.Second  // until that is tried again where it failed
)

// Server serves streams until it is drained.
type Server struct {
	Executor Executor
	Auth     Authenticator
	Log      *slog.Logger
	// MaxConnections is how many connections a caller may have at a time: a
	// user, an API key, or an address where a caller is anonymous.
	MaxConnections int

	callers    callers // by their connections
	operations callers // by what runs on these

	mu       sync.Mutex
	draining bool
	open     map[*entry]struct{}
	all      sync.WaitGroup
}

// entry is a connection that is open: leave ends it when the server is drained.
type entry struct{ leave func() }

// enter notes that a connection is open. It reports false where the server is
// being drained; otherwise exit must be called when the connection has ended.
func (s *Server) enter(leave func()) (exit func(), ok bool) {
	e := &entry{leave: leave}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return nil, false
	}
	if s.open == nil {
		s.open = make(map[*entry]struct{})
	}
	s.open[e] = struct{}{}
	s.all.Add(1)
	return func() {
		s.mu.Lock()
		delete(s.open, e)
		s.mu.Unlock()
		s.all.Done()
	}, true
}

// Connections is how many connections are open.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Drain ends all connections and refuses new ones: WebSockets are closed with
// 1012, event streams are broken off. It waits until they have ended, or ctx has.
func (s *Server) Drain(ctx context.Context) {
	s.mu.Lock()
	s.draining = true
	var leaves []func()
	for e := range s.open {
		leaves = append(leaves, e.leave)
	}
	s.mu.Unlock()
	for _, leave := range leaves {
		go leave()
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.all.Wait()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}
