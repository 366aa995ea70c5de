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
	// Refusal is the complete answer to a request that can't be parsed: [Edge.Refusal]. Nil: net/http's own words.
	Refusal func(begun []byte, err error) []byte
	// Stall bounds clients that do not read. Nil: a minute, and no bound of their number.
	Stall *Stall
	// Streams ends the connections that stay open, before the others are waited
	// for. It returns when they have ended or its context has. Nil: there are none.
	Streams func(ctx context.Context)
	// Drain is how long connections are still accepted after the process has said that
	// it is not ready, so that load balancers notice. Each is closed by its next answer.
	// 0: connections are closed at once, as when no load balancer stands in front.
	Drain time.Duration
	// Shutdown is how long running requests may take to end after that.
	Shutdown time.Duration
}

// ErrTakenOver is the cause (context.Cause) of a context that ends because another
// process accepts the connections of the listener from now on.
var ErrTakenOver = errors.New("another process has taken over")

// linger is how long connections may take, once no more are accepted, to be used once
// more and closed by that answer. To close one that is idle cuts off the request
// that its client is just sending, which a proxy does not repeat if it is a POST.
const linger = time.Second

// Serve answers on l, which it closes. When ctx ends it lets clients know,
// finishes what has begun, and returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	draining, open := new(atomic.Bool), new(opened)
	server := &http.Server{
		Handler:           closing(draining, s.Handler),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       time.Minute,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			judged(c, state)
			open.count(state)
		},
		MaxHeaderBytes: 2 * maxHeader,
		ErrorLog:       slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	stall := s.Stall
	if stall == nil {
		stall = &Stall{Time: time.Minute}
	}
	defer stall.idle.close()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(stall.listen(l, s.Refusal)) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	draining.Store(true)
	s.Health.Drain()
	if s.leave(ctx, l, open) {
		// It has seen that the listener is closed, which Shutdown would fail to do again.
		s.Log.DebugContext(ctx, "no new connections are taken", "err", <-failed)
	}
	return s.stop(ctx, server)
}

// leave closes the listener and returns when the connections that there are have been
// closed by their last answers, as far as they are used. Without a reason for that it
// does nothing.
func (s *Server) leave(ctx context.Context, l net.Listener, open *opened) (closed bool) {
	most := linger
	switch taken := errors.Is(context.Cause(ctx), ErrTakenOver); {
	case taken: // what connects from now on is the other's
		most = max(s.Drain, linger)
	case s.Drain > 0:
		time.Sleep(s.Drain)
		quiesce(l)
	default:
		return false
	}
	_ = l.Close()
	open.wait(most)
	return true
}

// closing has answers say Connection: close while the server drains, and where it
// is not certain that the next request begins behind this one. To close
// connections that are idle instead, as net/http would, cuts off the request
// that a client is just sending.
func closing(draining *atomic.Bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if draining.Load() || connOf(r.Context()).ambiguous(r) {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) stop(ctx context.Context, server *http.Server) error {
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
