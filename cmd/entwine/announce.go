package main

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// announce tells the operator that the service can be reached, and somebody
// who tries it what to do next. The first line is what scripts wait for.
func (p *process) announce(at net.Addr, password string) {
	url := p.url(at)
	fmt.Fprintf(p.stdout, "entwine listens on %s\n", url)
	if password != "" {
		fmt.Fprintf(p.stdout, "The first admin is %s, password %s: this is shown only now.\n", p.config.Account.AdminEmail, password)
	}
	if p.config.Env == config.Production {
		return
	}
	fmt.Fprint(p.stdout, strings.ReplaceAll(`
Open it in a browser, or try:
  curl -s URL/api/v1/auth/register --json '{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}'
  curl -s URL/api/v1/posts
  curl -s URL/graphql --json '{"query":"{ posts { title author { name } } }"}'
entwine seed fills it with something to look at.
`, "URL", url))
}

// page returns the page at /, which says nothing of the installation in
// production.
func (p *process) page(url string) web.Start {
	if p.config.Env == config.Production {
		return web.Start{}
	}
	return web.Start{Trial: &web.Trial{
		URL: url, Version: currentVersion(), Email: p.config.Account.AdminEmail, Explorer: p.config.GraphQL.Introspection,
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
