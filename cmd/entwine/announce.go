package main

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/runtime/config"
)

// announce tells the operator that the service can be reached, and somebody
// who tries it what to do next. The first line is what scripts wait for.
func (p *process) announce(at net.Addr, password string) {
	url := p.config.PublicURL
	if url == "" {
		url = "http://" + reachable(at)
	}
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

// reachable is an address at which this machine reaches the listener.
func reachable(at net.Addr) string {
	a, err := netip.ParseAddrPort(at.String())
	if err != nil || !a.Addr().IsUnspecified() {
		return at.String()
	}
	return "localhost:" + strconv.Itoa(int(a.Port()))
}
