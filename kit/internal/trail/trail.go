// Package trail records the steps of a request, so that it can be explained
// afterwards: the policies that were asked, the statements with their rows, what was
// charged, and the jobs and mails that came of it. A [Keeper] holds a bounded number
// of trails in memory. It is for people who develop or administer a service.
//
// A trail holds no value of a row, of an argument or of a body: texts of statements and
// words of rules are constants of the program, and of a query those parameters alone are
// kept that [Redactor] admits.
package trail

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/carry"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Kind says what a step is.
type Kind string

// The kinds of steps.
const (
	Policy    Kind = "policy"
	Statement Kind = "statement"
	Charge    Kind = "charge"
	Job       Kind = "job"
	Mail      Kind = "mail"
)

// Step is one thing that happened.
type Step struct {
	// At is when it began, after the beginning of the trail.
	At   Microseconds `json:"at_us"`
	Took Microseconds `json:"took_us,omitempty"`
	Kind Kind         `json:"kind"`
	// Name is its subject: "read posts", "select comments", a kind of job.
	Name string `json:"name"`
	// Text is a statement without its arguments, or what a rule says.
	Text string `json:"text,omitempty"`
	// Plan is how the database runs a statement, where that was asked for.
	Plan []string `json:"plan,omitempty"`
	// Events are those that a write of such rows is announced under.
	Events []string `json:"events,omitempty"`
	// Rows are those that a statement has returned or changed, Count what was charged, or
	// how often the same was asked.
	Rows  int64 `json:"rows,omitempty"`
	Count int64 `json:"count,omitempty"`
	// ID is the job's.
	ID int64 `json:"id,omitempty,string"`
	// Failure is one word where it failed, or "refused" of a policy.
	Failure string `json:"failure,omitempty"`
}

// Microseconds is a duration as JSON has it.
type Microseconds int64

// The bounds of one trail.
const (
	mostSteps   = 500
	longestText = 8 << 10
	mostBytes   = 256 << 10
	stepBytes   = 128 // beside its texts
	// usualSteps is how many there is room for from the beginning.
	usualSteps = 16
)

// Trail has the steps of one request, or of one attempt at a job.
type Trail struct {
	about  About
	keeper *Keeper

	mu    sync.Mutex
	steps []Step
	asked map[[2]string]int // the step of a policy
	bytes int
	left  int // steps for which there was no room
	done  bool
	jobs  []int64
}

// About is a trail's entry in a list.
type About struct {
	ID    string       `json:"id"`
	Began time.Time    `json:"began"`
	Took  Microseconds `json:"took_us"`
	// API is rest, graphql or job, Route the operation or the kind of the job.
	API    string `json:"api"`
	Route  string `json:"route"`
	Method string `json:"method,omitempty"`
	// Query are the parameters, with a dash in the place of values that are not shown.
	Query  string `json:"query,omitempty"`
	Status int    `json:"status,omitempty"`
	// Outcome is the outcome of an attempt at a job.
	Outcome string `json:"outcome,omitempty"`
	// Console is set for the console's own requests.
	Console bool `json:"console,omitempty"`
	// Viewer says who asked: "anonymous", "user 5 (admin)", "API key 3".
	Viewer string `json:"viewer,omitempty"`
	// Statements counts those of the database, Left the steps that were not kept.
	Statements int `json:"statements"`
	Left       int `json:"left,omitempty"`
}

// From returns the trail that the context's request leaves, nil where none is kept.
func From(ctx context.Context) *Trail { return carry.From[*Trail](ctx) }

// add adds a step, and returns its index, negative where there is no room.
func (t *Trail) add(s Step) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.put(s)
}

// put is add under the lock.
func (t *Trail) put(s Step) int {
	if len(s.Text) > longestText {
		s.Text = strings.ToValidUTF8(strings.Clone(s.Text[:longestText]), "")
	}
	size := stepBytes + len(s.Name) + len(s.Text)
	if t.done || len(t.steps) >= mostSteps || t.bytes+size > mostBytes {
		t.left++
		return -1
	}
	if t.steps == nil {
		t.steps = make([]Step, 0, usualSteps)
	}
	t.bytes += size
	t.steps = append(t.steps, s)
	return len(t.steps) - 1
}

func (t *Trail) since(began time.Time) Microseconds {
	return Microseconds(began.Sub(t.about.Began).Microseconds())
}

// Statement notes a statement that has been run. The function that it returns is called
// with the number of its rows, once these have been read.
func (t *Trail) Statement(kind, table, text string, began time.Time, failure string) func(rows int64) {
	name := kind
	if table != "" {
		name += " " + table
	}
	i := t.add(Step{At: t.since(began), Took: Microseconds(time.Since(began).Microseconds()), Kind: Statement, Name: name, Text: text, Failure: failure})
	return func(rows int64) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if i >= 0 && !t.done {
			t.steps[i].Rows = rows
			t.steps[i].Took = Microseconds(time.Since(began).Microseconds())
		}
	}
}

// Charged notes what the caller was charged, and how much they have left.
func (t *Trail) Charged(n, left int, refused bool) {
	s := Step{At: t.since(time.Now()), Kind: Charge, Name: fmt.Sprintf("%d left", left), Count: int64(n)}
	if refused {
		s.Failure = "refused"
	}
	t.add(s)
}

// Accepted notes a job.
func (t *Trail) Accepted(kind string, id int64) {
	if t.add(Step{At: t.since(time.Now()), Kind: Job, Name: kind, ID: id}) >= 0 {
		t.mu.Lock()
		t.jobs = append(t.jobs, id)
		t.mu.Unlock()
		t.keeper.came(id, t)
	}
}

// Sent notes a mail. Neither its text nor its recipient is kept.
func (t *Trail) Sent(failure string) {
	t.add(Step{At: t.since(time.Now()), Kind: Mail, Name: "mail", Failure: failure})
}

// Asked implements [viewer.Witness]: a repeated question is one step.
func (t *Trail) Asked(entity, verb string, says func() string, refused bool) {
	key := [2]string{entity, verb}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done {
		return
	}
	if i, known := t.asked[key]; known {
		if i >= 0 {
			t.steps[i].Count++
		}
		return
	}
	if len(t.asked) >= mostSteps {
		t.left++
		return
	}
	if t.asked == nil {
		t.asked = map[[2]string]int{}
	}
	s := Step{At: t.since(time.Now()), Kind: Policy, Name: verb + " " + entity, Text: says(), Count: 1}
	if refused {
		s.Failure = "refused"
	}
	t.asked[key] = t.put(s)
}

// As notes on whose behalf the request runs.
func (t *Trail) As(v *viewer.Viewer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.done {
		t.about.Viewer = nameOf(v)
	}
}

func nameOf(v *viewer.Viewer) string {
	switch {
	case v == nil || !v.Authenticated():
		return "anonymous"
	case v.Actor != 0:
		return fmt.Sprintf("user %d (admin) as user %d (%s)", v.Actor, v.UserID, v.Role)
	case v.UserID != 0:
		return "user " + strconv.FormatInt(v.UserID, 10) + " (" + string(v.Role) + ")"
	case v.KeyID != 0:
		return fmt.Sprintf("API key %d", v.KeyID)
	}
	return "the service"
}

var _ viewer.Witness = (*Trail)(nil)
