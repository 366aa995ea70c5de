package trail

import (
	"container/list"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/carry"
)

// The bounds of all trails of a process.
const (
	mostTrails = 1000
	mostOwn    = 200
	mostKept   = 16 << 20
	longest    = 24 * time.Hour
	trailBytes = 512 // beside its steps
)

// Keeper keeps the trails of the last requests in memory: at most 1,000, of which at most
// 200 are the console's own, for at most 24 hours, and of at most 16 MiB together. The
// oldest go first.
type Keeper struct {
	// Percent is how many requests of a hundred leave a trail.
	Percent int
	// Show admits parameters of queries.
	Show Redactor
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	mu    sync.Mutex
	kept  list.List // of *Trail, the oldest first
	own   list.List // of *list.Element of kept, those of the console
	byID  map[string]*list.Element
	jobs  map[int64]*Trail // the trail that a job came of
	bytes int
}

// Begin returns the context of a request that leaves a trail, or ctx.
// Console says that it is one of the console's own.
func (k *Keeper) Begin(ctx context.Context, id, method, query string, console bool) context.Context {
	if k.Percent < 100 && rand.IntN(100) >= k.Percent {
		return ctx
	}
	t := &Trail{keeper: k, about: About{ID: id, Began: k.now(), Method: method, Query: k.Show.query(query), Console: console, Viewer: "anonymous"}}
	return carry.With(ctx, t)
}

// End keeps the trail of a request.
func (k *Keeper) End(ctx context.Context, api, route string, status int) {
	if t := From(ctx); t != nil {
		k.keep(t, func(a *About) { a.API, a.Route, a.Status = api, route, status })
	}
}

// Drop ends the trail of a request whose answer is a stream: it goes on for hours, and what happens in it
// is no step of the request.
func (k *Keeper) Drop(ctx context.Context) {
	if t := From(ctx); t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.done, t.steps, t.asked = true, nil, nil
	}
}

// BeginJob returns the context of an attempt at a job, which leaves a trail where the
// request has left one that it came of, or where all leave one.
func (k *Keeper) BeginJob(ctx context.Context, id string, job int64) context.Context {
	k.mu.Lock()
	_, came := k.jobs[job]
	k.mu.Unlock()
	if !came && k.Percent < 100 {
		return ctx
	}
	return carry.With(ctx, &Trail{keeper: k, about: About{ID: id, Began: k.now(), Viewer: "the service"}})
}

// EndJob keeps the trail of an attempt.
func (k *Keeper) EndJob(ctx context.Context, kind, outcome string) {
	if t := From(ctx); t != nil {
		k.keep(t, func(a *About) { a.API, a.Route, a.Outcome = "job", kind, outcome })
	}
}

// came remembers which trail a job came of.
func (k *Keeper) came(job int64, t *Trail) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.jobs == nil {
		k.jobs = map[int64]*Trail{}
	}
	k.jobs[job] = t
}

func (k *Keeper) keep(t *Trail, tell func(*About)) {
	t.mu.Lock()
	t.done = true
	t.about.Took = t.since(k.now())
	t.about.Left = t.left
	for _, s := range t.steps {
		if s.Kind == Statement {
			t.about.Statements++
		}
	}
	tell(&t.about)
	t.asked = nil
	t.steps = slices.Clip(t.steps)
	t.bytes += trailBytes + len(t.about.ID) + len(t.about.Query)
	t.mu.Unlock()

	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byID == nil {
		k.byID = map[string]*list.Element{}
	}
	k.bytes += t.bytes
	e := k.kept.PushBack(t)
	k.byID[t.about.ID] = e
	if t.about.Console {
		k.own.PushBack(e)
	}
	k.drop()
}

// drop lets go of what is beyond the bounds.
func (k *Keeper) drop() {
	for k.own.Len() > mostOwn {
		k.forget(k.own.Front().Value.(*list.Element))
	}
	for first := k.kept.Front(); first != nil; first = k.kept.Front() {
		if k.kept.Len() <= mostTrails && k.bytes <= mostKept && k.now().Sub(first.Value.(*Trail).about.Began) <= longest {
			return
		}
		k.forget(first)
	}
}

// forget lets go of a trail: of the oldest, or of the oldest of the console's.
func (k *Keeper) forget(e *list.Element) {
	t := k.kept.Remove(e).(*Trail)
	k.bytes -= t.bytes
	if t.about.Console {
		k.own.Remove(k.own.Front())
	}
	if k.byID[t.about.ID] == e {
		delete(k.byID, t.about.ID)
	}
	for _, job := range t.jobs {
		if k.jobs[job] == t {
			delete(k.jobs, job)
		}
	}
}

func (k *Keeper) now() time.Time {
	if k.Now != nil {
		return k.Now()
	}
	return time.Now()
}

// Explained is a trail in the form that is shown.
type Explained struct {
	About
	Steps []Step `json:"steps"`
	// Of is the request that a job came of.
	Of string `json:"of,omitempty"`
	// Jobs are the attempts at jobs that came of a request, by this process.
	Jobs []Explained `json:"jobs,omitempty"`
}

// Latest returns the last n requests and jobs, the latest first, and those of the console
// between them.
func (k *Keeper) Latest(n int) (all []About) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop()
	for e := k.kept.Back(); e != nil && n > 0; e = e.Prev() {
		about := e.Value.(*Trail).about
		all = append(all, about)
		if !about.Console {
			n--
		}
	}
	return all
}

// Find returns the last trail with the id.
func (k *Keeper) Find(id string, jobID func(int64) string) (Explained, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop()
	e := k.byID[id]
	if e == nil {
		return Explained{}, false
	}
	t := e.Value.(*Trail)
	found := t.explained()
	for _, job := range t.jobs {
		if e := k.byID[jobID(job)]; e != nil {
			found.Jobs = append(found.Jobs, e.Value.(*Trail).explained())
		}
	}
	for job, of := range k.jobs {
		if jobID(job) == id {
			found.Of = of.about.ID
		}
	}
	return found, true
}

// explained copies nothing: kept trails do not change any more.
func (t *Trail) explained() Explained { return Explained{About: t.about, Steps: t.steps} }

// Kept returns how many trails there are, and how many bytes they take.
func (k *Keeper) Kept() (trails, bytes int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept.Len(), k.bytes
}
