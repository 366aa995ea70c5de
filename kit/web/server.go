package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Server serves a site until its context ends.
type Server struct {
	Handler http.Handler
	Health  *Health
	Log     *slog.Logger
	// Refusal is the answer, as it is sent, to a request that can't be read as
	// one: [Edge.Refusal]. Nil: net/http's own words.
	Refusal func(begun []byte, err error) []byte
	// Stall bounds clients that do not read. Nil: a minute, and no bound of their number.
	Stall *Stall
	// Streams ends the connections that stay open, before the others are waited
	// for. It returns when they have ended or its context has. Nil: there are none.
	Streams func(ctx context.Context)
	// Drain is how long requests are still accepted, and told to come back on
	// another connection, after the process has said that it is not ready. It
	// is at least a second where another process has taken over.
	Drain time.Duration
	// Shutdown is how long running requests may take to end after that.
	Shutdown time.Duration
}

// ErrTakenOver is the cause (context.Cause) of a context that ends because another
// process accepts the connections of the listener from now on.
var ErrTakenOver = errors.New("another process has taken over")

// drainTaken is how long connections that are left to a process that was
// taken over may take to be used once more, and to be told to close.
const drainTaken = time.Second

// Serve answers on l, which it closes. When ctx ends it lets clients know,
// finishes what has begun, and returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	draining := new(atomic.Bool)
	server := &http.Server{
		Handler:           closing(draining, s.Handler),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       time.Minute,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState:      judged,
		MaxHeaderBytes: 2 * maxHeader,
		ErrorLog:       slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	stall := s.Stall
	if stall == nil {
		stall = &Stall{Time: time.Minute}
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(stall.listen(l, s.Refusal)) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	drain := s.Drain
	if errors.Is(context.Cause(ctx), ErrTakenOver) {
		// What connects from now on is the other's; this one would not get to it.
		_ = l.Close()
		drain = max(drain, drainTaken)
	}
	draining.Store(true)
	return s.stop(ctx, server, drain)
}

// closing has answers say Connection: close while the server drains. To close
// connections that are idle instead, as net/http would, cuts off the request
// that a client is just sending.
func closing(draining *atomic.Bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) stop(ctx context.Context, server *http.Server, drain time.Duration) error {
	s.Health.Drain()
	time.Sleep(drain)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Shutdown)
	defer cancel()
	if s.Streams != nil {
		s.Streams(ctx)
	}
	if err := server.Shutdown(ctx); err != nil {
		s.Log.WarnContext(ctx, "requests were cut off", "err", err)
		return errors.Join(err, server.Close())
	}
	return nil
}
