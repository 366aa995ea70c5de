package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

// link makes connections to PostgreSQL. Where a pooler such as PgBouncer stands between,
// which lends a connection of the server for one transaction, a connection of this
// process has no session: what it sets may hold for another client and not for its own
// next statement. The link then sets nothing, and [DB.admitPooler] looks whether what
// must hold does. doc/operations/databases.md says what such a pooler needs.
type link struct {
	config   *pq.Config
	limits   map[string]string // in milliseconds, by the names in limitNames
	patience time.Duration
	pooled   atomic.Bool
	slow     bool // the URL does not bound how long connecting takes
}

// limitNames are the settings that bound how long a statement, a wait for a lock and an
// idle transaction last, in the order of the alphabet.
var limitNames = [...]string{"idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout"}

// newLink reads a URL. Its limit is the last word.
func newLink(address string, c Config) (*link, error) {
	config, err := pq.NewConfig(HostsURL(address))
	if err != nil {
		return nil, err
	}
	if config.ApplicationName == "" {
		config.ApplicationName = "entwine"
	}
	slow := config.ConnectTimeout == 0
	if slow {
		config.ConnectTimeout = 5 * time.Second
	}
	l := &link{config: &config, slow: slow, limits: map[string]string{
		"statement_timeout": milliseconds(c.StatementTimeout),
		"lock_timeout":      milliseconds(c.LockTimeout),
		// A transaction whose process hangs must not hold its locks for ever.
		"idle_in_transaction_session_timeout": milliseconds(time.Minute),
	}}
	runtime := map[string]string{"timezone": "UTC"}
	maps.Copy(runtime, config.Runtime)
	for _, name := range limitNames {
		if said, ok := runtime[name]; ok {
			l.limits[name] = said
			delete(runtime, name)
		}
	}
	config.Runtime = runtime
	if c.StatementTimeout > 0 {
		l.patience = c.StatementTimeout + grace
	}
	return l, nil
}

// String is the name of the database and where it is.
func (l *link) String() string {
	if l == nil {
		return "in memory"
	}
	all := []string{net.JoinHostPort(l.config.Host, strconv.Itoa(int(l.config.Port)))}
	for _, m := range l.config.Multi {
		all = append(all, net.JoinHostPort(m.Host, strconv.Itoa(int(m.Port))))
	}
	return l.config.Database + " at " + strings.Join(all, ", ")
}

// dial connects. A pooler that refuses the limits as parameters is asked again without.
func (l *link) dial(ctx context.Context) (driver.Conn, *wire, error) {
	pooled := l.pooled.Load()
	c, w, err := l.connect(ctx, pooled)
	if err != nil && !pooled && refusesParameters(err) {
		l.pooled.Store(true)
		return l.connect(ctx, true)
	}
	return c, w, err
}

func (l *link) connect(ctx context.Context, pooled bool) (driver.Conn, *wire, error) {
	config := l.config.Clone()
	if pooled {
		// A change of the schema can change the type of a column between the statement's
		// description and its rows, which are then of another connection of the server.
		config.DisablePreparedBinaryResult = true
	} else {
		maps.Copy(config.Runtime, l.limits)
	}
	base, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, nil, err
	}
	d := &dialer{patience: l.patience, plain: config.SSLMode == pq.SSLModeDisable && !config.DisablePreparedBinaryResult && !fastpath.Off()}
	base.Dialer(d)
	c, err := base.Connect(ctx)
	d.connected.Store(err == nil)
	switch {
	case err == nil:
	case isOther(err):
		err = fmt.Errorf("%w, target_session_attrs=%s: %w", errOther, config.TargetSessionAttrs, err)
	case errors.Is(err, pq.ErrSSLNotSupported):
		err = fmt.Errorf("%w: sslmode=disable in the URL does without, for a server on the same machine", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w: %w", errShut, err)
	}
	return c, d.last.Load(), err
}

// errShut says that a connection was closed before the server had said anything, as a
// load balancer does while no server behind it is the primary.
var errShut = errors.New("the connection was closed as soon as it was opened")

// errOther says that servers answer, and none takes what the URL asks for: a standby
// that is not promoted yet.
var errOther = errors.New("no server is what the URL asks for")

// isOther reports whether err is what lib/pq says of such a server.
func isOther(err error) bool {
	return strings.HasSuffix(strings.TrimSpace(err.Error()), " hot standby mode") || strings.Contains(err.Error(), "session is read-only")
}

// refusesParameters reports whether err is PgBouncer's refusal of a parameter that it
// does not pass on.
func refusesParameters(err error) bool {
	p, ok := errors.AsType[*pq.Error](err)
	return ok && p.Code == "08P01" && strings.Contains(p.Message, "unsupported startup parameter")
}
