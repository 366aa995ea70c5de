package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// again is the interval of attempts to listen on a port that is in use.
const again = 500 * time.Millisecond

// Serve answers /metrics at an address until ctx ends. Where another process
// has the port, as the one before this one may for a while, it waits.
func (m *Metrics) Serve(ctx context.Context, address string, log *slog.Logger) error {
	l, err := listen(ctx, address, log)
	if l == nil || err != nil {
		return err
	}
	log.InfoContext(ctx, "metrics are served", "url", "http://"+l.Addr().String()+"/metrics")
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}

// listen returns nil where ctx has ended.
func listen(ctx context.Context, address string, log *slog.Logger) (net.Listener, error) {
	for told := false; ; told = true {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
		switch {
		case ctx.Err() != nil:
			if err == nil {
				return nil, l.Close()
			}
			return nil, nil
		case err == nil:
			return l, nil
		case !errors.Is(err, syscall.EADDRINUSE):
			return nil, fmt.Errorf("%w: set ENTWINE_METRICS_ADDR to another address", err)
		case !told:
			log.WarnContext(ctx, "metrics wait for their port: ENTWINE_METRICS_ADDR may be another", "err", err)
		}
		timer := time.NewTimer(again)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}
