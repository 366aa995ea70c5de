package web_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/entwine-go/entwine/kit/web"
)

// The history of a part says when it was away, and is bounded.
func TestHealthRemembersWhenAPartWasAway(t *testing.T) {
	t.Parallel()
	var away error
	h := &web.Health{Log: slog.New(slog.DiscardHandler), Needs: map[string]func(context.Context) error{
		"database": func(context.Context) error { return away },
	}, Likes: map[string]func(context.Context) error{
		"redis": func(context.Context) error { return nil },
	}}
	ask := func(err error) {
		away = err
		h.Parts(t.Context())
	}
	if got := h.History(); len(got) != 0 {
		t.Fatalf("before the first answer: %+v", got)
	}
	ask(nil)
	ask(nil)
	ask(errors.New("gone"))
	ask(nil)
	got := h.History()
	if len(got) != 2 || got[0].Name != "database" || !got[0].Needed || got[1].Name != "redis" || got[1].Needed {
		t.Fatalf("the parts: %+v", got)
	}
	if d := got[0]; !d.OK || len(d.Answers) != 4 || len(d.Changes) != 3 || !d.Changes[0].OK || d.Changes[1].OK || !d.Changes[2].OK {
		t.Errorf("the database: %+v", d)
	}
	if r := got[1]; !r.OK || len(r.Answers) != 4 || len(r.Changes) != 1 {
		t.Errorf("redis: %+v", r)
	}
	for range 300 {
		ask(errors.New("gone"))
		ask(nil)
	}
	if d := h.History()[0]; len(d.Changes) != 100 || len(d.Answers) != 240 || !d.Changes[99].OK {
		t.Errorf("after 600 answers: %d changes, %d answers", len(d.Changes), len(d.Answers))
	}
}
