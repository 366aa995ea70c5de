package web

import (
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
		e.suspectProxy(r, at)
		return at
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, ok := parseHop(strings.TrimSpace(hop))
		if !ok {
			return at
		}
		if at = next.Unmap(); !e.trusts(at) {
			return at
		}
	}
	return at
}

// parseHop reads an address of X-Forwarded-For: some proxies write its port as
// well, and IPv6 in brackets.
func parseHop(text string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr(), true
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		text = strings.TrimSuffix(inner, "]")
	}
	at, err := netip.ParseAddr(text)
	return at, err == nil
}

// suspectProxy warns, once, where a proxy seems to be in front that is not
// trusted: all of its clients would share one rate limit, unnoticed.
func (e *Edge) suspectProxy(r *http.Request, peer netip.Addr) {
	if len(r.Header["X-Forwarded-For"]) == 0 || !isNear(peer) || e.warned.Swap(true) {
		return
	}
	e.Log.WarnContext(r.Context(), "a proxy that is not trusted forwards requests: all of its clients count as one address; set ENTWINE_TRUSTED_PROXIES if it is yours",
		"proxy", peer.String())
}

// isNear reports whether an address is of this machine or of a private network.
func isNear(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || carrierGrade.Contains(a)
}

// carrierGrade is the network that RFC 6598 has for what is between a provider
// and its customers. Clouds use it, too.
var carrierGrade = netip.MustParsePrefix("100.64.0.0/10")

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
