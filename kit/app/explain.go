package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/console"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/trail"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
)

// trails keeps requests, nil where none are to be kept.
func (p *Process) trails() *trail.Keeper {
	if p.Config.Explain == 0 || !p.Config.Console || !console.Built {
		return nil
	}
	return &trail.Keeper{Percent: p.Config.Explain, Show: shown(p.service.Entities)}
}

// shown admits the parameters whose values say nothing that is kept from a caller:
// filters by fields that everybody sees who sees the row, and what lists are asked for.
// A name that is a field of several entities has to be one of those in all.
func shown(entities []*entity.Entity) trail.Redactor {
	open := map[string]bool{}
	for _, name := range harmless {
		open[name] = true
	}
	for _, e := range entities {
		for _, f := range e.Fields {
			was, known := open[f.REST]
			open[f.REST] = seen(f) && (was || !known)
		}
	}
	delete(open, "name") // also that of a file, which is its uploader's own
	return func(parameter string) bool {
		name, _, _ := strings.Cut(parameter, "[")
		return open[name[strings.LastIndexByte(name, '.')+1:]]
	}
}

// harmless are parameters that say which rows and fields are asked for, and have no value
// of either.
var harmless = []string{"page", "limit", "sort", "order", "fields", "expand", "include_deleted", "hard", "version", "v", "mode", "for"}

// seen reports whether everybody sees the field who sees the row.
func seen(f *entity.Field) bool { return len(f.Roles) == 0 && !f.Known && f.Own == nil }

// explainable are the last requests.
func (h *Host) explainable(context.Context) (any, error) {
	type list struct {
		Percent  int           `json:"percent"`
		Requests []trail.About `json:"requests"`
	}
	if h.telemetry == nil || h.telemetry.Trails == nil {
		return list{Requests: []trail.About{}}, nil
	}
	all := h.telemetry.Trails.Latest(200)
	return list{h.Config.Explain, append([]trail.About{}, all...)}, nil
}

// explained is a request, with a plan for each of its statements.
func (h *Host) explained(ctx context.Context, id string) (any, error) {
	missing := problem.New(problem.NotFound, "the request %s is not kept by this process: it is too long ago, was left out, or another process has answered it", id)
	if h.telemetry == nil || h.telemetry.Trails == nil {
		return nil, missing
	}
	found, ok := h.telemetry.Trails.Find(id, jobs.Key)
	if !ok {
		return nil, missing
	}
	ctx, cancel := context.WithTimeout(ctx, planTime)
	defer cancel()
	e := explainer{h: h, plans: map[string][]string{}, events: h.announced()}
	e.explain(ctx, &found)
	for i := range found.Jobs {
		e.explain(ctx, &found.Jobs[i])
	}
	return found, nil
}

// announced are the events by the statements that cause them: "insert posts".
func (h *Host) announced() map[string][]string {
	all := map[string][]string{}
	if h.service.Engine == nil {
		return all
	}
	for _, e := range h.service.Engine(h.DB).Entities {
		for _, topic := range e.Topics {
			name, by := topic.Name, topic.On+" "+e.Table
			if topic.When != "" {
				name += " where its condition holds"
			}
			if !slices.Contains(all[by], name) {
				all[by] = append(all[by], name)
			}
		}
	}
	return all
}

// The bounds of what the database is asked for one request.
const (
	planTime  = 3 * time.Second
	mostPlans = 60
)

// explainer adds what is known of statements without having run them.
type explainer struct {
	h      *Host
	plans  map[string][]string // by the text
	events map[string][]string // by the statement
}

// explain adds the plans of statements, as far as there is time, and the events of
// writes. Other statements have no plan.
func (e *explainer) explain(ctx context.Context, found *trail.Explained) {
	found.Steps = slices.Clone(found.Steps)
	for i := range found.Steps {
		s := &found.Steps[i]
		if s.Kind != trail.Statement {
			continue
		}
		lines, known := e.plans[s.Text]
		if !known && len(e.plans) < mostPlans && ctx.Err() == nil {
			lines, _ = e.h.DB.Plan(ctx, s.Text) // it may be of a table that was dropped since
			e.plans[s.Text] = lines
		}
		s.Plan = lines
		if s.Rows > 0 {
			s.Events = e.events[s.Name]
		}
	}
}

// notedMail notes mails in the trail of what sends them.
type notedMail struct{ mail.Sender }

// Within is that of the sender.
func (s notedMail) Within() bool { return mail.Within(s.Sender) }

// Send implements [mail.Sender].
func (s notedMail) Send(ctx context.Context, m mail.Message) error {
	err := s.Sender.Send(ctx, m)
	if t := trail.From(ctx); t != nil {
		failure := ""
		if err != nil {
			failure = "error"
		}
		t.Sent(failure)
	}
	return err
}
