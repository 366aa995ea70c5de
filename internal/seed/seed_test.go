package seed_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/comment"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/internal/seed"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

var (
	noon  = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	small = seed.Amounts{"users": 120, "posts": 300, "comments": 701, "products": 60, "categories": 10}
)

func fill(t *testing.T, db *store.DB) (*ent.Client, context.Context) {
	t.Helper()
	last := 0
	s := &seed.Seeder{DB: db, Seed: 1, Now: noon, Progress: func(done, total int) {
		if done <= last || total != 1191 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}}
	if _, err := s.Fill(t.Context(), small); err != nil {
		t.Fatal(err)
	}
	if last != 1191 {
		t.Errorf("progress ended at %d", last)
	}
	return orm.Client(db), viewer.With(t.Context(), viewer.System())
}

func TestFillTwice(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		fill(t, db)
		client, ctx := fill(t, db)
		users, posts := client.User.Query().CountX(ctx), client.Post.Query().CountX(ctx)
		comments, products := client.Comment.Query().CountX(ctx), client.Product.Query().CountX(ctx)
		if users != 240 || posts != 600 || comments != 1402 || products != 120 || client.Category.Query().CountX(ctx) != 20 {
			t.Errorf("%d users, %d posts, %d comments, %d products", users, posts, comments, products)
		}
	})
}

func TestRowsAreWhatEntWouldHaveMade(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		client, ctx := fill(t, db)
		valid := func(e *write.Entity, id int64) {
			t.Helper()
			row, err := e.Rows.Query(db.Driver(), sql.FieldEQ("id", id)).Only(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range e.Fields {
				value := row.Field(f.Name)
				if f.Check == nil || value == nil {
					continue
				}
				if err := f.Check(value); err != nil {
					t.Errorf("%s %d: %s %v", e.Singular, id, f.Name, err)
				}
			}
		}
		for _, u := range client.User.Query().AllX(ctx) {
			valid(rows.User, int64(u.ID))
			if u.EmailFold != fold.String(u.Email) || u.NameFold != fold.String(u.Name) || u.Version != 1 || u.Role == user.RoleAdmin {
				t.Errorf("user %v", u)
			}
			if u.CreatedAt.After(noon) || u.CreatedAt.Before(noon.AddDate(-2, 0, -2)) || !u.UpdatedAt.Equal(u.CreatedAt) {
				t.Errorf("user %d was created %v", u.ID, u.CreatedAt)
			}
		}
		for _, p := range client.Post.Query().AllX(ctx) {
			valid(rows.Post, int64(p.ID))
			if p.TitleFold != fold.String(p.Title) || p.ContentFold != fold.String(p.Content) {
				t.Errorf("post %v", p)
			}
		}
		for _, c := range client.Comment.Query().AllX(ctx) {
			valid(rows.Comment, int64(c.ID))
		}
		for _, p := range client.Product.Query().AllX(ctx) {
			valid(rows.Product, int64(p.ID))
		}
	})
}

func TestAFewDoMost(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		client, ctx := fill(t, db)
		var perPost, perAuthor []group
		client.Comment.Query().GroupBy(comment.FieldPostID).Aggregate(ent.As(ent.Count(), "n")).ScanX(ctx, &perPost)
		client.Post.Query().GroupBy(post.FieldAuthorID).Aggregate(ent.As(ent.Count(), "n")).ScanX(ctx, &perAuthor)
		for name, groups := range map[string][]group{"comments of a post": perPost, "posts of an author": perAuthor} {
			total, most := 0, 0
			for _, g := range groups {
				total, most = total+g.N, max(most, g.N)
			}
			if most < 5*total/len(groups) {
				t.Errorf("%s: at most %d, on average %d: no skew", name, most, total/len(groups))
			}
		}
	})
}

// group is how many rows have the same author or post.
type group struct {
	N        int
	AuthorID int64 `sql:"author_id"`
	PostID   int64 `sql:"post_id"`
}

func TestOneSeedOneContent(t *testing.T) {
	t.Parallel()
	var content [2]string
	for i := range content {
		client, ctx := fill(t, migratetest.Schema(t).SQLite(t))
		content[i] = fmt.Sprint(client.User.Query().AllX(ctx), client.Post.Query().AllX(ctx), client.Comment.Query().AllX(ctx), client.Product.Query().AllX(ctx))
	}
	if content[0] != content[1] {
		t.Error("two empty databases got different rows from one seed")
	}
}

// Every entity gets rows, and the counts that the database keeps of them are right.
func TestEveryEntityGetsRows(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		paths, kept := seed.Paths()
		amounts := seed.Amounts{}
		for _, path := range paths {
			amounts[path] = -60
		}
		made, err := (&seed.Seeder{DB: db, Seed: 1, Now: noon}).Fill(t.Context(), amounts)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if made[path] < 1 {
				t.Errorf("no %s were made", path)
			}
		}
		client, ctx := orm.Client(db), viewer.With(t.Context(), viewer.System())
		likes, shares, reviews := 0, 0, 0
		for _, p := range client.Post.Query().AllX(ctx) {
			likes, shares = likes+int(p.LikesCount), shares+int(p.SharesCount)
		}
		for _, p := range client.Product.Query().AllX(ctx) {
			reviews += int(p.ReviewsCount)
		}
		if likes != made["likes"] || shares != made["shares"] || reviews != made["reviews"] {
			t.Errorf("%d likes, %d shares and %d reviews are counted of %v", likes, shares, reviews, made)
		}
		for _, path := range kept {
			if _, err := (&seed.Seeder{DB: db, Now: noon}).Fill(t.Context(), seed.Amounts{path: 1}); err == nil || !strings.Contains(err.Error(), "only the service makes") {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

func TestWhatCannotBeMadeIsTold(t *testing.T) {
	t.Parallel()
	db := migratetest.Schema(t).SQLite(t)
	for want, amounts := range map[string]seed.Amounts{
		"there are no wombats: rows of":                {"wombats": 1},
		"comments need a row of posts":                 {"users": 1, "posts": 0, "comments": 1},
		"follows: there can be no more than about 6, ": {"users": 3, "follows": 7},
	} {
		if _, err := (&seed.Seeder{DB: db, Seed: 1, Now: noon}).Fill(t.Context(), amounts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", amounts, err, want)
		}
	}
}
