package apis_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	posts "github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/store"
)

// behind are the ways in which Go code and SQL of the service, and the database
// itself, change a post of Ada's that is in a category, beside the APIs.
var behind = map[string]func(ctx context.Context, db *store.DB, c *ent.Client, p *ent.Post) error{
	"an update by id": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		return c.Post.UpdateOneID(p.ID).SetTitle("Theirs").Exec(ctx)
	},
	"an update of the row": func(ctx context.Context, _ *store.DB, _ *ent.Client, p *ent.Post) error {
		return p.Update().SetTitle("Theirs").Exec(ctx)
	},
	"an update by predicate": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		return c.Post.Update().Where(posts.TitleHasPrefix("Mine"), posts.AuthorID(p.AuthorID)).SetTitle("Theirs").Exec(ctx)
	},
	"an update in a transaction": func(ctx context.Context, db *store.DB, c *ent.Client, p *ent.Post) error {
		return db.InTx(ctx, func(ctx context.Context) error { return c.Post.UpdateOneID(p.ID).ClearCategory().Exec(ctx) })
	},
	"added to the other end of an edge": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		if err := c.Post.UpdateOneID(p.ID).ClearCategory().Exec(ctx); err != nil {
			return err
		}
		return c.Category.Create().SetName("theirs").AddPosts(p).Exec(ctx)
	},
	"removed from the other end of an edge": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		return c.Category.UpdateOneID(*p.CategoryID).RemovePostIDs(p.ID).Exec(ctx)
	},
	"the other end of an edge cleared": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		return c.Category.UpdateOneID(*p.CategoryID).ClearPosts().Exec(ctx)
	},
	"the row at the other end removed": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		return c.Category.DeleteOneID(*p.CategoryID).Exec(ctx)
	},
	"deleted and restored": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		if n, err := c.Post.Hide(ctx, p.ID, time.Now()); n != 1 || err != nil {
			return fmt.Errorf("hide %d rows: %w", n, err)
		}
		_, err := c.Post.Restore(ctx, p.ID)
		return err
	},
	"deleted and restored with its author": func(ctx context.Context, db *store.DB, c *ent.Client, p *ent.Post) error {
		return db.InTx(ctx, func(ctx context.Context) error {
			if n, err := c.User.Hide(ctx, p.AuthorID, time.Now()); n != 1 || err != nil {
				return fmt.Errorf("hide %d rows: %w", n, err)
			}
			_, err := c.User.Restore(ctx, p.AuthorID)
			return err
		})
	},
	"SQL": func(ctx context.Context, db *store.DB, _ *ent.Client, p *ent.Post) error {
		_, err := db.ExecContext(ctx, "UPDATE posts SET title = 'Theirs' WHERE id = $1", int64(p.ID))
		return err
	},
	"SQL that makes or changes the row": func(ctx context.Context, db *store.DB, _ *ent.Client, p *ent.Post) error {
		_, err := db.ExecContext(ctx, `INSERT INTO posts (id, created_at, updated_at, title, content, author_id)
			SELECT id, created_at, updated_at, title, content, author_id FROM posts WHERE id = $1
			ON CONFLICT (id) DO UPDATE SET title = 'Theirs'`, int64(p.ID))
		return err
	},
	"a version that is set back": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		return c.Post.UpdateOneID(p.ID).SetVersion(1).Exec(ctx)
	},
	"a version that the statement raises": func(ctx context.Context, _ *store.DB, c *ent.Client, p *ent.Post) error {
		return c.Post.UpdateOneID(p.ID).SetTitle("Theirs").AddVersion(1).Exec(ctx)
	},
}

// A conditional change is refused, by every method of both APIs, once the row has changed
// since the client read it.
func TestEveryWriteRaisesTheVersion(t *testing.T) {
	eachFront(t, func(f *front) {
		f.signUp()
		client := orm.Client(f.db)
		author := client.User.Query().OnlyIDX(f.system())
		admin, grace := f.admin("grace")
		for name, write := range behind {
			category := client.Category.Create().SetName(strings.ReplaceAll(strings.ToLower(name), " ", "-")).SaveX(f.system())
			p := client.Post.Create().SetTitle("Mine").SetContent("…").SetAuthorID(author).SetCategory(category).SaveX(f.system())
			path := fmt.Sprintf("/api/v1/posts/%d", p.ID)
			tag := admin.ask("GET", path, "").want(200).header.Get("ETag")
			if err := write(f.system(), f.db, client, p); err != nil {
				f.Fatalf("%s: %v", name, err)
			}
			for _, refused := range []*answered{
				admin.ask("PATCH", path, `{"content":"Mine"}`, "If-Match", tag),
				admin.ask("PUT", path, `{"title":"Mine","content":"Mine"}`, "If-Match", tag),
				admin.ask("DELETE", path, "", "If-Match", tag),
				admin.ask("POST", path+"/archive", "", "If-Match", tag),
			} {
				if refused.status != 412 {
					f.Errorf("%s: an old tag is answered %d: %s", name, refused.status, refused.text)
				}
			}
			for _, mutation := range []string{
				`updatePost(id: %d, expectedVersion: 1, input: {content: "Mine"}) { id }`, `deletePost(id: %d, expectedVersion: 1)`, `archivePost(id: %d, expectedVersion: 1) { id }`,
			} {
				if a := admin.graphql(fmt.Sprintf("mutation { "+mutation+" }", p.ID)); !strings.Contains(a.text, "PRECONDITION_FAILED") {
					f.Errorf("%s: an old version is answered %s", name, a.text)
				}
			}
			want := int64(2)
			if strings.HasPrefix(name, "deleted") || strings.HasPrefix(name, "added") { // by two writes
				want = 3
			}
			if got := client.Post.GetX(f.system(), p.ID).Version; got != want {
				f.Errorf("%s: version %d, want %d", name, got, want)
			}
			tag = admin.ask("GET", path, "").want(200).header.Get("ETag")
			admin.ask("PATCH", path, `{"content":"Mine"}`, "If-Match", tag).want(200)
		}

		path := fmt.Sprintf("/api/v1/users/%d", author) // an edge of many to many is of the row that is written
		tag := admin.ask("GET", path, "").want(200).header.Get("ETag")
		client.User.UpdateOneID(author).AddFollowingIDs(typedid.UserID(grace)).ExecX(f.system())
		admin.ask("PATCH", path, `{"name":"Ada"}`, "If-Match", tag).want(412)
	})
}

// Counts by the database and notes of the service fail no conditional change of a client:
// the tag for caches is another one.
func TestCountsDoNotRaiseTheVersion(t *testing.T) {
	eachFront(t, func(f *front) {
		ada, client := f.signUp(), orm.Client(f.db)
		author := client.User.Query().OnlyIDX(f.system())
		p := client.Post.Create().SetTitle("Mine").SetContent("…").SetPublished(true).SetAuthorID(author).SaveX(f.system())
		path := fmt.Sprintf("/api/v1/posts/%d", p.ID)
		tag := ada.ask("GET", path, "").want(200).header.Get("ETag")
		ada.ask("POST", path+"/like", "").want(201)
		client.Comment.Create().SetText("Well.").SetPostID(p.ID).SetAuthorID(author).ExecX(f.system())
		if now := ada.ask("GET", path, "").want(200, `"likes_count":1`).header.Get("ETag"); now == tag {
			f.Error("a like leaves the tag as it is")
		}
		ada.ask("PATCH", path, `{"content":"Mine"}`, "If-Match", tag).want(200, `"version":2`)

		root, _ := f.admin("grace")
		made := root.ask("POST", "/api/v1/api-keys", `{"client_name":"Till","permissions":["read"]}`).want(201)
		id := client.APIKey.Query().OnlyIDX(f.system())
		path = fmt.Sprintf("/api/v1/api-keys/%d", id)
		tag = root.ask("GET", path, "").want(200).header.Get("ETag")
		f.guest("X-API-Key", made.at("data", "key")).ask("GET", "/api/v1/posts", "").want(200)
		if key := client.APIKey.GetX(f.system(), id); key.LastUsedAt == nil || key.Version != 1 {
			f.Errorf("a key that was used is at version %d, used at %v", key.Version, key.LastUsedAt)
		}
		root.ask("POST", path+"/pin", `{"api_version":"v1"}`, "If-Match", tag).want(200)
	})
}
