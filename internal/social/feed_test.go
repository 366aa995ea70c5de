package social_test

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/follow"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/seed"
	"github.com/entwine-go/entwine/internal/social"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A feed has what it should, in order, in pages forward and backward, whether
// its first page is among the newest rows or has to be merged.
func TestFeed(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		s := &seed.Seeder{DB: db, Seed: 3, Now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
		if _, err := s.Fill(t.Context(), seed.Amounts{"users": 60, "follows": 300, "posts": 5000}); err != nil {
			t.Fatal(err)
		}
		client, system := orm.Client(db), viewer.With(t.Context(), viewer.System())
		posts := client.Post.Query().AllX(system)
		for i, p := range posts { // some are hidden, and some times are the same
			switch {
			case i%50 == 0:
				client.Post.UpdateOne(p).SetArchivedAt(s.Now).ExecX(system)
			case i%50 == 1:
				client.Post.UpdateOne(p).SetDeletedAt(s.Now).ExecX(system)
			case i%50 == 2 && p.PublishedAt != nil:
				client.Post.UpdateOne(p).SetPublishedAt(s.Now.Add(-24 * time.Hour)).ExecX(system)
			}
		}
		posts = client.Post.Query().AllX(system)
		for user := int64(1); user <= 60; user += 7 {
			want := feedOf(system, client, posts, user)
			forward, pages := walk(t, db, user, false)
			if !slices.Equal(forward, want) {
				t.Errorf("the feed of %d in %d pages is %d posts %v, want %d %v", user, pages, len(forward), head(forward), len(want), head(want))
			}
			if backward, _ := walk(t, db, user, true); !slices.Equal(backward, want) {
				t.Errorf("the feed of %d backward is %d posts %v, want %d %v", user, len(backward), head(backward), len(want), head(want))
			}
		}
	})
}

func head(ids []int64) []int64 { return ids[:min(len(ids), 5)] }

// feedOf is the expected feed of the user.
func feedOf(ctx context.Context, client *ent.Client, posts []*ent.Post, user int64) []int64 {
	owners := map[typedid.UserID]bool{typedid.UserID(user): true}
	for _, f := range client.Follow.Query().Where(follow.FollowerID(typedid.UserID(user))).AllX(ctx) {
		owners[f.FolloweeID] = true
	}
	var shown []*ent.Post
	for _, p := range posts {
		if owners[p.AuthorID] && p.Published && p.ArchivedAt == nil && p.DeletedAt == nil {
			shown = append(shown, p)
		}
	}
	slices.SortFunc(shown, func(a, b *ent.Post) int {
		return cmp.Or(b.PublishedAt.Compare(*a.PublishedAt), cmp.Compare(b.ID, a.ID))
	})
	ids := make([]int64, len(shown))
	for i, p := range shown {
		ids[i] = int64(p.ID)
	}
	return ids
}

// walk reads the user's feed page by page, each in one statement.
func walk(t *testing.T, db *store.DB, user int64, backward bool) (ids []int64, pages int) {
	t.Helper()
	reader := &read.Reader{DB: db, Dialect: db.Dialect}
	var log store.Log
	ctx := store.WithStatementLog(viewer.With(t.Context(), &viewer.Viewer{UserID: user, Role: "user"}), &log)
	feed := social.Feed(user)
	s := read.Select(entity.Post)
	s.Field("id", entity.PostFields.ID)
	q := read.Query{Where: feed, Sort: feed.Order(), Page: read.Page{Limit: 37, Backward: backward, Cursors: true}}
	for more := true; more; pages++ {
		text, info, err := reader.Page(ctx, nil, s, q)
		if err != nil {
			t.Fatal(err)
		}
		var rows []struct{ ID int64 }
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatal(err)
		}
		page := make([]int64, len(rows))
		for i, r := range rows {
			page[i] = r.ID
		}
		if backward {
			ids, q.Page.Before, more = append(page, ids...), info.Start, info.HasPrevious
		} else {
			ids, q.Page.After, more = append(ids, page...), info.End, info.HasNext
		}
	}
	if n := len(log.Statements()); n != pages {
		t.Errorf("%d pages took %d statements", pages, n)
	}
	return ids, pages
}
