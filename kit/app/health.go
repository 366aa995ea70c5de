package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/web"
)

type checks = map[string]func(context.Context) error

// health returns what says at /readyz how a process is that answers requests.
func (h *Host) health(gate *web.Gate) *web.Health {
	all := h.workerHealth()
	if !h.Config.Worker {
		delete(all.Likes, "mail") // others send it
	}
	all.Likes["events"] = h.Events.Late
	if len(h.DB.Replicas()) > 0 {
		all.Likes["replicas"] = h.DB.ReplicasReady
	}
	if gate != nil {
		all.Needs["requests"], all.Likes["requests"] = gate.Stuck, gate.Overloaded
	}
	return all
}

// workerHealth returns what says so of a worker.
func (h *Host) workerHealth() *web.Health {
	all := &web.Health{Log: h.Log, Needs: checks{"database": h.databaseReady()}, Likes: checks{}}
	maps.Copy(all.Likes, h.others)
	if !h.transport.Embedded() {
		all.Likes["redis"] = func(ctx context.Context) error {
			_, err := h.Jobs.Bell.Check(ctx) // it writes: a Redis that is full, or a replica, answers a ping
			return err
		}
	}
	if h.Files != nil && h.Files.Scanner != nil {
		all.Likes["scanner"] = h.Files.ScannerReady
	}
	return all
}

// without has /readyz ask a service elsewhere how it is, where its client can: a mail
// server, an object store, an identity provider.
func (h *Host) without(name string, client any) {
	c, ok := client.(interface {
		Ready(ctx context.Context) error
	})
	if !ok {
		return
	}
	if h.others == nil {
		h.others = checks{}
	}
	h.others[name] = rarely(c.Ready)
}

// rarely returns a check whose answer counts for a minute, and one that was an error for
// a quarter of that: /readyz is asked every few seconds in each process, and a service
// of others is not there for that.
func rarely(ask func(context.Context) error) func(context.Context) error {
	const well, away = time.Minute, 15 * time.Second
	var mu sync.Mutex
	var until time.Time
	var answer error
	return func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if time.Now().Before(until) {
			return answer
		}
		answer = ask(ctx)
		if until = time.Now().Add(well); answer != nil {
			until = time.Now().Add(away)
		}
		return answer
	}
}

// databaseReady asks whether the database takes writes, and has what the APIs read and
// write.
func (h *Host) databaseReady() func(context.Context) error {
	fit := &migration.Fit{DB: h.DB, Tables: map[string][]string{}}
	if h.service.Engine == nil {
		return h.DB.Ready
	}
	for _, e := range h.service.Engine(h.DB).Entities {
		if e.Rows == nil {
			continue
		}
		for _, c := range e.Rows.Columns {
			if f := e.Field(c.Field); f == nil || !f.Ended() { // a next version may drop what no client sees
				fit.Tables[e.Table] = append(fit.Tables[e.Table], c.Name)
			}
		}
	}
	return func(ctx context.Context) error {
		if err := h.DB.Ready(ctx); err != nil {
			return err
		}
		return fit.Check(ctx)
	}
}

// watchParts has Prometheus read what /readyz says.
func (h *Host) watchParts(health *web.Health) {
	m := h.metrics()
	if m == nil {
		return
	}
	m.Watch(telemetry.Figure{
		Name: "part_away", Help: "1 for each part of /readyz that is not well, 0 for the others. Without one that is needed the process is unavailable, else degraded.",
		Labels: []string{"part", "needed"}, Read: func(ctx context.Context, add func(float64, ...string)) error {
			for _, part := range health.Parts(ctx) {
				add(number01(part.Err != nil), part.Name, strconv.FormatBool(part.Needed))
			}
			return nil
		},
	})
}

// tellHealth answers a worker's /healthz and /readyz, where the settings have an
// address for them, until end is called. From the end of ctx on it is not ready.
func (h *Host) tellHealth(ctx context.Context) (end func(), err error) {
	health := h.workerHealth()
	h.watchParts(health)
	if h.Config.WorkerAddr == "" {
		return func() {}, nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", h.Config.WorkerAddr)
	if err != nil {
		return nil, fmt.Errorf("%w: set ENTWINE_WORKER_ADDR to another address", err)
	}
	h.Log.InfoContext(ctx, "health is served", "url", "http://"+l.Addr().String()+"/healthz")
	server := &http.Server{
		Handler: health.Handler(), ReadHeaderTimeout: 5 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(h.Log.Handler(), slog.LevelDebug),
	}
	served, still := make(chan error, 1), context.AfterFunc(ctx, health.Drain)
	go func() { served <- server.Serve(l) }()
	return func() {
		still()
		_ = server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			h.Log.ErrorContext(ctx, "health was served no more", "err", err)
		}
	}, nil
}
