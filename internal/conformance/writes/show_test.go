package writes_test

import (
	"context"
	"testing"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// A new row is made and read in one statement wherever that can hold what is
// asked, and in any case is what the longer way makes.
func TestShow(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		for name, c := range map[string]struct {
			as         string
			of         *write.Entity
			body, want string
			row        string
			// statements are all, that of the comparison among them.
			statements int
			shown      bool
		}{
			"a comment":                     {"eve", rows.Comment, `{"text":"A","post_id":${post}}`, "ok", "text=A post_id=${post} author_id=${eve} version=1", 2, true},
			"a comment in another's name":   {"ada", rows.Comment, `{"text":"A","post_id":${post},"author_id":${eve}}`, "ok", "author_id=${eve}", 2, true},
			"of a draft that one can read":  {"bob", rows.Comment, `{"text":"A","post_id":${draft}}`, "ok", "post_id=${draft}", 2, true},
			"of a draft that one cannot":    {"eve", rows.Comment, `{"text":"A","post_id":${draft}}`, "422 " + bad + "; post_id names no post", "", 2, false},
			"of a post that is not there":   {"eve", rows.Comment, `{"text":"A","post_id":777}`, "422 " + bad + "; post_id names no post", "", 2, false},
			"what is not valid":             {"eve", rows.Comment, `{"post_id":${post}}`, "400 " + bad + "; text is required", "", -1, false},
			"what an API key may not":       {"key", rows.Comment, `{"text":"A","post_id":${post}}`, "403 you are not allowed to do this", "", 0, false},
			"a review of what was not paid": {"eve", rows.Review, `{"rating":5,"product_id":${lamp}}`, "403 you are not allowed to do this", "", -1, false},
			"a category":                    {"ada", rows.Category, `{"name":"news","title":"News"}`, "ok", "name=news title=News", 2, true},
			"a category that is there":      {"ada", rows.Category, `{"name":"history"}`, "409 another category has this value; name is taken", "", -1, false},
			"what has a hook":               {"ada", rows.User, `{"name":"Ann","email":"ann@example.com"}`, "ok", "name=Ann", -1, false},
		} {
			show := &write.Show{Selection: read.Whole(c.of.Entity, w.viewers[c.as])}
			got := w.try(c.as, c.of, func(ctx context.Context) (write.Row, error) {
				show.JSON, show.Shown = nil, false
				row, err := w.Create(ctx, write.Call{Entity: c.of, Input: w.input(rest, c.body), Show: show})
				if err != nil || !show.Shown {
					return row, err
				}
				read, _, err := w.Reader.One(ctx, nil, show.Selection, read.ByID(c.of.Entity, row.ID), false)
				if string(read) != string(show.JSON) {
					t.Errorf("%s: shown %s, read %s", name, show.JSON, read)
				}
				return row, err
			})
			w.compare(name, got, c.want, c.row, c.statements)
			if show.Shown != c.shown {
				t.Errorf("%s: shown is %t", name, show.Shown)
			}
		}
	})
}

// On PostgreSQL the statement is its own transaction.
func TestShowCommitsByItself(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		log := &store.Log{}
		ctx := store.WithStatementLog(w.as("eve"), log)
		show := &write.Show{Selection: read.Whole(rows.Comment.Entity, w.viewers["eve"])}
		_, err := w.Create(ctx, write.Call{Entity: rows.Comment, Input: w.input(rest, `{"text":"A","post_id":${post}}`), Show: show})
		if err != nil || !show.Shown {
			t.Fatalf("shown is %t: %v", show.Shown, err)
		}
		if n := len(log.Statements()); n != 1 {
			t.Errorf("%d statements: %q", n, log.Statements())
		}
		if control := log.Control(); w.DB.Postgres() && len(control) > 0 {
			t.Errorf("beside the statement: %q", control)
		}
	})
}
