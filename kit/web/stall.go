package web

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/entwine-go/entwine/kit/ratelimit"
)

// Stall bounds what clients cost that ask and do not read. A connection is
// stalled when a write has been blocked for a while and its client has taken
// no byte of it; one that is open, or slow, is not.
type Stall struct {
	// Time is for how long a client may take nothing before its connection is closed.
	Time time.Duration
	// Most is how many connections of one address (of IPv6 a /64 network) may be
	// stalled at a time. A further one is closed. 0: any number.
	Most int
	// Proxies hold many clients' connections, so that Most does not count for them.
	Proxies []netip.Prefix
	// Notice is how long a write is blocked before it is stalled. 0: a second.
	Notice time.Duration

	idle    idle // clients of streams
	blocked atomic.Int64
	mu      sync.Mutex
	count   map[netip.Addr]int // of stalled connections, for each network
	total   int
}

// Figures returns how many connections wait for their clients to read, and
// how many of them are stalled.
func (s *Stall) Figures() (blocked, stalled int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(s.blocked.Load()), s.total
}

func (s *Stall) notice() time.Duration {
	if s.Notice == 0 {
		return time.Second
	}
	return s.Notice
}

// enter counts a stalled connection of a network, and reports whether there
// may be another.
func (s *Stall) enter(network netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Most > 0 && network.IsValid() && s.count[network] >= s.Most {
		return false
	}
	if s.count == nil {
		s.count = make(map[netip.Addr]int)
	}
	s.count[network]++
	s.total++
	return true
}

func (s *Stall) exit(network netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if s.count[network]--; s.count[network] == 0 {
		delete(s.count, network)
	}
}

// listen returns a listener whose connections are bounded, and answer what can't
// be read with what refuse makes.
func (s *Stall) listen(l net.Listener, refuse func([]byte, error) []byte) net.Listener {
	return stallListener{l, s, refuse}
}

type stallListener struct {
	net.Listener
	stall  *Stall
	refuse func([]byte, error) []byte
}

// Accept implements net.Listener.
func (l stallListener) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, stall: l.stall, refuse: l.refuse}
	if s, ok := inner.(syscall.Conn); ok {
		if c.raw, err = s.SyscallConn(); err != nil {
			c.raw = nil
		}
	}
	// The zero address, which has no bound, is a proxy's or not known.
	if peer, err := netip.ParseAddrPort(inner.RemoteAddr().String()); err == nil {
		if at := peer.Addr().Unmap(); !within(l.stall.Proxies, at) {
			c.network = ratelimit.Network(at)
		}
	}
	return c, nil
}
