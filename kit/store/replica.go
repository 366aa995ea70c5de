package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

const (
	// replicaAge is how old what a replica answers with may be.
	replicaAge = 2 * time.Second
	// lookTime is how often the primary and each replica are asked how far they are.
	lookTime = 250 * time.Millisecond
	// againTime is how soon a replica is asked again for a request that it is too far
	// behind for.
	againTime = 10 * time.Millisecond
	// dialTime bounds how long connecting to a replica takes, where its URL says nothing.
	dialTime = time.Second
)

// replica is a standby that answers reads.
type replica struct {
	name  string // its host and port
	db    *DB
	probe *probe

	last  atomic.Pointer[report]
	asked atomic.Int64 // when it was asked for a request, in nanoseconds since 1970
	reads atomic.Int64 // statements that it has answered
	why   string       // it is not used, as the log has it

	mu    sync.Mutex
	wires map[*wire]struct{} // of connections that are open
}

func openReplica(address string, c Config) (*replica, error) {
	l, err := newLink(address, c)
	if err != nil {
		return nil, err
	}
	if l.slow {
		l.config.ConnectTimeout = dialTime
	}
	s := &replica{name: net.JoinHostPort(cmp.Or(l.config.Host, "localhost"), strconv.Itoa(int(l.config.Port))), db: &DB{Dialect: postgresDialect{}, link: l, mostRead: c.MostRead}, wires: map[*wire]struct{}{}}
	s.db.write = newPool(&connector{driver: pq.Driver{}, dial: l.dial, link: l, replica: s, statements: c.Statements, observer: c.Observer, figures: c.Figures, wrote: &s.db.wrote, lineage: &s.db.lineage}, c, c.Conns)
	s.db.write.SetConnMaxIdleTime(5 * time.Minute)
	s.db.write.SetConnMaxLifetime(time.Hour)
	s.db.read = s.db.write
	s.probe = newProbe(l, replicaText)
	s.last.Store(&report{err: errors.New("it was not asked yet")})
	return s, nil
}

// number identifies the run of the replica's server.
func (s *replica) number() uint64 { return numberOf(s.last.Load().who) }

func numberOf(who string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(who))
	return h.Sum64() | 1<<63 // neither AtPrimary nor AtAny
}

var errAnother = errors.New("the address leads to another server than before: each replica has an address of its own")

// admit refuses a connection to another server, or to another run of it, than the one
// that says how far it is.
func (s *replica) admit(ctx context.Context, c driver.QueryerContext, w *wire) error {
	said, err := ask(ctx, c, "SELECT "+who)
	if err != nil {
		return err
	}
	if said != s.last.Load().who {
		return errAnother
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wires[w] = struct{}{}
	return nil
}

// closed is called when a connection has been closed.
func (s *replica) closed(w *wire) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.wires, w)
}

// cut ends what is read of a server that does not answer: the primary answers then.
func (s *replica) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.wires {
		_ = w.Close()
	}
}

// look asks the replica how far it is.
func (s *replica) look() {
	was, now := s.last.Load(), s.probe.ask()
	if now.err != nil {
		s.away(now.err)
		s.cut()
		return
	}
	if was.err == nil && was.who == now.who && was.lsn > now.lsn {
		return // another question was asked later and answered before
	}
	s.last.Store(&now)
}

// away has the replica not be used until it answers again.
func (s *replica) away(err error) {
	r := *s.last.Load()
	r.err = err
	s.last.Store(&r)
}

// failed has a request that a replica could not answer go to the primary.
func (s *replica) failed(h *Horizon, err error) {
	h.leave()
	h.replicas.missed[MissFailed].Add(1)
	if IsUnreachable(err) || errors.Is(err, errLost) || errors.Is(err, net.ErrClosed) {
		s.away(err)
	}
}

// reached reports whether the replica has replayed the log up to a place. It is asked
// where that is not known, at most a hundred times a second for all who want to know.
func (s *replica) reached(lsn uint64) bool {
	if s.last.Load().lsn >= lsn {
		return true
	}
	at, now := s.asked.Load(), time.Now().UnixNano()
	if now-at < int64(againTime) || !s.asked.CompareAndSwap(at, now) {
		return false
	}
	s.look()
	last := s.last.Load()
	return last.err == nil && last.lsn >= lsn
}

// refusal says why the replica answers nothing now, and nil if it does. History has
// marks of the primary's log.
func (s *replica) refusal(h *history, now time.Time) *refusalOf {
	last := s.last.Load()
	switch {
	case last.err != nil:
		return &refusalOf{MissAway, fmt.Sprintf("it does not answer: %v", last.err)}
	case h == nil:
		return &refusalOf{MissAway, "the primary does not say how far it is"}
	case last.system != h.system:
		return &refusalOf{MissAway, fmt.Sprintf("it is of another database: system, name and schema are %s, and %s of the primary", last.system, h.system)}
	case !last.standby:
		return &refusalOf{MissPrimary, "it is no standby"}
	case last.timeline != h.timeline:
		return &refusalOf{MissTimeline, fmt.Sprintf("it is not known to follow the primary since that was promoted (timeline %d, and %d of the primary): it is used after its next checkpoint, or at once where the role is granted pg_monitor", last.timeline, h.timeline)}
	case h.age(last.lsn, now) > replicaAge:
		return &refusalOf{MissLate, "it is more than two seconds behind"}
	}
	return nil
}

// refusalOf is why a replica is not used.
type refusalOf struct {
	miss Miss
	text string
}

// close closes the connections. Some may have been cut, and none holds anything.
func (s *replica) close() {
	_ = s.probe.pool.Close()
	_ = s.db.write.Close()
}
