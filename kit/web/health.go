package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Health answers those who decide whether this process gets requests.
//
// GET /healthz: it runs. GET /readyz: it can do its work; 503 where a part
// that it needs is away or it is about to stop, "degraded" and 200 where a
// part is away that it can do without.
type Health struct {
	Log *slog.Logger
	// Needs and Likes are parts by their names: what fails without one, and
	// what goes on without one. A name may be in both.
	Needs, Likes map[string]func(context.Context) error

	draining atomic.Bool
	mu       sync.Mutex
	running  map[string]*check  // those that have not answered, by their keys
	last     map[string]verdict // what each has answered last
	history  history
}

// Drain has /readyz answer 503 from now on.
func (h *Health) Drain() { h.draining.Store(true) }

// Part is how a part was when it was asked.
type Part struct {
	Name   string
	Needed bool // whether the process can't do its work without it
	Err    error
}

// Parts asks all parts, as /readyz does.
func (h *Health) Parts(ctx context.Context) (all []Part) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	needs, likes := h.ask(ctx, needed, h.Needs), h.ask(ctx, liked, h.Likes)
	for _, c := range needs {
		all = append(all, Part{c.name, true, c.verdict(ctx)})
	}
	for _, c := range likes {
		all = append(all, Part{c.name, false, c.verdict(ctx)})
	}
	return all
}

// Handler answers /healthz and /readyz, for processes that serve nothing else.
func (h *Health) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", h.live)
	mux.HandleFunc("/readyz", h.ready)
	return mux
}

func (h *Health) live(w http.ResponseWriter, r *http.Request) {
	h.answer(w, r, http.StatusOK, "ok", nil)
}

func (h *Health) ready(w http.ResponseWriter, r *http.Request) {
	if h.draining.Load() {
		h.answer(w, r, http.StatusServiceUnavailable, "draining", nil)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), checkTime)
	defer cancel()
	needs, likes := h.ask(ctx, needed, h.Needs), h.ask(ctx, liked, h.Likes)
	checks := make(map[string]string)
	switch able, whole := h.judge(ctx, checks, needs), h.judge(ctx, checks, likes); {
	case !able:
		h.answer(w, r, http.StatusServiceUnavailable, "unavailable", checks)
	case !whole:
		h.answer(w, r, http.StatusOK, "degraded", checks)
	default:
		h.answer(w, r, http.StatusOK, "ok", checks)
	}
}

// The sorts of parts.
const (
	needed = "needs"
	liked  = "likes"
)

const (
	// checkTime is how long a part may take to say that it is well.
	checkTime = 2 * time.Second
	// patience is how much of that a prober waits for an optional part: many give up after a second, and
	// would take the process for unavailable because of a part that it can do without.
	patience = 500 * time.Millisecond
	// remembered is how long the last answer of such a part stands for one that is yet to come.
	remembered = 15 * time.Second
)

var errNoAnswer = errors.New("no answer in time")

// verdict is an answer of a part, with its time.
type verdict struct {
	err error
	at  time.Time
}

// check is a question to one part, until it has answered.
type check struct {
	key, name string
	needed    bool
	began     time.Time
	before    *verdict // nil: there is none that counts
	done      chan struct{}
	err       error // once done is closed
}

// verdict returns what the part has answered, also after ctx has ended. While the answer of an optional part
// is yet to come, the one before counts. A part that is needed has all its time: a process whose database
// hangs is not ready, and one whose database is slow is.
func (c *check) verdict(ctx context.Context) error {
	most := patience
	if c.needed {
		most = checkTime
	}
	ctx, cancel := context.WithDeadline(ctx, c.began.Add(most))
	defer cancel()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
	}
	select {
	case <-c.done:
		return c.err
	default:
	}
	if c.before != nil && time.Since(c.began) < checkTime {
		return c.before.err
	}
	return errNoAnswer
}

// ask asks all parts at the same time, so that one that hangs is not taken for
// another. A part that has not answered the last time is not asked again: who
// asks often must not pile up what hangs.
func (h *Health) ask(ctx context.Context, sort string, parts map[string]func(context.Context) error) []*check {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := make([]*check, 0, len(parts))
	for name, ask := range parts {
		key := sort + " " + name
		c := h.running[key]
		if c == nil {
			c = &check{key: key, name: name, needed: sort == needed, began: time.Now(), done: make(chan struct{})}
			if v, known := h.last[key]; known && c.began.Sub(v.at) < remembered {
				c.before = &v
			}
			if h.running == nil {
				h.running = make(map[string]*check)
			}
			h.running[key] = c
			go h.run(context.WithoutCancel(ctx), c, ask)
		}
		asked = append(asked, c)
	}
	return asked
}

func (h *Health) run(ctx context.Context, c *check, ask func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	c.err = ask(ctx)
	h.history.note(c.key, c.name, c.needed, PartAnswer{c.began.UTC(), c.err == nil, time.Since(c.began).Microseconds()})
	h.mu.Lock()
	if h.last == nil {
		h.last = make(map[string]verdict)
	}
	h.last[c.key] = verdict{c.err, time.Now()}
	delete(h.running, c.key)
	h.mu.Unlock()
	close(c.done)
}

// judge waits for the parts, and reports whether all are well. Only the log has
// the fault of one.
func (h *Health) judge(ctx context.Context, checks map[string]string, asked []*check) bool {
	all := true
	for _, c := range asked {
		if err := c.verdict(ctx); err != nil {
			all, checks[c.name] = false, "failed"
			h.Log.WarnContext(ctx, "part is away", "part", c.name, "err", err)
		} else if checks[c.name] == "" {
			checks[c.name] = "ok"
		}
	}
	return all
}

func (h *Health) answer(w http.ResponseWriter, r *http.Request, status int, word string, checks map[string]string) {
	if !readOnly(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		// The client may be gone, which is no error.
		_ = json.NewEncoder(w).Encode(struct {
			Status string            `json:"status"`
			Checks map[string]string `json:"checks,omitempty"`
		}{word, checks})
	}
}

// readOnly answers 405 to whatever is neither GET nor HEAD.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	w.WriteHeader(http.StatusMethodNotAllowed)
	return false
}
