package social_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// looks are the ways in which the second user reads what is the first one's, with how
// many rows each finds.
func (n *network) looks() map[string]func(context.Context) int64 {
	r := &read.Reader{DB: n.db, Dialect: n.db.Dialect}
	mine := func(e *kitentity.Entity) read.Filter {
		return read.Compare(e.Field("author_id"), read.EQ, int64(n.users[0]))
	}
	must := func(err error) {
		n.Helper()
		if err != nil {
			n.Error(err)
		}
	}
	counted := func(info read.Info) int64 {
		if info.Total == 0 && info.Count > 0 {
			n.Errorf("%d rows of a total of none", info.Count)
		}
		return info.Total
	}
	list := func(e *kitentity.Entity, p read.Page) func(context.Context) int64 {
		return func(ctx context.Context) int64 {
			_, info, err := r.Page(ctx, nil, read.Select(e), read.Query{Where: mine(e), Page: p})
			must(err)
			return counted(info)
		}
	}
	return map[string]func(context.Context) int64{
		"a list of posts":            list(entity.Post, read.Page{Limit: 3, Total: true}),
		"a total of posts alone":     list(entity.Post, read.Page{Limit: 0, Total: true, NoPeek: true}),
		"a list of comments":         list(entity.Comment, read.Page{Limit: 3, Total: true}),
		"a bounded list of comments": list(entity.Comment, read.Page{Limit: 3, Total: true, Most: read.MostCounted}),
		"the last post": func(ctx context.Context) int64 {
			_, info, err := r.One(ctx, nil, read.Select(entity.Post), read.ByID(entity.Post, gid.Int(int64(n.posts[1])+many)), false)
			must(err)
			return int64(info.Count)
		},
		"a post that exists": func(ctx context.Context) int64 {
			yes, err := r.Readable(ctx, entity.Post, gid.Int(int64(n.posts[1])+many))
			must(err)
			if yes {
				return 1
			}
			return 0
		},
		"comments of a post": func(ctx context.Context) int64 {
			s := read.Select(entity.Post)
			for _, g := range entity.Post.Edges {
				if g.Name == "comments" {
					s.Many("comments", g, read.Select(entity.Comment), read.Query{Page: read.Page{Limit: 2 * many}}, nil)
				}
			}
			text, _, err := r.One(ctx, nil, s, read.ByID(entity.Post, gid.Int(int64(n.posts[1]))), false)
			must(err)
			var post struct{ Comments []any }
			must(json.Unmarshal(text, &post))
			return int64(len(post.Comments))
		},
	}
}

// A statement asks in one place whether a deletion is at work, and what follows from it
// only where one is: readers see the same either way, in lists that are empty, too.
func TestReadersSeeNothingOfADeletionAtWork(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n := prolific(t, db)
		looks, found := n.looks(), map[string]int64{}
		look := func(when string, there bool) {
			t.Helper()
			atWork := storetest.Count(t, db, "recounts") > 0
			for name, look := range looks {
				log := &store.Log{}
				got := look(store.WithStatementLog(n.as(1), log))
				if !there && got != 0 {
					t.Errorf("%s: %s has %d rows, want none", when, name, got)
				}
				if there && got != found[name] {
					t.Errorf("%s: %s has %d rows, want %d", when, name, got, found[name])
				}
				all := log.Statements()
				last := all[len(all)-1]
				if complete := strings.Contains(last, `"keepers" = 'users'`); atWork && !complete || there && !atWork && complete {
					t.Errorf("%s: %s asks what is being deleted: %t, in\n%s", when, name, complete, last)
				}
			}
		}
		for name, look := range looks {
			if found[name] = look(n.as(1)); found[name] == 0 {
				t.Errorf("%s finds nothing", name)
			}
		}
		look("nobody is deleted", true)
		n.shift(0, true)
		look("deleted", false)
		n.step()
		look("after a step", false)
		n.settle()
		look("once all is done", false)
		n.shift(0, false)
		n.settle()
		look("restored", true)
	})
}
