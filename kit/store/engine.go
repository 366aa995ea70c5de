package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// oldest is the first version of PostgreSQL that has all that statements need.
const oldest = 14

// An engine speaks PostgreSQL's protocol, and is not PostgreSQL. The missing features
// are those in each engine's documentation (doc/adr/0019-one-primary.md).
type engine struct {
	name    string
	marks   string // part of what version() answers
	missing []string
}

const (
	noTransitions = "triggers for statements with transition tables (REFERENCING NEW TABLE), which remove rows along with others"
	noTriggers    = "triggers, which keep events, counts and rows that go along with others"
	noSnapshots   = "numbers of transactions in one order (pg_current_xact_id, pg_current_snapshot), by which followers of changes know what may still be committed"
	noLocks       = "advisory locks that hold, which keep two migrations and two deliveries of events apart"
	noKeys        = "unique and foreign keys over the whole of a table"
)

var engines = []engine{
	{"CockroachDB", "CockroachDB", []string{noTransitions, noLocks, noSnapshots}},
	{"YugabyteDB", "-YB-", []string{noTransitions, noSnapshots}},
	{"Amazon Redshift", "Redshift", []string{noTriggers, noKeys + ", which it declares and does not enforce", "indexes", noLocks, noSnapshots}},
}

var citus = engine{name: "Citus", missing: []string{
	noTriggers + ": it refuses them on distributed tables", noKeys + ": they have to contain the column that distributes it", noSnapshots + ": each node has its own",
}}

// features asks a server, line by line, for what it is and has.
const features = `SELECT concat_ws(chr(10), version(), COALESCE((SELECT setting FROM pg_settings WHERE name = 'server_version_num'), ''),
	(SELECT count(*) FROM pg_extension WHERE extname = 'citus'),
	(SELECT count(*) FROM pg_language WHERE lanname = 'plpgsql'),
	(SELECT count(DISTINCT proname) FROM pg_proc WHERE proname IN ('pg_current_xact_id', 'pg_current_snapshot')),
	(SELECT count(DISTINCT proname) FROM pg_proc WHERE proname IN ('pg_try_advisory_lock', 'pg_advisory_xact_lock_shared')))`

// admitEngine refuses a server that speaks PostgreSQL's protocol and is another, which
// would fail later, in the middle of a migration or of a write. It lists why.
func (db *DB) admitEngine(ctx context.Context) error {
	if db.link == nil {
		return nil
	}
	c, err := db.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(inner any) error { return inner.(*conn).admitEngine(ctx) })
}

func (c *conn) admitEngine(ctx context.Context) error {
	said, err := c.ask(ctx, features)
	if err != nil && unavailable(err) {
		return err
	}
	if err != nil { // it does not know so much as the catalog
		var again error
		if said, again = c.ask(ctx, "SELECT version()"); again != nil {
			return err
		}
	}
	version, has, _ := strings.Cut(said, "\n")
	for _, e := range engines {
		if strings.Contains(version, e.marks) {
			return e.refused(version)
		}
	}
	if err != nil {
		return engine{name: "not PostgreSQL", missing: []string{"PostgreSQL's catalog: " + err.Error()}}.refused(version)
	}
	number, counts, _ := strings.Cut(has, "\n")
	var extensions, languages, snapshots, locks int
	if _, err := fmt.Sscan(counts, &extensions, &languages, &snapshots, &locks); err != nil {
		return fmt.Errorf("ask the server for its features: %w", err)
	}
	if extensions > 0 {
		return citus.refused(version)
	}
	unknown := engine{name: "not one that is supported"}
	if n, err := strconv.Atoi(number); err != nil || n < oldest*10_000 {
		unknown.missing = append(unknown.missing, fmt.Sprintf("the version: server_version_num is %q", number))
	}
	if languages == 0 {
		unknown.missing = append(unknown.missing, noTriggers+": there is no language plpgsql")
	}
	if snapshots < 2 {
		unknown.missing = append(unknown.missing, noSnapshots)
	}
	if locks < 2 {
		unknown.missing = append(unknown.missing, noLocks)
	}
	if len(unknown.missing) > 0 {
		return unknown.refused(version)
	}
	return nil
}

func (e engine) refused(version string) error {
	return fmt.Errorf("the server is %s (%q), and PostgreSQL %d or later is needed. It lacks:\n  - %s", e.name, version, oldest, strings.Join(e.missing, "\n  - "))
}
