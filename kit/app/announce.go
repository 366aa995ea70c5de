package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/internal/redisurl"
	"github.com/entwine-go/entwine/kit/store"
)

// announce prints that the service can be reached, and in development what to try
// next. Scripts wait for the first line.
func (h *Host) announce(ctx context.Context, db *store.DB, at net.Addr) {
	p, address := h.Process, h.url(at)
	p.began(ctx, p.service.Name+" serves", db, slog.String("url", address), slog.String("address", at.String()))
	if p.development() != "" { // which prints it once
		return
	}
	p.tell("%s listens on %s\n", p.service.Name, address)
	if p.service.Try != "" {
		p.tell("\n%s\n", addressed(strings.TrimSpace(p.service.Try), address, h.linked()))
	} else {
		p.tell("\nOpen it in a browser: the page says what to try.\n")
	}
}

// began logs what runs and what it works with. A Redis is named without its
// password.
func (p *Process) began(ctx context.Context, message string, db *store.DB, more ...slog.Attr) {
	shared := "none"
	if address := p.Config.RedisURL; address != "" {
		shared = redisurl.Shown(address)
	}
	p.Log.LogAttrs(ctx, slog.LevelInfo, message, append(more,
		slog.String("version", p.service.version()), slog.String("env", string(p.Config.Env)), slog.String("metrics_address", p.Config.MetricsAddr),
		slog.String("database", strings.ToLower(db.Dialect.Title())), slog.String("redis", shared), slog.Bool("worker", p.Config.Worker), slog.Int("pid", os.Getpid()))...)
}

// tryRedis says at the start that Redis does not answer, and by which setting it is
// found: what needs it goes on to try.
func (h *Host) tryRedis(ctx context.Context) error {
	if h.transport.Embedded() {
		return nil
	}
	if _, err := h.Jobs.Bell.Check(ctx); err != nil && ctx.Err() == nil {
		h.Log.WarnContext(ctx, "Redis does not answer: is ENTWINE_REDIS_URL right?", "redis", redisurl.Shown(h.Config.RedisURL), "err", err)
	}
	return nil
}

// tell writes for who tries the program out. In production the log says all
// that there is to say, and nothing else comes between its lines.
func (p *Process) tell(format string, args ...any) {
	if p.Config.Env != config.Production {
		fmt.Fprintf(p.Stdout, format, args...)
	}
}

// url is the address that clients use, as far as is known.
func (p *Process) url(at net.Addr) string {
	if p.Config.PublicURL != "" {
		return p.Config.PublicURL
	}
	return "http://" + reachable(at)
}

// reachable is an address at which this machine reaches the listener.
func reachable(at net.Addr) string {
	a, err := netip.ParseAddrPort(at.String())
	if err != nil || !a.Addr().IsUnspecified() {
		return at.String()
	}
	return "localhost:" + strconv.Itoa(int(a.Port()))
}
