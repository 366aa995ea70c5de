package change_test

import (
	"maps"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/change"
)

const movedFile = `package worker

type moved struct {
	ID     int64  ` + "`json:\"id\"`" + `
	Status string ` + "`json:\"status\"`" + `
	Title  string ` + "`json:\"title\"`" + `
	Note   string ` + "`json:\"note,omitempty\"`" + `
}

func (moved) Kind() string { return "moved" }
`

// queueing has a table of jobs, and notes of posts.
func queueing(w *world) {
	w.Jobs = true
	w.Post.With(field.String("note").Optional())
}

// moving has the first event of posts make a job, whose arguments are the id and
// the payload.
func moving(payload ...string) func(w *world) {
	return func(w *world) {
		queueing(w)
		w.files = maps.Clone(w.files)
		w.files["worker/moved.go"] = movedFile
		w.Post.Resource.Events[0].Job, w.Post.Resource.Events[0].Payload = "moved", payload
	}
}

// A kind of job may be called otherwise together with the event that makes it.
func TestEventsFollowTheirKindOfJob(t *testing.T) {
	t.Parallel()
	c := changed{46, "an event whose kind of job is renamed", moving("status"), func(w *world) {
		moving("status")(w)
		w.Post.Resource.Events[0].Job = "shifted"
		w.edit("worker/moved.go", `func (moved) Kind() string { return "moved" }`, "func (moved) Kind() string { return \"shifted\" }\n\nfunc (moved) Was() []string { return []string{\"moved\"} }")
	}}
	found := c.judged(t)
	if len(found) != 1 || found[0].Kind != 46 || found[0].Verdict != change.Safe {
		t.Errorf("the findings are %+v, want one that breaks nothing", found)
	}
}
