package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/pubsub"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/telemetry"
	"github.com/entwine-go/entwine/kit/runtime/writing"
	"github.com/entwine-go/entwine/kit/viewer"
)

// process is what every command has: where it writes and how it is set up.
type process struct {
	stdout, stderr io.Writer
	environ        []string

	lasts     bool // the command runs until it is told to stop
	config    *config.Config
	log       *slog.Logger
	telemetry *telemetry.Telemetry // nil in commands that end soon
	figures   *store.Figures       // nil in commands that end soon
	lock      *os.File             // of the SQLite file, while this process alone may serve it
}

// configure reads the settings. The error lists everything that is wrong with
// them, and what production warns of.
func (p *process) configure(flags map[string]string) error {
	c, err := config.Load(flags, p.environ)
	p.config = c
	p.log = telemetry.NewLogger(p.stderr, c.Log.Level, c.Log.JSON)
	if err != nil {
		refused := refusal(strings.Split(err.Error(), "\n"))
		for _, warning := range c.Warnings {
			refused = append(refused, "warning: "+warning)
		}
		return refused
	}
	for _, message := range c.Unknown {
		p.log.Warn("a variable of the environment is ignored", "reason", message)
	}
	return nil
}

// refusal is everything that is wrong with the settings.
type refusal []string

// Error implements error.
func (r refusal) Error() string { return strings.Join(r, "\n") }

// open opens the database, which the caller closes.
func (p *process) open(ctx context.Context) (*store.DB, error) {
	c := store.Config{URL: p.config.Database.URL, Conns: p.config.Database.Conns, Share: p.config.Database.Share}
	if p.telemetry.On() {
		system, _, _ := strings.Cut(c.URL, ":")
		c.Observer = p.telemetry.Statements(strings.Replace(system, "postgres", "postgresql", 1))
	}
	if p.lasts {
		p.figures = store.NewFigures(statements)
		c.Figures = p.figures
	}
	return store.Open(ctx, c)
}

// withDatabase calls do with the database, up to date, on behalf of the
// operator: every policy admits whoever can read the settings. Processes that
// serve the database hear of what was done.
func (p *process) withDatabase(ctx context.Context, do func(ctx context.Context, db *store.DB) error) error {
	db, err := p.open(ctx)
	if err != nil {
		return err
	}
	if err = p.migrate(ctx, db); err == nil {
		var done news
		db.OnWrite(func() { done.add(events.Topic) })
		db.OnWake(done.add)
		err = do(viewer.With(ctx, viewer.System()), db)
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
func (p *process) spread(ctx context.Context, topics []string) {
	if p.config.RedisURL == "" || len(topics) == 0 {
		return
	}
	redis.SetLogger(redisLog{p})
	transport, err := jobs.Dial(p.config.RedisURL)
	if err == nil {
		err = errors.Join(pubsub.Tell(ctx, transport.Client, topics...), transport.Close())
	}
	if err != nil {
		p.log.WarnContext(ctx, "other processes could not be told, and will see for themselves", "err", err)
	}
}

// act does to a row what is declared of it, as the APIs do.
func act(ctx context.Context, db *store.DB, with writes.Activities, of *writing.Entity, id int64, verb string) (writing.Result, error) {
	return writes.Engine(db, nil, with).Act(ctx, writing.Call{Entity: of, ID: id}, of.Action(verb))
}

// registrar returns what makes users.
func (p *process) registrar(db *store.DB) *account.Registrar {
	return &account.Registrar{DB: db, Users: writes.Users(db), Passwords: account.NewPasswords(p.config.Account.BcryptCost)}
}

// explain says what is wrong with an input, each detail on a line.
func explain(err error) error {
	e := problem.As(err)
	if e == nil || len(e.Details) == 0 {
		return err
	}
	text := e.Message
	for _, d := range e.Details {
		text += "\n  " + d.Field + " " + d.Message
	}
	return errors.New(text)
}

// keys returns the keys of access tokens: the settings', else those in the
// data directory, which are made at the first start.
func (p *process) keys() (*account.Keys, error) {
	if seeds := p.config.Account.TokenKeys; len(seeds) > 0 {
		return account.NewKeys(seeds)
	}
	file, err := p.dataFile(config.TokenKeyFile)
	if err != nil {
		return nil, err
	}
	return account.OpenKeys(file)
}

// vault returns what keeps secrets, whose keys are where those of tokens are.
func (p *process) vault() (*account.Vault, error) {
	if keys := p.config.Account.SecretKeys; len(keys) > 0 {
		return account.NewVault(keys)
	}
	file, err := p.dataFile(config.SecretKeyFile)
	if err != nil {
		return nil, err
	}
	return account.OpenVault(file)
}

// dataFile returns the path of a file in the data directory, which is made.
func (p *process) dataFile(name string) (string, error) {
	if err := os.MkdirAll(p.config.DataDir, 0o700); err != nil {
		return "", err
	}
	return filepath.Join(p.config.DataDir, name), nil
}

// issuer returns what issues and verifies access tokens.
func (p *process) issuer() (*account.Issuer, error) {
	keys, err := p.keys()
	if err != nil {
		return nil, err
	}
	name := p.config.PublicURL
	if name == "" {
		name = "entwine"
	}
	return &account.Issuer{Keys: keys, Name: name, Lifetime: p.config.Account.AccessTime}, nil
}

// authenticator returns what signs users in.
func (p *process) authenticator(db *store.DB) (*account.Authenticator, error) {
	issuer, err := p.issuer()
	if err != nil {
		return nil, err
	}
	vault, err := p.vault()
	if err != nil {
		return nil, err
	}
	throttle := &account.Throttle{DB: db, Vault: vault}
	passwords := account.NewPasswords(p.config.Account.BcryptCost)
	return &account.Authenticator{
		DB:        db,
		Passwords: passwords,
		Throttle:  throttle,
		Factor:    &account.SecondFactor{DB: db, Vault: vault, Passwords: passwords, Throttle: throttle, Service: issuer.Name},
		Gate: &account.Gatekeeper{
			DB: db, Issuer: issuer, Vault: vault, Verified: p.config.Account.Verification == config.VerificationRequired,
		},
	}, nil
}
