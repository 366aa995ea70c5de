package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Server serves a site until its context ends.
type Server struct {
	Handler http.Handler
	Health  *Health
	Log     *slog.Logger
	// Streams ends the connections that stay open, before the others are waited
	// for. It returns when they have ended or its context has. Nil: there are none.
	Streams func(ctx context.Context)
	// Drain is how long requests are still accepted, and told to come back on
	// another connection, after the process has said that it is not ready.
	Drain time.Duration
	// Shutdown is how long running requests may take to end after that.
	Shutdown time.Duration
}

// Serve answers on l, which it closes. When ctx ends it lets clients know,
// finishes what has begun, and returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       time.Minute,
		WriteTimeout:      time.Minute, // a client that does not read; streams lift it
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	return s.stop(ctx, server)
}

func (s *Server) stop(ctx context.Context, server *http.Server) error {
	s.Health.Drain()
	server.SetKeepAlivesEnabled(false) // answers say Connection: close
	time.Sleep(s.Drain)
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
