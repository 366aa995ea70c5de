package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/live"
	mailer "github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/usage"
	"github.com/entwine-go/entwine/kit/web"
)

// Host has the dependencies that a process gives to the service's own code: its
// settings and log, the database, and the parts behind the APIs.
type Host struct {
	*Process
	// DB is the database, with all migrations. The process closes it after the host.
	DB *store.DB
	// Jobs enqueues jobs, and Mail sends mail.
	Jobs *jobs.Client
	Mail mailer.Sender
	// Bus wakes other processes and Limiter counts requests, each over Redis where the
	// settings name one, else within this process. Events delivers the events of writes.
	Bus     pubsub.Bus
	Events  *events.Tailer
	Limiter ratelimit.Limiter
	// Accounts sign users up, in and out. Nil where the service has no accounts.
	Accounts *account.Accounts
	// Files keeps the files of fields. Nil where none has any.
	Files *files.Keeper
	// Usage counts requests for deprecated operations and fields. Nil where the schema
	// does not have its table.
	Usage *usage.Counter

	parts     *Parts
	versions  *apiversion.Versions
	errors    func(w http.ResponseWriter, r *http.Request, err error) // as the edge writes them
	transport transport
	lists     *live.Lists
	rooms     *presence.Rooms
	present   presence.Store
	streams   *graph.Streams
	recorder  *recorder // nil where nothing is recorded
	readiness *web.Health
	others    checks    // services elsewhere that it can do without, by the names at /readyz
	since     time.Time // when it began
	closers   []func() error
}

// transport is a [*jobs.Transport], whose type would have each package that
// knows a [Host] compile the methods of everything in Redis' client.
type transport interface {
	Embedded() bool
	Close() error
}

// Handler returns the handler that calls answer. An error of answer is answered in the
// form of REST's errors, with its own message if it is a problem.Error; any other is
// an internal error, whose text the log alone has. answer has written nothing then.
func (h *Host) Handler(answer func(w http.ResponseWriter, r *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := answer(w, r); err != nil {
			h.fail(w, r, err)
		}
	})
}

// host opens what works behind the APIs; the caller closes it.
func (p *Process) host(db *store.DB) (*Host, error) {
	h := &Host{Process: p, DB: db, Bus: new(pubsub.Memory), Limiter: new(ratelimit.Memory), present: new(presence.Memory), since: time.Now().UTC()}
	var transport *jobs.Transport
	if address := p.Config.RedisURL; address != "" {
		redis.SetLogger(redisLog{p})
		shared, err := jobs.Dial(address)
		if err != nil {
			return nil, err
		}
		transport, h.Bus, h.present = shared, pubsub.NewRedis(shared.Client, p.Log), &presence.Redis{Client: shared.Client}
		counters, err := ratelimit.Dial(address)
		if err != nil {
			return nil, err
		}
		h.Limiter = &ratelimit.Shared{Redis: counters, Memory: new(ratelimit.Memory), Log: p.Log}
		h.closers = append(h.closers, counters.Client.Close)
	} else {
		transport = jobs.Embed()
	}
	h.transport = transport
	db.OnWrite(func() { h.Bus.Wake(events.Topic) })
	db.OnWake(func(topic string) { h.Bus.Wake(topic) })
	db.OnReplaced(h.replaced)
	h.Jobs = &jobs.Client{DB: db, Bell: jobs.NewBell(transport), Bus: h.Bus, Log: p.Log}
	h.Jobs.Bell.Bus = h.Bus
	for _, e := range p.service.Entities {
		switch e.Table {
		case "jobs":
			h.Jobs.Rules = e.Rules
		case usage.Table:
			h.Usage = &usage.Counter{DB: db, Log: p.Log}
		}
	}
	h.Events = events.NewTailer(db, h.Bus, p.Log)
	h.Limiter = p.telemetry.Limiter(h.Limiter)
	if p.telemetry.On() {
		h.Jobs.Traceparent, h.Jobs.Accepted = p.telemetry.Work().Traceparent, p.telemetry.Work().Accepted
		h.watch()
	}
	return h, nil
}

// open is host with the service's own parts.
func (p *Process) open(db *store.DB) (*Host, error) {
	h, err := p.host(db)
	if err != nil {
		return nil, err
	}
	if h.Mail, err = p.sender(db); err == nil {
		h.without("mail", h.Mail)
		if p.telemetry.On() {
			h.Mail = notedMail{h.Mail}
		}
	}
	if err == nil {
		err = h.assemble()
	}
	if err == nil {
		err = h.handled()
	}
	if err == nil {
		h.versions, err = h.service.offered(h.Config.API)
	}
	if err == nil && h.parts.Errors == nil {
		err = h.offer()
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// assemble puts the service's own parts together, with the kit's.
func (h *Host) assemble() (err error) {
	if err := h.openAccounts(); err != nil {
		return err
	}
	if err := h.openFiles(); err != nil {
		return err
	}
	h.Jobs.Files = h.Files
	h.parts = new(Parts)
	if h.service.Open != nil {
		if h.parts, err = h.service.Open(h); err != nil {
			return err
		}
	}
	h.admit()
	return h.admitFiles()
}

// handled refuses topics whose jobs no kind of the service does: the database would
// enqueue them, and every attempt fail. It refuses those, too, that do not send what
// the handler reads, which would read zeros, or send texts for numbers, which no attempt could read.
func (h *Host) handled() error {
	if h.service.Engine == nil {
		return nil
	}
	var unmet, unsent, misread []string
	for _, e := range h.service.Engine(h.DB).Entities {
		for _, topic := range e.Topics {
			if topic.Job == "" {
				continue
			}
			says := fmt.Sprintf("%s: topic %q enqueues jobs of the kind %q", e.Name, topic.Name, topic.Job)
			i := slices.IndexFunc(h.parts.Kinds, func(k jobs.Kind) bool { return k.Does(topic.Job) })
			if i < 0 {
				unmet = append(unmet, says)
				continue
			}
			sent := append([]string{"id"}, topic.Payload...)
			if missing := h.parts.Kinds[i].Unsent(sent...); len(missing) > 0 {
				unsent = append(unsent, fmt.Sprintf("%s with %s, and its arguments have %s", says, strings.Join(sent, ", "), strings.Join(missing, ", ")))
			}
			for _, f := range e.Entity.Fields {
				if !slices.Contains(sent, f.Column) {
					continue
				}
				text := f.Kind.Form().Held == entity.Text
				if t := h.parts.Kinds[i].Misread(f.Column, text); t != nil {
					misread = append(misread, fmt.Sprintf("%s with %s, %s, and its arguments have it as %s", says, f.Column, map[bool]string{true: "a text", false: "a whole number"}[text], t))
				}
			}
		}
	}
	switch {
	case len(unmet) > 0:
		return fmt.Errorf("%s, which no handler is registered for: Open of the service has to return Parts with Kinds: jobs.Handle(…) of each", strings.Join(unmet, ", "))
	case len(unsent) > 0:
		return fmt.Errorf("%s: a tag `json:\"…\"` of the type of arguments names one that is sent, Payload of the topic sends another column, "+
			"and omitempty is of what need not be sent", strings.Join(unsent, "; "))
	case len(misread) > 0:
		return fmt.Errorf("%s: every attempt would fail to read it", strings.Join(misread, "; "))
	}
	return nil
}

// redisLog is where the client of Redis complains that it is away. Those who
// need it say so themselves, once.
type redisLog struct{ *Process }

// Printf takes a complaint.
func (l redisLog) Printf(ctx context.Context, format string, args ...any) {
	l.Log.DebugContext(ctx, "redis client", "message", fmt.Sprintf(format, args...))
}

// Close ends the events and closes the connections to Redis. The database stays open.
func (h *Host) Close() error {
	h.Events.Close()
	if h.lists != nil {
		h.lists.Close()
	}
	err := errors.Join(h.Bus.Close(), h.transport.Close())
	for _, end := range h.closers {
		err = errors.Join(err, end())
	}
	return err
}

// sender returns what sends mail: the service's own, else a server where one
// is set, else the mailbox in the database.
func (p *Process) sender(db *store.DB) (mailer.Sender, error) {
	if p.service.Mailer != nil {
		return p.service.Mailer(p, db)
	}
	if url := p.Config.Mail.URL; url != "" {
		return mailer.ParseURL(url, p.Config.Mail.From)
	}
	from, err := mail.ParseAddress(p.Config.Mail.From)
	if err != nil {
		return nil, err
	}
	return &mailer.Mailbox{DB: db, From: *from, Redact: p.Config.Env == config.Production}, nil
}
