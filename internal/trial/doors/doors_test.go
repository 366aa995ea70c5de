// Package doors writes the same through every door: REST, GraphQL, Ent's client and
// jobs. The rows, the events and the errors are the same.
package doors_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	likes "github.com/entwine-go/entwine/ent/like"
	posts "github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/trial/land"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

var doorsWrites = flag.Int("doors", 250, "how many random writes go through each door")

// deed is a write that every door can do. Posts and categories are named by their
// numbers, in the order of creation.
type deed struct {
	What           string
	As             string
	Post, Category int // -1: none
	Text           string
	Published      bool
}

// doing does a deed, and reports whether it was admitted.
type doing func(h *house, d deed) bool

// entrances are the doors that writes go through.
var entrances = map[string]doing{"client": byClient, "rest": byREST, "graphql": byGraphQL, "job": byJob}

// house is a service that writes go to through its doors.
type house struct {
	*land.Land
	posts, categories []int64
	runner            *jobs.Runner
	work              *jobs.Client
	done              bool // by the last job
}

func newHouse(t *testing.T, db *store.DB) *house {
	transport, bus, quiet := jobs.Embed(), new(pubsub.Memory), slog.New(slog.DiscardHandler)
	h := &house{Land: land.New(t, db), work: &jobs.Client{DB: db, Bell: jobs.NewBell(transport), Bus: bus, Log: quiet}}
	h.runner = jobs.NewRunner(db, bus, quiet, jobs.Handle(jobs.HandlerFunc[deed](func(ctx context.Context, j *jobs.Job[deed]) error {
		h.done = h.within(ctx, j.Args)
		return nil
	})))
	h.runner.Caller = account.NewVerifier(db, new(account.Issuer), bus, quiet).Caller
	t.Cleanup(func() { h.runner.Stop(context.Background()); _ = transport.Close() })
	return h
}

// Kind names the kind of work: a deed that is done as who has asked for it.
func (deed) Kind() string { return "deed" }

// Whichever door a write goes through, versions, counts, columns of folded text, search,
// events, states and rights come out the same, on both databases.
func TestEveryDoorWritesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of writes in five services")
	}
	t.Parallel()
	schema := migratetest.Schema(t)
	houses := map[string]*house{}
	for name := range entrances {
		houses[name] = newHouse(t, schema.SQLite(t))
	}
	houses["any door, on PostgreSQL"] = newHouse(t, schema.Postgres(t))
	names := []string{"client", "rest", "graphql", "job", "any door, on PostgreSQL"}
	r := rand.New(rand.NewPCG(33, 7))
	admitted := 0
	for n := range *doorsWrites {
		d := randomDeed(r, houses["client"], n)
		door := slices.Sorted(maps.Keys(entrances))[r.IntN(len(entrances))]
		want := entrances["client"](houses["client"], d)
		if want {
			admitted++
		}
		for _, name := range names[1:] {
			h, through := houses[name], name
			if entrances[through] == nil {
				through = door
			}
			if got := entrances[through](h, d); got != want {
				t.Fatalf("write %d, %+v, through %s (%s): admitted %v, and %v through Ent's client", n, d, name, through, got, want)
			}
		}
		if n%50 == 49 || n == *doorsWrites-1 {
			state := houses["client"].state()
			for _, name := range names[1:] {
				if h := houses[name]; h.state() != state {
					t.Fatalf("after write %d through %s there is\n%s\nand through Ent's client\n%s", n, name, h.state(), state)
				}
			}
		}
	}
	if admitted < *doorsWrites/4 || admitted == *doorsWrites {
		t.Errorf("%d of %d writes were admitted: there are too few of one kind", admitted, *doorsWrites)
	}
}

func randomDeed(r *rand.Rand, h *house, n int) deed {
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	some := func(of []int64) int {
		if len(of) == 0 {
			return -1
		}
		return max(0, len(of)-1-r.IntN(20)) % len(of)
	}
	words := []string{"Analytical", "Difference", "ENGINE", "Straße", "Öl", "note"}
	d := deed{
		What: pick([]string{"post", "post", "edit", "edit", "publish", "archive", "delete", "restore", "like", "unlike", "category", "rename"}),
		As:   pick([]string{"owner", "owner", "other", "editor", "admin", "admin"}),
		Post: some(h.posts), Category: some(h.categories), Text: fmt.Sprintf("%s %s %d", pick(words), pick(words), n), Published: r.IntN(2) == 0,
	}
	if r.IntN(3) == 0 {
		d.Category = -1
	}
	switch {
	case d.What == "category" || d.What == "rename":
		d.Text = fmt.Sprintf("c-%d", n)
	case d.What != "post" && d.Post < 0:
		d.What = "post"
	}
	if d.What == "rename" && d.Category < 0 {
		d.What = "category"
	}
	return d
}

// made notes a row that a deed has made.
func (h *house) made(d deed) {
	switch d.What {
	case "post":
		h.posts = append(h.posts, int64(h.Ent.Post.Query().Where(posts.Title(d.Text)).OnlyIDX(h.System)))
	case "category":
		h.categories = append(h.categories, h.number("SELECT id FROM categories WHERE name = '"+d.Text+"'"))
	}
}

func (h *house) number(query string) (n int64) {
	h.Helper()
	rows, err := h.DB.QueryContext(h.Context(), query)
	h.Must(err)
	defer rows.Close()
	rows.Next()
	h.Must(rows.Scan(&n))
	return n
}

func (h *house) viewer(as string) context.Context {
	who := h.People[as]
	return viewer.With(h.Context(), &viewer.Viewer{UserID: int64(who.ID), Role: viewer.Role(who.Role)})
}

func byClient(h *house, d deed) bool {
	ok := h.within(h.viewer(d.As), d)
	if ok {
		h.made(d)
	}
	return ok
}

func byJob(h *house, d deed) bool {
	h.done = false
	id, err := h.work.Enqueue(h.viewer(d.As), d, jobs.Options{})
	h.Must(err)
	h.Must(h.runner.Run(h.Context(), id))
	if h.done {
		h.made(d)
	}
	return h.done
}

// within does the deed by Ent's client, in a transaction.
func (h *house) within(ctx context.Context, d deed) bool {
	return h.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := h.byEnt(ctx, d)
		if err == nil && n == 0 {
			err = errNothing
		}
		return err
	}) == nil
}

var errNothing = fmt.Errorf("no row was touched")

func (h *house) byEnt(ctx context.Context, d deed) (int, error) {
	at := store.Time(time.Now())
	category := func() *typedid.CategoryID { id := typedid.CategoryID(h.categories[d.Category]); return &id }
	one := func(err error) (int, error) { return 1, err }
	switch d.What {
	case "category":
		return one(h.Ent.Category.Create().SetName(d.Text).Exec(ctx))
	case "rename":
		return one(h.Ent.Category.UpdateOneID(*category()).SetName(d.Text).Exec(ctx))
	case "post":
		c := h.Ent.Post.Create().SetTitle(d.Text).SetContent("Of " + d.Text).SetPublished(d.Published).SetAuthorID(h.People[d.As].ID)
		if d.Category >= 0 {
			c.SetCategoryID(*category())
		}
		return one(c.Exec(ctx))
	}
	id := typedid.PostID(h.posts[d.Post])
	switch d.What {
	case "edit":
		u := h.Ent.Post.UpdateOneID(id).SetTitle(d.Text)
		if d.Category >= 0 {
			u.SetCategoryID(*category())
		} else {
			u.ClearCategory()
		}
		return one(u.Exec(ctx))
	case "publish":
		return h.Ent.Post.Update().Where(posts.ID(id), posts.Or(posts.Published(false), posts.ArchivedAtNotNil())).
			SetPublished(true).ClearArchivedAt().Save(policy.As(ctx, "publish"))
	case "archive":
		return h.Ent.Post.Update().Where(posts.ID(id), posts.ArchivedAtIsNil()).SetArchivedAt(at).Save(policy.As(ctx, "archive"))
	case "delete":
		return h.Ent.Post.Hide(ctx, id, at)
	case "restore":
		return h.Ent.Post.Restore(ctx, id)
	}
	there, err := h.Ent.Post.Query().Where(posts.ID(id)).Exist(ctx)
	if err != nil || !there {
		return 0, err
	}
	mine := likes.And(likes.PostID(id), likes.UserID(h.People[d.As].ID))
	if d.What == "unlike" {
		_, err := h.Ent.Like.Delete().Where(mine).Exec(ctx)
		return one(err)
	}
	if liked, err := h.Ent.Like.Query().Where(mine).Exist(ctx); err != nil || liked {
		return one(err)
	}
	return one(h.Ent.Like.Create().SetPostID(id).SetUserID(h.People[d.As].ID).Exec(ctx))
}

func (h *house) ask(d deed, method, path string, body any) *httptest.ResponseRecorder {
	text, err := json.Marshal(body)
	h.Must(err)
	r := httptest.NewRequestWithContext(h.Context(), method, path, strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(h.Headers[d.As][0], h.Headers[d.As][1])
	w := httptest.NewRecorder()
	h.Site.ServeHTTP(w, r)
	if w.Code >= http.StatusInternalServerError {
		h.Fatalf("%+v: %d %s", d, w.Code, w.Body)
	}
	return w
}

// input is a post as the inputs of both APIs have it.
func (h *house) input(d deed, categoryID string) map[string]any {
	in := map[string]any{"title": d.Text}
	switch {
	case d.Category >= 0:
		in[categoryID] = fmt.Sprint(h.categories[d.Category])
	case d.What == "edit":
		in[categoryID] = nil
	}
	if d.What == "post" {
		in["content"], in["published"] = "Of "+d.Text, d.Published
	}
	return in
}

func byREST(h *house, d deed) bool {
	ok := h.rest(d).Code < http.StatusMultipleChoices
	if ok {
		h.made(d)
	}
	return ok
}

func (h *house) rest(d deed) *httptest.ResponseRecorder {
	const groups, texts = "/api/v1/categories", "/api/v1/posts"
	name, none := map[string]any{"name": d.Text}, map[string]any{}
	in := h.input(d, "category_id")
	if d.Category >= 0 {
		in["category_id"] = h.categories[d.Category]
	}
	switch d.What {
	case "category":
		return h.ask(d, "POST", groups, name)
	case "rename":
		return h.ask(d, "PATCH", groups+"/"+h.Ent.Category.GetX(h.System, typedid.CategoryID(h.categories[d.Category])).Name, name)
	case "post":
		return h.ask(d, "POST", texts, in)
	}
	one := fmt.Sprint(texts, "/", h.posts[d.Post])
	switch d.What {
	case "edit":
		return h.ask(d, "PATCH", one, in)
	case "delete":
		return h.ask(d, "DELETE", one, none)
	case "unlike":
		return h.ask(d, "DELETE", one+"/like", none)
	}
	return h.ask(d, "POST", one+"/"+d.What, none)
}

func byGraphQL(h *house, d deed) bool {
	variables := map[string]any{}
	if d.What != "category" && d.What != "rename" && d.What != "post" {
		variables["id"] = fmt.Sprint(h.posts[d.Post])
	}
	var query string
	switch d.What {
	case "category":
		query, variables["in"] = "mutation($in: CreateCategoryInput!) { createCategory(input: $in) { id } }", map[string]any{"name": d.Text}
	case "rename":
		query, variables["in"] = "mutation($id: ID!, $in: UpdateCategoryInput!) { updateCategory(id: $id, input: $in) { id } }", map[string]any{"name": d.Text}
		variables["id"] = fmt.Sprint(h.categories[d.Category])
	case "post":
		query, variables["in"] = "mutation($in: CreatePostInput!) { createPost(input: $in) { id } }", h.input(d, "categoryId")
	case "edit":
		query, variables["in"] = "mutation($id: ID!, $in: UpdatePostInput!) { updatePost(id: $id, input: $in) { id } }", h.input(d, "categoryId")
	case "delete":
		query = "mutation($id: ID!) { deletePost(id: $id) }"
	case "like", "unlike":
		query = "mutation($id: ID!) { " + d.What + "Post(postId: $id) { __typename } }"
	default:
		query = "mutation($id: ID!) { " + d.What + "Post(id: $id) { id } }"
	}
	w := h.ask(d, "POST", "/graphql", map[string]any{"query": query, "variables": variables})
	var answer struct {
		Data   map[string]any
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	h.Must(json.Unmarshal(w.Body.Bytes(), &answer))
	ok := len(answer.Errors) == 0
	for _, e := range answer.Errors {
		if strings.Contains(e.Extensions.Code, "GRAPHQL") {
			h.Fatalf("%s: %s", query, w.Body)
		}
	}
	if ok {
		h.made(d)
	}
	return ok
}

// state is the result of the writes: rows by their numbers, without times.
func (h *house) state() string {
	h.Helper()
	numbers := map[int64]int{}
	for i, id := range h.posts {
		numbers[id] = i
	}
	var b strings.Builder
	for name, query := range map[string]string{
		"post": `SELECT p.id, p.title, p.title_fold, p.content, p.published, p.published_at IS NULL, p.archived_at IS NULL, p.deleted_at IS NULL,
			p.version, p.likes_count, (SELECT u.email FROM users u WHERE u.id = p.author_id), COALESCE(c.name, '') FROM posts p LEFT JOIN categories c ON c.id = p.category_id`,
		"like":  `SELECT post_id, (SELECT u.email FROM users u WHERE u.id = user_id) FROM likes`,
		"event": `SELECT entity_id, topic, COUNT(*) FROM events WHERE entity = 'Post' GROUP BY entity_id, topic`,
	} {
		h.lines(&b, name, query, numbers)
	}
	h.lines(&b, "category", `SELECT CAST(0 AS bigint), name, posts_count, version FROM categories`, nil)
	lines := strings.Split(b.String(), "\n")
	slices.Sort(lines)
	for _, as := range []string{"owner", "other", "editor"} {
		for _, word := range []string{"engine", "strasse", "öl"} {
			var found struct{ Counts map[string]int }
			h.Must(json.Unmarshal(h.ask(deed{As: as}, "GET", "/api/v2/search?type=posts&q="+word, nil).Body.Bytes(), &found))
			lines = append(lines, fmt.Sprint("search ", as, " ", word, " ", found.Counts))
		}
		lines = append(lines, fmt.Sprint("readable ", as, " ", h.Ent.Post.Query().CountX(h.viewer(as))))
	}
	return strings.Join(lines, "\n")
}

// lines writes the rows of a query. The first column is a post's id.
func (h *house) lines(b *strings.Builder, name, query string, numbers map[int64]int) {
	rows, err := h.DB.QueryContext(h.Context(), query)
	h.Must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	h.Must(err)
	for rows.Next() {
		values, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			at[i] = &values[i]
		}
		h.Must(rows.Scan(at...))
		number, ours := numbers[values[0].(int64)]
		if numbers != nil && !ours {
			continue // of the land, before any deed
		}
		fmt.Fprint(b, name, " ", number)
		for _, v := range values[1:] {
			switch v := v.(type) {
			case []byte:
				fmt.Fprintf(b, " %q", v)
			case bool:
				fmt.Fprint(b, " ", map[bool]int{true: 1}[v])
			case string:
				fmt.Fprintf(b, " %q", v)
			default:
				fmt.Fprint(b, " ", v)
			}
		}
		b.WriteByte('\n')
	}
	h.Must(rows.Err())
}
