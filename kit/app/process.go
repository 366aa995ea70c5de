package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/internal/fastpath"
	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Process has the output, the environment and the settings of a command. Callers
// of [Service.Run] and [Service.Embed] set Stdout, Stderr and Environ.
type Process struct {
	Stdout, Stderr io.Writer // answers of commands go to Stdout, all else to Stderr
	// Environ is the environment, as os.Environ gives it.
	Environ []string
	// Config has the settings and Log writes to Stderr. They are nil in a command that
	// is Plain.
	Config *config.Config
	Log    *slog.Logger

	service   *Service
	lasts     bool                 // the command runs until a signal stops it
	serves    bool                 // it answers requests
	toldReady bool                 // what started it knows that it serves
	telemetry *telemetry.Telemetry // nil in commands that end soon
	figures   *store.Figures       // nil in commands that end soon
	lock      *os.File             // of the SQLite file, while this process alone may serve it
	parent    int                  // the process that has started this one, in development
}

// configure reads the settings. The error lists everything that is wrong with
// them, and what production warns of.
func (p *Process) configure(flags map[string]string) error {
	c, err := p.service.settings().Load(flags, p.Environ)
	p.Config = c
	p.Log = telemetry.NewLogger(p.Stderr, c.Log.Level, c.Log.JSON)
	if err != nil {
		refused := refusal(strings.Split(err.Error(), "\n"))
		for _, warning := range c.Warnings {
			refused = append(refused, "warning: "+warning)
		}
		return refused
	}
	if !c.FastPaths {
		fastpath.TurnOff()
	}
	for _, message := range c.Unknown {
		p.Log.Warn("a variable of the environment is ignored", "reason", message)
	}
	return nil
}

// refusal is everything that is wrong with the settings.
type refusal []string

// Error implements error.
func (r refusal) Error() string { return strings.Join(r, "\n") }

// openDB opens the database, which the caller closes.
func (p *Process) openDB(ctx context.Context) (*store.DB, error) {
	c := store.Config{URL: p.Config.Database.URL, DirectURL: p.Config.Database.DirectURL, Replicas: p.replicas(), Conns: p.Config.Database.Conns, Share: p.Config.Database.Share, MostRead: float64(p.Config.Database.MostRead)}
	if p.telemetry.On() {
		system, _, _ := strings.Cut(c.URL, ":")
		c.Observer = p.telemetry.Statements(strings.Replace(system, "postgres", "postgresql", 1))
	}
	if p.lasts {
		p.figures = store.NewFigures(statements)
		c.Figures = p.figures
	}
	var db *store.DB
	err := p.reach(ctx, "ENTWINE_DATABASE_URL", func(ctx context.Context) (err error) {
		db, err = store.Open(ctx, c)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ENTWINE_DATABASE_URL: %w", err)
	}
	return db, nil
}

// replicas are those that answer reads: of requests, which other commands have none of.
func (p *Process) replicas() []string {
	if !p.serves {
		return nil
	}
	return p.Config.Database.Replicas
}

// reach calls open, and calls it again while the settings let it wait for a server that
// does not answer yet. The setting is the one that has the server's address.
func (p *Process) reach(ctx context.Context, setting string, open func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, max(p.Config.Database.Wait, 0))
	defer cancel()
	for tries := 0; ; tries++ {
		silent := time.AfterFunc(1500*time.Millisecond, func() { p.Log.Warn("the database has not answered yet", "setting", setting) })
		err := open(context.WithoutCancel(ctx))
		silent.Stop()
		if err == nil || !store.IsUnreachable(err) {
			return err
		}
		if tries == 0 && ctx.Err() == nil {
			p.Log.Warn("waiting for the database", "setting", setting, "at_most", p.Config.Database.Wait.String(), "err", err)
		}
		select {
		case <-time.After(250 * time.Millisecond):
		case <-ctx.Done():
			return err
		}
	}
}

// WithDatabase opens the database of the settings, applies the migrations that it
// lacks, if the settings let it, and calls do. The viewer of do's context is the system, of all
// tenants, which every policy admits. Then it wakes the processes that serve the
// database, through Redis where there is one, and closes the database.
func (p *Process) WithDatabase(ctx context.Context, do func(ctx context.Context, db *store.DB) error) error {
	db, err := p.openDB(ctx)
	if err != nil {
		return err
	}
	if err = p.migrate(ctx, db); err == nil {
		var done news
		db.OnWrite(func() { done.add(events.Topic) })
		db.OnWake(done.add)
		err = do(viewer.With(ctx, viewer.AcrossTenants()), db)
		p.spread(ctx, done.topics())
	}
	return errors.Join(err, db.Close())
}

// news are the topics that a command has woken.
type news struct {
	mu  sync.Mutex
	all map[string]bool
}

func (n *news) add(topic string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		n.all = map[string]bool{}
	}
	n.all[topic] = true
}

func (n *news) topics() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Sorted(maps.Keys(n.all))
}

// spread wakes those who wait for the topics in other processes, where there
// is a Redis between them. Without one they look within two seconds.
func (p *Process) spread(ctx context.Context, topics []string) {
	if p.Config.RedisURL == "" || len(topics) == 0 {
		return
	}
	redis.SetLogger(redisLog{p})
	transport, err := jobs.Dial(p.Config.RedisURL)
	if err == nil {
		err = errors.Join(pubsub.Tell(ctx, transport.Client, topics...), transport.Close())
	}
	if err != nil {
		p.Log.WarnContext(ctx, "could not notify other processes; they will notice it by their own checks", "err", err)
	}
}

// DataFile returns the path of the file with the name in the data directory
// (ENTWINE_DATA_DIR), which it makes if it is missing. It does not make the file.
func (p *Process) DataFile(name string) (string, error) {
	if err := os.MkdirAll(p.Config.DataDir, 0o700); err != nil {
		return "", fmt.Errorf("ENTWINE_DATA_DIR is no folder that can be made: %w", err)
	}
	return filepath.Join(p.Config.DataDir, name), nil
}
