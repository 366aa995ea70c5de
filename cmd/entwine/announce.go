package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// announce tells the operator that the service can be reached, and somebody
// who tries it what to do next. The first line is what scripts wait for.
func (p *process) announce(ctx context.Context, db *store.DB, at net.Addr) {
	address := p.url(at)
	p.began(ctx, "entwine serves", db, slog.String("url", address), slog.String("address", at.String()))
	p.tell("entwine listens on %s\n", address)
	p.tell("%s", strings.ReplaceAll(`
Open it in a browser, or try:
  curl -s URL/api/v1/auth/register --json '{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}'
  curl -s URL/api/v1/posts
  curl -s URL/graphql --json '{"query":"{ posts { title author { name } } }"}'
entwine seed fills it with something to look at.
`, "URL", address))
}

// began logs what runs and what it works with. A Redis is named without its
// password.
func (p *process) began(ctx context.Context, message string, db *store.DB, more ...slog.Attr) {
	database, shared := "sqlite", "none"
	if db.Postgres() {
		database = "postgresql"
	}
	if u, err := url.Parse(p.config.RedisURL); err == nil && p.config.RedisURL != "" {
		shared = u.Host + u.Path
	}
	p.log.LogAttrs(ctx, slog.LevelInfo, message, append(more,
		slog.String("version", currentVersion()), slog.String("env", string(p.config.Env)), slog.String("metrics_address", p.config.MetricsAddr),
		slog.String("database", database), slog.String("redis", shared), slog.Bool("worker", p.config.Worker), slog.Int("pid", os.Getpid()))...)
}

// tell writes for who tries the program out. In production the log says all
// that there is to say, and nothing else comes between its lines.
func (p *process) tell(format string, args ...any) {
	if p.config.Env != config.Production {
		fmt.Fprintf(p.stdout, format, args...)
	}
}

// page returns the page at /, which says nothing of the installation in
// production.
func (p *process) page(url string) web.Start {
	if p.config.Env == config.Production {
		return web.Start{}
	}
	return web.Start{Trial: &web.Trial{
		URL: url, Version: currentVersion(), Email: p.config.Account.AdminEmail, Explorer: p.config.GraphQL.Explorer(),
	}}
}

// url is the address that clients use, as far as is known.
func (p *process) url(at net.Addr) string {
	if p.config.PublicURL != "" {
		return p.config.PublicURL
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
