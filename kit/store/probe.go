package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/internal/batch"
)

const (
	// probeTime bounds a question to a server.
	probeTime = time.Second
	// askedAtOnce is how many requests share a question.
	askedAtOnce = 1 << 12
)

// probe asks a server how far it is, over a connection of its own. Those who ask at a
// time share one question, which is asked after all of them have come: the answer holds
// all that was committed, or replayed, before each asked.
type probe struct {
	pool *pool
	text string
	all  *batch.Batch[*report]
}

// report has a server's facts about itself.
type report struct {
	asked time.Time // when the question was sent
	who   string    // identifies the run of the server
	// system has the system, the database and its schema.
	system string
	// timeline is that of the log, lsn is its end, on a replica as far as it was replayed.
	timeline uint32
	lsn      uint64
	standby  bool
	err      error
}

func newProbe(l *link, text string) *probe {
	p := &probe{text: text}
	c := Config{Statements: 1}
	p.pool = newPool(&connector{driver: pq.Driver{}, dial: l.dial, link: l, statements: 1, probes: true, wrote: new(atomic.Pointer[func()]), lineage: new(lineage)}, c, 1)
	p.all = batch.New(askedAtOnce, p.askFor)
	return p
}

// ask returns what the server says now.
func (p *probe) ask() report {
	var r report
	p.all.Do(&r)
	return r
}

func (p *probe) askFor(all []*report) {
	r := p.question()
	for _, one := range all {
		*one = r
	}
}

func (p *probe) question() (r report) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	r.asked = time.Now()
	var said string
	if r.err = p.pool.QueryRowContext(ctx, p.text).Scan(&said); r.err == nil {
		r.err = r.parse(said)
	}
	return r
}

// forget closes the connection: the next question may go to another server.
func (p *probe) forget() {
	p.pool.SetMaxIdleConns(-1)
	p.pool.SetMaxIdleConns(1)
}

// who identifies a run of a server. After a restart a standby may not at once have
// replayed all that it had replayed before.
const who = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()), extract(epoch FROM pg_postmaster_start_time()), inet_server_addr(), inet_server_port())`

// system identifies the tables that statements read. A standby has all databases of its
// primary.
const system = `(SELECT concat_ws('/', system_identifier, current_database(), current_schema()) FROM pg_control_system())`

// primaryText asks for the end of what is committed. A commit is on the disk before other
// sessions see it, unless synchronous_commit is off. Bytes that are not on the disk yet
// may belong to no transaction that ends, and a replica gets them late.
const primaryText = `SELECT concat_ws('|', ` + who + `, pg_is_in_recovery(),
	('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint,
	CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END,
	` + system + `)`

// replicaText asks for the end of what is replayed. The timeline is known at the last
// checkpoint, and earlier to a role that may see what the receiver of the log does
// (pg_read_all_stats, of pg_monitor).
const replicaText = `SELECT concat_ws('|', ` + who + `, pg_is_in_recovery(),
	GREATEST((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()), (SELECT received_tli FROM pg_stat_wal_receiver)),
	COALESCE(pg_last_wal_replay_lsn(), '0/0'),
	` + system + `)`

var errReport = errors.New("the server does not say where its log ends")

// parse reads what the server has said.
func (r *report) parse(said string) error {
	parts := strings.SplitN(said, "|", 5) // a name can contain the separator
	if len(parts) != 5 {
		return fmt.Errorf("%w: %q", errReport, said)
	}
	r.who, r.standby, r.system = parts[0], parts[1] == "t", parts[4]
	timeline, err := strconv.ParseUint(parts[2], 10, 32)
	if err != nil {
		return fmt.Errorf("%w: %w", errReport, err)
	}
	r.timeline = uint32(timeline)
	r.lsn, err = parseLSN(parts[3])
	return err
}

// parseLSN reads a place in a log, two numbers of 32 bits: 16/B374D848.
func parseLSN(text string) (uint64, error) {
	var high, low uint32
	if _, err := fmt.Sscanf(text, "%X/%X", &high, &low); err != nil {
		return 0, fmt.Errorf("%w: %w", errReport, err)
	}
	return uint64(high)<<32 | uint64(low), nil
}
