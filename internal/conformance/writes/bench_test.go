package writes_test

import (
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// The cost of the engine's create and update of a post, beside those of Ent without
// validation or reads.
func BenchmarkWrites(b *testing.B) {
	schema := migratetest.Schema(b)
	for name, open := range map[string]func(storetest.Schema, testing.TB) *store.DB{"sqlite": storetest.Schema.SQLite, "postgres": storetest.Schema.Postgres} {
		b.Run(name, func(b *testing.B) {
			db := open(schema, b)
			client, engine := orm.Client(db), rows.Engine(db)
			bob := client.User.Create().SetName("Bob").SetEmail("bob@example.com").SetRole(user.RoleUser).SaveX(viewer.With(b.Context(), viewer.System()))
			who := &viewer.Viewer{UserID: int64(bob.ID), Role: "user"}
			ctx := viewer.With(b.Context(), who)
			one := client.Post.Create().SetAuthor(bob).SetTitle("A").SetContent("B").SaveX(ctx)
			n := 0
			input := func() write.Input {
				n++
				return write.Input{API: rest, Members: map[string]any{"title": fmt.Sprint("Title ", n), "content": "Some text."}}
			}
			measure := func(name string, write func() error) {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := write(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
			selection := read.Whole(rows.Post.Entity, who)
			measure("create_and_read", func() error {
				_, err := engine.Create(ctx, write.Call{Entity: rows.Post, Input: input(), Show: &write.Show{Selection: selection}})
				return err
			})
			measure("create", func() error {
				_, err := engine.Create(ctx, write.Call{Entity: rows.Post, Input: input()})
				return err
			})
			measure("create_by_ent", func() error {
				in := input()
				return client.Post.Create().SetAuthorID(bob.ID).SetTitle(in.Members["title"].(string)).SetContent("Some text.").Exec(ctx)
			})
			measure("update", func() error {
				_, err := engine.Update(ctx, write.Call{Entity: rows.Post, ID: gid.Int(int64(one.ID)), Input: input()}, false)
				return err
			})
			measure("update_by_ent", func() error {
				in := input()
				return client.Post.Update().Where(post.ID(one.ID)).SetTitle(in.Members["title"].(string)).SetContent("Some text.").AddVersion(1).Exec(ctx)
			})
		})
	}
}
