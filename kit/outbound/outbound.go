// Package outbound makes clients for calls to addresses that users name: webhooks,
// feeds, pictures behind a URL.
//
// Such an address may lead to a server that only this process can reach: a database, the
// metadata of a cloud, another service behind the firewall (server-side request forgery,
// OWASP A10). A client of [New] calls public addresses alone, and those of networks that
// its [Config] lists. The address is judged as the socket connects to it, after the name
// was resolved, so a name that resolves otherwise the second time (DNS rebinding) leads
// nowhere else. Each redirect is judged as the first address is.
//
// Calls are bounded in time and in size, and are spans of the trace of their context.
// [Consistent] is for programs that call an entwine service with read replicas.
//
// The package leans on net/http, and keeps no state but connections and what such a
// program has seen.
package outbound

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// Config says where a client may call, and for how long.
type Config struct {
	// Time bounds a call, from its beginning to the last byte of the answer: 10 s if 0.
	Time time.Duration
	// Size is how many bytes of an answer can be read: 1 MiB if 0. Reading on is
	// [ErrSize].
	Size int64
	// Redirects is how many are followed. With 0 a redirect is [ErrRedirect]. To another
	// host no header goes along that the caller has set, but for Accept and Accept-Language.
	Redirects int
	// Plain allows http:// beside https://.
	Plain bool
	// Private lists networks that may be called though they are not public.
	Private []netip.Prefix
	// Trusted is set where operators name the addresses, and no user does: then any
	// address may be called, and by the proxy that HTTPS_PROXY names. Otherwise no proxy
	// is used, since it would connect in the place of this process.
	Trusted bool
}

var (
	// ErrAddress is the error of a call to an address that is not allowed.
	ErrAddress = errors.New("the address is not a public one")
	// ErrScheme is the error of a call by another scheme than https.
	ErrScheme = errors.New("the scheme is not allowed")
	// ErrRedirect is the error of a redirect that is one too many.
	ErrRedirect = errors.New("the answer is a redirect")
	// ErrSize is the error of an answer that is larger than allowed.
	ErrSize = errors.New("the answer is too large")
)

// New returns a client. It is made once and used for many calls: it keeps connections.
func New(c Config) *http.Client {
	if c.Time <= 0 {
		c.Time = 10 * time.Second
	}
	if c.Size <= 0 {
		c.Size = 1 << 20
	}
	dialer := &net.Dialer{Timeout: c.Time}
	transport := &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           100,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    c.Time,
		MaxResponseHeaderBytes: 64 << 10,
	}
	if c.Trusted {
		transport.Proxy = http.ProxyFromEnvironment
	} else {
		dialer.Control = c.control
	}
	return &http.Client{Timeout: c.Time, Transport: &caller{c, transport}, CheckRedirect: c.redirect}
}

// control is called with each address that a name has resolved to, before a socket
// connects to it.
func (c Config) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q", ErrAddress, address)
	}
	if ip := at.Addr().Unmap().WithZone(""); !c.allows(ip) {
		return fmt.Errorf("%w: %s: Config.Private of the client lists others that may be called", ErrAddress, ip)
	}
	return nil
}

func (c Config) allows(ip netip.Addr) bool {
	for _, network := range c.Private {
		if network.Contains(ip) {
			return true
		}
	}
	return public(ip)
}

// redirect judges a redirect. Its target is judged when it is dialled.
func (c Config) redirect(r *http.Request, via []*http.Request) error {
	if len(via) > c.Redirects {
		return fmt.Errorf("%w to %s: %d are followed", ErrRedirect, r.URL.Host, c.Redirects)
	}
	if r.URL.Host != via[0].URL.Host {
		maps.DeleteFunc(r.Header, func(name string, _ []string) bool { return name != "Accept" && name != "Accept-Language" })
	}
	return nil
}
