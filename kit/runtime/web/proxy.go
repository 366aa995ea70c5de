package web

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// client returns the address that a request is from: the nearest one that is
// not a trusted proxy's. It is the zero address where that is unknown.
func (e *Edge) client(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	at := peer.Addr().Unmap()
	if !e.trusts(at) {
		return at
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			return at
		}
		if at = next.Unmap(); !e.trusts(at) {
			return at
		}
	}
	return at
}

// secure reports whether the request came over TLS, here or at a trusted proxy.
func (e *Edge) secure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	if len(e.Proxies) == 0 || r.Header.Get("X-Forwarded-Proto") != "https" {
		return false
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && e.trusts(peer.Addr().Unmap())
}

func (e *Edge) trusts(a netip.Addr) bool { return within(e.Proxies, a) }

func within(networks []netip.Prefix, a netip.Addr) bool {
	for _, p := range networks {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// Client is the program that a request is from.
type Client struct {
	// Agent is what it calls itself.
	Agent string
	// Address is its network address, empty where that is unknown.
	Address string
}

type clientKey struct{}

func (e *Edge) withClient(ctx context.Context, r *http.Request) context.Context {
	c := Client{Agent: r.UserAgent()}
	if at := e.client(r); at.IsValid() {
		c.Address = at.String()
	}
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf returns the program that a request is from which may sign somebody
// in: one below /auth/, or one for GraphQL.
func ClientOf(ctx context.Context) Client {
	c, _ := ctx.Value(clientKey{}).(Client)
	return c
}
