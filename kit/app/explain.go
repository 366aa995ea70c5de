package app

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/console"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/trail"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// What the console shows of the process is no part of the APIs: it is answered below
// [web.ConsoleData], to those alone whom inspect admits.

// inspect is who may look into the process.
var inspect = policy.Rules{Read: policy.Roles(viewer.Admin)}

// trails is what keeps requests, nil where none are to be kept.
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
	for _, name := range []string{"page", "limit", "sort", "order", "fields", "expand", "include_deleted", "hard", "version", "v", "mode", "for"} {
		open[name] = true
	}
	for _, e := range entities {
		for _, f := range e.Fields {
			was, known := open[f.REST]
			open[f.REST] = len(f.Roles) == 0 && !f.Known && f.Own == nil && (was || !known)
		}
	}
	delete(open, "name") // also that of a file, which is its uploader's own
	return func(parameter string) bool {
		name, _, _ := strings.Cut(parameter, "[")
		return open[name[strings.LastIndexByte(name, '.')+1:]]
	}
}

// data answers what the console asks of the process.
func (h *Host) data() http.Handler {
	return h.Handler(func(w http.ResponseWriter, r *http.Request) error {
		path := strings.TrimPrefix(r.URL.Path, web.ConsoleData)
		if err := inspect.CheckRead(viewer.From(r.Context())); err != nil {
			return err
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			return problem.New(problem.MethodNotAllowed, "the console's data can only be read: GET")
		}
		answer, err := h.inspected(r.Context(), path)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if r.Method == http.MethodHead {
			return nil
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": answer}) // the client may be gone
		return nil
	})
}

// inspected is what there is at a path.
func (h *Host) inspected(ctx context.Context, path string) (any, error) {
	if id, one := strings.CutPrefix(path, "requests/"); one {
		return h.explained(ctx, id)
	}
	if path == "requests" {
		return h.explainable(), nil
	}
	return nil, problem.New(problem.NotFound, "there is nothing at this path")
}

// explainable are the last requests.
func (h *Host) explainable() any {
	type list struct {
		Percent  int           `json:"percent"`
		Requests []trail.About `json:"requests"`
	}
	if h.telemetry == nil || h.telemetry.Trails == nil {
		return list{Requests: []trail.About{}}
	}
	all := h.telemetry.Trails.Latest(200)
	return list{h.Config.Explain, append([]trail.About{}, all...)}
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
// writes. What can't be planned has no plan.
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
