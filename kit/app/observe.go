package app

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/web"
)

// observed runs a command that lasts, with metrics and traces where the
// settings ask for them. The last spans are sent before it returns.
func (p *Process) observed(ctx context.Context, run func(context.Context) error) error {
	slog.SetDefault(p.Log) // for packages that have no logger, and package log
	if risks := p.Config.Warnings; len(risks) > 0 {
		p.Log.WarnContext(ctx, "settings are risky in production", "findings", risks)
	}
	p.telemetry = new(telemetry.Telemetry)
	if p.Config.MetricsAddr != "" {
		p.telemetry.Metrics = telemetry.NewMetrics(p.service.version())
	}
	if !telemetry.Wanted(p.Environ) {
		return run(ctx)
	}
	traces, err := telemetry.OpenTraces(ctx, p.service.Name, p.service.version(), p.Log)
	if err != nil {
		return err
	}
	p.telemetry.Tracer = traces.Tracer()
	err = run(ctx)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if lost := traces.Close(end); lost != nil {
		p.Log.WarnContext(end, "the last traces are not sent", "err", lost)
	}
	return err
}

// metrics returns what counts, nil where nothing does.
func (p *Process) metrics() *telemetry.Metrics {
	if p.telemetry == nil {
		return nil
	}
	return p.telemetry.Metrics
}

// scrape answers Prometheus until ctx ends, if it is to.
func (p *Process) scrape(ctx context.Context) error {
	m := p.metrics()
	if m == nil {
		return nil
	}
	return m.Serve(ctx, p.Config.MetricsAddr, p.Log)
}

// watch has Prometheus read the figures of what a process has, whatever it does.
func (h *Host) watch() {
	m := h.metrics()
	if m == nil {
		return
	}
	watchPools(m, h.DB)
	watchDatabase(m, h.DB)
	watchServer(m, h.DB)
	watchReplicas(m, h.DB)
	h.watchMachine(m)
	backlog := func(name, help string, value func(jobs.Count) float64) telemetry.Figure {
		return telemetry.Figure{Name: name, Help: help, Labels: []string{"queue", "status"}, Read: func(ctx context.Context, add func(float64, ...string)) error {
			all, err := h.Jobs.Backlog(ctx)
			for _, n := range all {
				add(value(n), string(n.Queue), n.Status)
			}
			return err
		}}
	}
	m.Watch(
		telemetry.Figure{
			Name: "deprecated_uses_total", Help: "Requests that used a version, an operation or a field that is deprecated.", Labels: []string{"kind", "name"}, Total: true,
			Read: func(_ context.Context, add func(float64, ...string)) error {
				h.Usage.Totals(func(kind lifecycle.Kind, name string, requests int64) { add(float64(requests), string(kind), name) })
				return nil
			},
		},
		backlog("jobs_unfinished", "Jobs that have not ended, of all processes.", func(n jobs.Count) float64 { return float64(n.Jobs) }),
		backlog("jobs_unfinished_oldest_seconds", "For how long the first of them has been due or running; less than 0 where it is for later.", func(n jobs.Count) float64 { return n.Oldest }),
	)
}

func watchPools(m *telemetry.Metrics, db *store.DB) {
	pool := func(name, help string, total bool, value func(sql.DBStats) float64) telemetry.Figure {
		return telemetry.Figure{Name: name, Help: help, Total: total, Labels: []string{"pool"}, Read: func(_ context.Context, add func(float64, ...string)) error {
			for name, s := range db.Pools() {
				add(value(s), name)
			}
			return nil
		}}
	}
	m.Watch(
		pool("sql_connections_in_use", "Connections to the database that are used now.", false, func(s sql.DBStats) float64 { return float64(s.InUse) }),
		pool("sql_connections_idle", "Connections to the database that are not.", false, func(s sql.DBStats) float64 { return float64(s.Idle) }),
		pool("sql_connections_max", "How many there may be.", false, func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }),
		pool("sql_connection_waits_total", "How often somebody waited for a connection.", true, func(s sql.DBStats) float64 { return float64(s.WaitCount) }),
		pool("sql_connection_wait_seconds_total", "For how long, all in all.", true, func(s sql.DBStats) float64 { return s.WaitDuration.Seconds() }),
	)
}

// watchAPIs has Prometheus read the figures of what answers requests.
func (h *Host) watchAPIs(gate *web.Gate, stall *web.Stall) {
	m := h.metrics()
	if m == nil {
		return
	}
	if gate != nil {
		m.Watch(
			telemetry.Figure{Name: "gate_limit", Help: "How many requests may be in flight now.", Read: telemetry.Number(func() int { n, _, _ := gate.Figures(); return n })},
			telemetry.Figure{Name: "gate_in_flight", Help: "How many are.", Read: telemetry.Number(func() int { _, n, _ := gate.Figures(); return n })},
			telemetry.Figure{Name: "gate_waiting", Help: "How many wait to be.", Read: telemetry.Number(func() int { _, _, n := gate.Figures(); return n })},
		)
	}
	m.Watch(
		telemetry.Figure{Name: "graphql_connections", Help: "WebSockets and event streams that are open, those of REST too.", Read: telemetry.Number(h.streams.Connections)},
		telemetry.Figure{Name: "live_lists", Help: "Lists that are followed, each once for all who share it.", Read: telemetry.Number(h.followed)},
		telemetry.Figure{Name: "live_readings_total", Help: "How often lists that are followed were read.", Total: true, Read: telemetry.Number(h.readings)},
		telemetry.Figure{Name: "live_comparisons_total", Help: "How often a list was compared with the write of a row, to know whether it is to be read.", Total: true, Read: telemetry.Number(h.comparisons)},
		telemetry.Figure{Name: "database_share_waiting", Help: "Statements and transactions that wait because their callers have their share of the connections.", Read: telemetry.Number(h.DB.Waiting)},
		telemetry.Figure{Name: "connections_blocked", Help: "Connections whose answers wait for their clients to read.", Read: telemetry.Number(func() int { n, _ := stall.Figures(); return n })},
		telemetry.Figure{Name: "connections_stalled", Help: "Those whose clients have taken nothing for a second.", Read: telemetry.Number(func() int { _, n := stall.Figures(); return n })},
		telemetry.Figure{Name: "event_subscriptions", Help: "Subscriptions that listen to events.", Read: telemetry.Number(func() int { return h.Events.Figures().Subscriptions })},
		telemetry.Figure{Name: "events_read_total", Help: "Events that were read for subscriptions.", Total: true, Read: telemetry.Number(func() int { return h.Events.Figures().Read })},
		telemetry.Figure{Name: "event_subscriptions_replaced_total", Help: "Subscriptions that were ended because the database is another one, or at an earlier state.", Total: true, Read: telemetry.Number(func() int { return h.Events.Figures().Replaced })},
		telemetry.Figure{Name: "event_delay_seconds", Help: "How old the oldest event of the last batch was when it was read.", Read: telemetry.Number(func() float64 { return h.Events.Figures().Delay.Seconds() })},
		telemetry.Figure{Name: "event_lag_seconds", Help: "For how long committed events have not all been handed to subscriptions: about a second at most while all is well.", Read: telemetry.Number(func() float64 { return h.Events.Figures().Lag.Seconds() })},
	)
}

// readings is how often live lists were read.
func (h *Host) readings() int {
	if h.lists == nil {
		return 0
	}
	return h.lists.Readings()
}

// comparisons is how often live lists were compared with writes.
func (h *Host) comparisons() int {
	if h.lists == nil {
		return 0
	}
	return h.lists.Compared()
}

// followed is how many live lists are followed.
func (h *Host) followed() int {
	if h.lists == nil {
		return 0
	}
	return h.lists.Followed()
}
