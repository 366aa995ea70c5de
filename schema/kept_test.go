package schema_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// each runs a test of what the database itself keeps, through whatever door
// a row is written.
func each(t *testing.T, test func(w world, db *store.DB)) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, c := populate(t, db)
		test(world{t: t, db: db, ctx: ctx, Client: c, at: time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)}, db)
	})
}

func (w world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// raw runs a statement that goes past Ent.
func (w world) raw(db *store.DB, text string) {
	w.t.Helper()
	_, err := db.ExecContext(w.ctx, text)
	w.must(err)
}

// ofTopics are the events of topics that schemas declare: beside them each write of some
// tables is announced to live lists.
const ofTopics = "topic NOT LIKE 'live.%'"

// happens runs do and compares the events that it causes: "topic entity id key payload".
func (w world) happens(what string, do func(), want ...string) {
	w.t.Helper()
	before := storetest.Count(w.t, w.db, "events WHERE "+ofTopics)
	do()
	const lines = "SELECT topic || ' ' || entity || ' ' || entity_id || ' ' || key || COALESCE(' ' || REPLACE(payload, ' ', ''), '') FROM events WHERE " + ofTopics + " ORDER BY id"
	got := storetest.Ask[string](w.t, w.db, lines)[before:]
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: %q happened, want %q", what, got, want)
	}
}

func TestEveryWriteIsAnnounced(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		w.happens("a draft", func() {
			save(w, w.Post.Create().SetTitle("draft").SetContent("…").SetAuthorID(owner))
		})
		w.happens("several at once", func() {
			_, err := w.Post.CreateBulk(
				w.Post.Create().SetTitle("a").SetContent("…").SetAuthorID(owner).SetPublished(true),
				w.Post.Create().SetTitle("b").SetContent("…").SetAuthorID(owner).SetPublished(true),
			).Save(w.ctx)
			w.must(err)
		}, "post.published Post 7 7", "post.published Post 8 8")
		w.happens("an update past Ent", func() {
			w.raw(db, `UPDATE posts SET published = (1 = 1), published_at = created_at WHERE id = 2`)
		}, "post.published Post 2 2")
		w.happens("an update of something else", func() {
			w.must(w.Post.UpdateOneID(2).SetTitle("other").Exec(w.ctx))
		})
		w.happens("a comment", func() {
			save(w, w.Comment.Create().SetText("…").SetPostID(2).SetAuthorID(other))
		}, "comment.created Comment 4 2")
		w.happens("a payload", func() {
			w.must(w.Order.UpdateOneID(2).SetStatus("cancelled").SetClosedAt(w.at).Exec(w.ctx))
		}, `order.status Order 2 2 {"status":"cancelled"}`)
		w.happens("a soft delete", func() {
			w.must(w.Comment.UpdateOneID(4).SetDeletedAt(w.at).Exec(w.ctx))
		}, "comment.deleted Comment 4 2")
		w.happens("the removal of what was deleted", func() {
			w.must(w.Comment.DeleteOneID(4).Exec(w.ctx))
		})
		w.happens("a cascade past Ent", func() {
			w.raw(db, `DELETE FROM posts WHERE id = 1`)
		}, "post.deleted Post 1 1", "post.hidden Post 1 1", "comment.deleted Comment 1 1")
		w.happens("a transaction that is rolled back", func() {
			stop := errors.New("stop")
			err := db.InTx(w.ctx, func(ctx context.Context) error {
				w.must(w.User.UpdateOneID(owner).SetIsActive(false).Exec(ctx))
				return stop
			})
			if !errors.Is(err, stop) {
				w.t.Fatal(err)
			}
		})
	})
}

func TestEventsKnowTheirTransaction(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		w.must(db.InTx(w.ctx, func(ctx context.Context) error {
			for range 2 {
				if err := w.Comment.Create().SetText("…").SetPostID(1).SetAuthorID(owner).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		}))
		two := storetest.Ask[int64](w.t, w.db, "SELECT xid FROM events ORDER BY id DESC LIMIT 2")
		if two[0] != two[1] || (two[0] != 0) != db.Postgres() {
			w.t.Errorf("transactions %d and %d: want one, and 0 on SQLite", two[0], two[1])
		}
		for _, at := range storetest.Ask[time.Time](w.t, w.db, "SELECT created_at FROM events ORDER BY id DESC LIMIT 2") {
			if age := time.Since(at); age < -time.Minute || age > time.Minute {
				w.t.Errorf("it happened at %v, %v ago", at, age)
			}
		}
	})
}

func TestANewRowIsChangedLastWhenItIsCreated(t *testing.T) {
	each(t, func(w world, _ *store.DB) {
		made := save(w, w.Post.Create().SetTitle("a").SetContent("…").SetAuthorID(owner))
		if !made.CreatedAt.Equal(made.UpdatedAt) {
			w.t.Errorf("created at %v, changed at %v", made.CreatedAt, made.UpdatedAt)
		}
	})
}

func TestCountsAreTheirRows(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		for _, step := range []struct {
			name string
			do   func()
			want int64
		}{
			{"published posts that are neither archived nor deleted", func() {}, 1},
			{"a draft that is published", func() { w.must(w.Post.UpdateOneID(2).SetPublished(true).Exec(w.ctx)) }, 2},
			{"a post that is archived", func() { w.must(w.Post.UpdateOneID(2).SetArchivedAt(w.at).Exec(w.ctx)) }, 1},
			{"a post that is restored", func() { w.must(w.Post.UpdateOneID(4).ClearDeletedAt().Exec(w.ctx)) }, 2},
			{"a post that leaves", func() { w.must(w.Post.UpdateOneID(4).ClearCategoryID().Exec(w.ctx)) }, 1},
			{"a post that comes", func() { w.must(w.Post.UpdateOneID(4).SetCategoryID(1).Exec(w.ctx)) }, 2},
			{"a post that moves", func() { w.must(w.Post.UpdateOneID(4).SetCategoryID(2).Exec(w.ctx)) }, 1},
			{"a post that is removed", func() { w.raw(db, `DELETE FROM posts WHERE id = 1`) }, 0},
		} {
			step.do()
			if got := w.Category.GetX(w.ctx, 1).PostsCount; got != step.want {
				w.t.Errorf("%s: the category counts %d posts, want %d", step.name, got, step.want)
			}
		}
	})
}

func TestMeansAreTheirRows(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		for _, step := range []struct {
			name  string
			do    func()
			count int64
			mean  float64
		}{
			{"one review", func() {}, 1, 5},
			{"another one", func() { save(w, w.Review.Create().SetProductID(1).SetAuthorID(other).SetRating(2)) }, 2, 3.5},
			{"a change of mind", func() { w.must(w.Review.UpdateOneID(1).SetRating(3).Exec(w.ctx)) }, 2, 2.5},
			{"a deletion", func() { w.must(w.Review.UpdateOneID(1).SetDeletedAt(w.at).Exec(w.ctx)) }, 1, 2},
			{"the last one removed", func() { w.raw(db, `DELETE FROM reviews WHERE product_id = 1`) }, 0, 0},
		} {
			step.do()
			p := w.Product.GetX(w.ctx, 1)
			var mean float64
			if p.Rating != nil {
				mean = *p.Rating
			}
			if p.ReviewsCount != step.count || mean != step.mean || (p.Rating == nil) != (step.count == 0) {
				w.t.Errorf("%s: %d reviews, %v on average, want %d and %v", step.name, p.ReviewsCount, mean, step.count, step.mean)
			}
		}
	})
}

// Everybody follows everybody at once: counts are right at the end, and
// no transaction waits for one that waits for it.
func TestCountsStayRightAtOnce(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		people := []typedid.UserID{owner, other, 9, 10, 11, admin}
		var all sync.WaitGroup
		for _, follower := range people {
			for _, followee := range people {
				if follower == followee || follower == owner && followee == other {
					continue
				}
				all.Go(func() {
					if err := w.Follow.Create().SetFollowerID(follower).SetFolloweeID(followee).Exec(w.ctx); err != nil {
						w.t.Errorf("%d follows %d: %v", follower, followee, err)
					}
				})
			}
		}
		all.Wait()
		for _, id := range people {
			if u := w.User.GetX(w.ctx, id); u.FollowersCount != 5 || u.FollowingCount != 5 || u.Version != 1 {
				w.t.Errorf("user %d has %d followers and follows %d at version %d, want 5, 5 and 1", id, u.FollowersCount, u.FollowingCount, u.Version)
			}
		}
		w.raw(db, `DELETE FROM users WHERE id = 12`)
		if u := w.User.GetX(w.ctx, owner); u.FollowersCount != 4 || u.FollowingCount != 4 {
			w.t.Errorf("without the admin: %d and %d, want 4 and 4", u.FollowersCount, u.FollowingCount)
		}
	})
}

func TestARemovedCustomerIsForgotten(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		w.raw(db, `DELETE FROM users WHERE id = 7`)
		i := w.Invoice.GetX(w.ctx, 1)
		if i.UserID != nil || i.CustomerName != "removed customer" || i.CustomerEmail != "" || i.Total != 3998 {
			w.t.Errorf("the invoice is %v", i)
		}
		if o := w.Order.GetX(w.ctx, 1); o.UserID != nil || o.Status != "paid" {
			w.t.Errorf("the order is %v", o)
		}
		if n := w.CartItem.Query().CountX(w.ctx); n != 0 {
			w.t.Errorf("%d items are left in the cart", n)
		}
	})
}

func TestInvariantsAreTheDatabases(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		is := func(rule store.Rule) func(error) bool {
			return func(err error) bool { v, _ := store.ViolationOf(err); return v.Rule == rule }
		}
		for _, c := range []struct {
			name  string
			do    func(context.Context) error
			wrong func(error) bool
		}{
			{"an e-mail address that differs in case only", w.User.Create().SetName("Ada").SetEmail("OWNER@Example.com").Exec, is(store.Unique)},
			{"the e-mail address of a deleted user", w.User.Create().SetName("Ada").SetEmail("gone@example.com").Exec, is(store.Unique)},
			{"a second like", w.Like.Create().SetPostID(1).SetUserID(owner).Exec, is(store.Unique)},
			{"following oneself", w.Follow.Create().SetFollowerID(owner).SetFolloweeID(owner).Exec, is(store.Check)},
			{"a second review", w.Review.Create().SetProductID(1).SetAuthorID(owner).SetRating(3).Exec, is(store.Unique)},
			{"a second capture", w.Payment.Create().SetOrderID(1).SetAmount(1).SetCurrency("USD").SetGateway("sandbox").Exec, is(store.Unique)},
			{"refunds above the payment", w.Refund.Create().SetPaymentID(1).SetAmount(2999).SetCurrency("USD").Exec, is(store.Check)},
			{"stock below zero", func(ctx context.Context) error { return w.Product.UpdateOneID(1).AddStock(-4).Exec(ctx) }, is(store.Check)},
			{"the removal of an order that was paid", w.Order.DeleteOneID(1).Exec, is(store.ForeignKey)},
			{"a category of the name", w.Category.Create().SetName("science").Exec, is(store.Unique)},
			{"a category of a deleted one's name", w.Category.Create().SetName("alchemy").Exec, func(err error) bool { return err == nil }},
			{"the rest of a refund", w.Refund.Create().SetPaymentID(1).SetAmount(2998).SetCurrency("USD").Exec, func(err error) bool { return err == nil }},
		} {
			if err := c.do(w.ctx); !c.wrong(err) {
				w.t.Errorf("%s: %v", c.name, err)
			}
		}
	})
}

func TestStampsAndStockFollow(t *testing.T) {
	each(t, func(w world, db *store.DB) {
		if p := w.Post.GetX(w.ctx, 1); p.PublishedAt == nil {
			w.t.Error("a post that is created published has no time of it")
		}
		if p := w.Post.UpdateOneID(2).SetPublished(true).SaveX(w.ctx); p.PublishedAt == nil {
			w.t.Error("a post that is published has no time of it")
		}
		if p := w.Product.UpdateOneID(1).SetStock(0).SaveX(w.ctx); p.InStock {
			w.t.Error("a product without stock is in stock")
		}
		if p := w.Product.UpdateOneID(2).SetInStock(false).SaveX(w.ctx); p.InStock {
			w.t.Error("a product whose stock is not counted is not what it is set to")
		}
	})
}
