package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/internal/carry"
)

// replicas are the standbys that answer reads ([Config.Replicas]), beside the primary.
//
// The primary and each of them are asked four times a second how far their log is, and
// otherwise only for a request that needs to know more. A replica is used while it is
// a standby on the timeline of the primary and has replayed what the primary had two
// seconds ago. Of those a caller reads one that has all that they have seen, always the
// same one while it can be used: a standby does not go back. So nothing is
// asked of the primary for a read that a replica answers.
type replicas struct {
	primary *probe
	all     []*replica
	history atomic.Pointer[history] // nil while the primary is not known
	mu      sync.Mutex              // held while it is changed
	missed  [misses]atomic.Int64
}

// Miss is why the primary answers a read that a replica might have.
type Miss int

// The reasons, by which [DB.Misses] counts.
const (
	MissBehind   Miss = iota // no replica has all that the caller has seen, or the request writes
	MissLate                 // it is too old
	MissTimeline             // no replica is known to be on the primary's timeline
	MissAway                 // none answers
	MissPrimary              // those that answer are no standbys
	MissFailed               // one has failed while it was read
	misses
)

// String is the word of the reason in metrics.
func (m Miss) String() string {
	return [misses]string{"behind", "late", "timeline", "away", "primary", "failed"}[m]
}

// openReplicas opens what reads of the addresses.
func openReplicas(db *DB, c Config) error {
	if len(c.Replicas) == 0 {
		return nil
	}
	r := &replicas{primary: newProbe(db.link, primaryText)}
	for _, address := range c.Replicas {
		s, err := openReplica(address, c)
		if err != nil {
			r.close()
			return fmt.Errorf("ENTWINE_DATABASE_REPLICAS: %w", err)
		}
		r.all = append(r.all, s)
	}
	db.replicas = r
	db.OnReplaced(func(string) { r.forget() })
	return nil
}

// history has marks of the primary's log, the oldest first.
type history struct {
	system   string
	timeline uint32
	marks    []mark
}

// mark says that all which was committed before a time is before a place in the log.
type mark struct {
	at  time.Time
	lsn uint64
}

// age is how old what a replica shows is at most that has replayed the log up to a place.
func (h *history) age(lsn uint64, now time.Time) time.Duration {
	for _, m := range slices.Backward(h.marks) {
		if m.lsn <= lsn {
			return now.Sub(m.at)
		}
	}
	return 1 << 62
}

// with returns the history with what the primary has said. Marks that are close to each
// other are one.
func (h *history) with(r report) *history {
	next := &history{system: r.system, timeline: r.timeline}
	if h != nil && h.system == r.system && h.timeline == r.timeline {
		next.marks = slices.Clone(h.marks)
	}
	if n := len(next.marks); n > 1 && next.marks[n-1].at.Sub(next.marks[n-2].at) < lookTime/2 {
		next.marks = next.marks[:n-1]
	}
	if n := len(next.marks); n > 0 && next.marks[n-1].lsn > r.lsn {
		return h // it was asked earlier
	}
	next.marks = append(next.marks, mark{r.asked, r.lsn})
	old := func(m mark) bool { return r.asked.Sub(m.at) > replicaAge+lookTime }
	next.marks = slices.DeleteFunc(next.marks, old)
	return next
}

// lookAtPrimary asks the primary how far its log is.
func (r *replicas) lookAtPrimary() (report, error) {
	said := r.primary.ask()
	if said.err != nil {
		r.primary.forget()
		return said, said.err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history.Store(r.history.Load().with(said))
	return said, nil
}

// forget is called when the primary is another.
func (r *replicas) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history.Store(nil)
	r.primary.forget()
}

// end is the position of a caller who has used the primary. It has to be the greatest
// that the caller is given, also by other processes, which may know a later position than
// this one did when it asked last. So the primary is asked each time, also while no
// replica is used here. Where it does not answer, it is the primary that answers next.
func (r *replicas) end(was Seen) Seen {
	if said, err := r.lookAtPrimary(); err == nil {
		return Seen{Timeline: said.timeline, LSN: said.lsn, At: AtAny}
	}
	seen := Seen{Timeline: was.Timeline, LSN: was.LSN, At: AtPrimary}
	if h := r.history.Load(); h != nil {
		if lsn := h.marks[len(h.marks)-1].lsn; h.timeline > seen.Timeline || h.timeline == seen.Timeline && lsn > seen.LSN {
			seen.Timeline, seen.LSN = h.timeline, lsn
		}
	}
	seen.LSN++ // AtPrimary is the least at a place
	return seen
}

// choose returns the replica that a request is answered by whose caller has seen so much:
// nil, with the reason, for the primary.
func (r *replicas) choose(ctx context.Context, seen Seen) (_ *replica, why Miss) {
	h, now := r.history.Load(), time.Now()
	if seen.At == AtPrimary || h != nil && seen.Timeline != 0 && seen.Timeline != h.timeline {
		return nil, MissBehind
	}
	caller := carry.From[Caller](ctx).number()
	var best *replica
	var weight uint64
	why = MissAway
	for _, s := range r.all {
		if not := s.refusal(h, now); not != nil {
			why = not.miss
			continue
		}
		if number := s.number(); seen.At > AtAny && seen.At != number || !s.reached(seen.LSN) {
			why = MissBehind
		} else if w := mix(number ^ caller); best == nil || w > weight { // rendezvous hashing
			best, weight = s, w
		}
	}
	return best, why
}

// number is one of the caller, to choose by.
func (c Caller) number() uint64 {
	address := c.Address.As16()
	return mix(uint64(c.UserID)) ^ mix(uint64(c.KeyID)+1) ^ mix(binary.BigEndian.Uint64(address[:8])) ^ mix(binary.BigEndian.Uint64(address[8:])+1)
}

// mix is the finalizer of SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// follow asks all of them again and again until ctx ends.
func (r *replicas) follow(ctx context.Context, log *slog.Logger) {
	var all sync.WaitGroup
	all.Go(func() { again(ctx, func() { _, _ = r.lookAtPrimary() }) })
	for _, s := range r.all {
		all.Go(func() {
			again(ctx, func() {
				s.look()
				s.report(ctx, r.history.Load(), log)
			})
		})
	}
	all.Wait()
}

func again(ctx context.Context, do func()) {
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	for {
		do()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// report logs whether the replica is used, where that changes.
func (s *replica) report(ctx context.Context, h *history, log *slog.Logger) {
	not := s.refusal(h, time.Now())
	switch {
	case not == nil && s.why != "used":
		s.why = "used"
		log.InfoContext(ctx, "a replica answers reads", "replica", s.name)
	case not != nil && s.why != not.miss.String():
		s.why = not.miss.String()
		log.WarnContext(ctx, "a replica answers no reads", "replica", s.name, "reason", not.text)
	}
}

func (r *replicas) close() {
	if r == nil {
		return
	}
	_ = r.primary.pool.Close()
	for _, s := range r.all {
		s.close()
	}
}
