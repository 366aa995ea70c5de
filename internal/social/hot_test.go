package social_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// writers is how many like or follow at a time.
const writers = 64

// The cost when all like one post or follow one author, beside the cost when each has one
// of their own:
//
//	go test ./internal/social -run '^$' -bench Hot -benchtime 5000x
func BenchmarkHotRows(b *testing.B) {
	db, err := store.Open(b.Context(), store.Config{URL: migratetest.Schema(b).PostgresURL(b), Conns: 32})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	client, system := orm.Client(db), viewer.With(b.Context(), viewer.System())
	var users []typedid.UserID
	var posts []typedid.PostID
	for i := range 2 * writers {
		u := client.User.Create().SetName(fmt.Sprintf("User %d", i)).SetEmail(fmt.Sprintf("user%d@example.com", i)).SaveX(system)
		users = append(users, u.ID)
		posts = append(posts, client.Post.Create().SetTitle("A post").SetContent("A text").SetPublished(true).SetAuthorID(u.ID).SaveX(system).ID)
	}
	circle := circle{rows.Engine(db)}
	for _, bench := range []struct {
		name string
		hot  bool
	}{{"apart", false}, {"one", true}} {
		target := func(i int) int {
			if bench.hot {
				return writers
			}
			return writers + i
		}
		run := func(name string, do func(i int) error) {
			b.Run(name+"/"+bench.name, func(b *testing.B) {
				var next atomic.Int64
				b.SetParallelism(writers / 2) // of each of two processors
				b.RunParallel(func(pb *testing.PB) {
					i := int(next.Add(1)-1) % writers
					for pb.Next() {
						if err := do(i); err != nil {
							b.Error(err)
							return
						}
					}
				})
				b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "writes/s")
			})
		}
		as := func(i int) *viewer.Viewer { return &viewer.Viewer{UserID: int64(users[i]), Role: "user"} }
		run("like", func(i int) error {
			ctx := viewer.With(b.Context(), as(i))
			if err := circle.like(ctx, posts[target(i)]); err != nil {
				return err
			}
			return circle.unlike(ctx, posts[target(i)])
		})
		run("follow", func(i int) error {
			ctx := viewer.With(b.Context(), as(i))
			if err := circle.follow(ctx, users[target(i)]); err != nil {
				return err
			}
			return circle.unfollow(ctx, users[target(i)])
		})
	}
}
