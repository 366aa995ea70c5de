package rest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// A list is followed: what enters, changes, moves and leaves it comes as events, with
// the fields alone that are others.
func TestAListIsFollowed(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		first := w.post(w.ada, "One", true)
		list := w.watch(w.nobody, "/api/v1/posts?sort=title&fields=id,title,likes_count&limit=2")
		list.reaches(`[{"id":1,"likes_count":0,"title":"One"}]`)

		w.post(w.ada, "A draft", false)
		w.post(w.bob, "Two", true)
		if e := list.next(); e.data != `{"steps":[{"kind":"enter","id":3,"index":1,"row":{"id":3,"title":"Two","likes_count":0}}]}` {
			t.Errorf("a post enters: %v", e)
		}
		w.exec("UPDATE posts SET likes_count = 5 WHERE id = $1", first)
		if e := list.next(); e.data != `{"steps":[{"kind":"change","id":1,"index":0,"fields":{"likes_count":5}}]}` {
			t.Errorf("a post changes: %v", e)
		}
		w.exec("UPDATE posts SET title = 'Zero' WHERE id = $1", first)
		if e := list.next(); e.data != `{"steps":[{"kind":"move","id":3,"index":0,"from":1},{"kind":"change","id":1,"index":1,"fields":{"title":"Zero"}}]}` &&
			e.data != `{"steps":[{"kind":"move","id":1,"index":1,"from":0},{"kind":"change","id":1,"index":1,"fields":{"title":"Zero"}}]}` {
			t.Errorf("a post moves: %v", e)
		}
		w.exec("UPDATE posts SET archived_at = created_at WHERE id = 3")
		if e := list.next(); e.data != `{"steps":[{"kind":"leave","id":3,"index":0}]}` {
			t.Errorf("a post leaves: %v", e)
		}
		list.cut()
		w.post(w.ada, "After all", true)
		list.connect()
		list.reaches(list.asked())
	})
}

// A list shows what its rows' edges lead to: a comment that is written is heard of, for
// comments are live, and a like is seen when the list is read the next time.
func TestAListHasTheRowsOfItsEdges(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		post := w.post(w.ada, "One", true)
		w.post(w.ada, "Two", true)
		list := w.watch(w.nobody, "/api/v1/posts?sort=id&fields=id,author.name,comments.text&expand=author,comments,likes")
		list.reaches(list.asked())
		for _, write := range []func(){
			func() {
				w.exec("INSERT INTO comments (created_at, updated_at, text, post_id, author_id) VALUES ($1, $1, 'Yes', $2, $3)", now(), post, w.bob.UserID)
			},
			func() { w.exec("UPDATE comments SET text = 'No'") },
			func() { w.exec("UPDATE comments SET deleted_at = created_at") },
			func() {
				w.exec("INSERT INTO likes (created_at, post_id, user_id) VALUES ($1, $2, $3)", now(), post, w.bob.UserID)
			},
			func() { w.exec("DELETE FROM likes") },
			func() { w.exec("UPDATE users SET name = 'Ada King' WHERE id = $1", w.ada.UserID) },
		} {
			before := list.asked()
			if write(); list.asked() == before {
				t.Fatalf("a write shows nothing in %s", before)
			}
			list.reaches(list.asked(), before)
		}
	})
}

// A list that is asked for its total has it with each event: also where a row comes that
// the page has no place for. A write of what the filter leaves out is no reason to count.
func TestAListHasItsTotal(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.post(w.ada, "One", true)
		list := w.watch(w.nobody, fmt.Sprintf("/api/v1/posts?author_id=%d&sort=id&fields=id&limit=1&page=1", w.ada.UserID))
		list.reaches(`[{"id":1}]`)
		if list.last.data != `{"total":1,"rows":[{"id":1}]}` {
			t.Errorf("the page: %v", list.last)
		}
		read := w.lists.Readings()
		for range 5 {
			w.post(w.bob, "His", true)
		}
		w.post(w.ada, "Two", true)
		if e := list.next(); e.data != `{"total":2,"steps":[]}` {
			t.Errorf("a post that the page has no place for: %v", e)
		}
		if n := w.lists.Readings() - read; n > 1 {
			t.Errorf("the list was read %d times", n)
		}
		w.exec("DELETE FROM posts WHERE id = 1")
		if e := list.next(); e.data != `{"total":1,"steps":[{"kind":"leave","id":1,"index":0},{"kind":"enter","id":7,"index":0,"row":{"id":7}}]}` {
			t.Errorf("a post is deleted: %v", e)
		}
		all := w.watch(w.bob, "/api/v2/posts?sort=-id&fields=id&limit=1&page=1")
		w.post(w.ada, "Three", true)
		for !strings.HasPrefix(all.last.data, `{"total":7,`) {
			all.next()
		}
		w.do(w.nobody, "GET", "/api/v1/posts?page=1&cursor=", "", "Accept", "text/event-stream").want(400)
	})
}

// A list that begins anew has what was committed before, for callers who may read it.
func TestWhoMayNotFollow(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.do(w.nobody, "GET", "/api/v1/orders", "", "Accept", "text/event-stream").want(401)
		w.do(w.nobody, "GET", "/api/v1/categories", "", "Accept", "text/event-stream").want(406)
		w.do(w.nobody, "GET", "/api/v1/posts?page=2", "", "Accept", "text/event-stream").want(400)
		w.do(w.nobody, "GET", "/api/v1/posts?colour=red", "", "Accept", "text/event-stream").want(400)

		w.post(w.ada, "A draft", false)
		list := w.watch(w.bob, "/api/v2/posts?fields=id,title")
		list.reaches("[]")
		w.become(w.bob, &viewer.Viewer{UserID: w.bob.UserID, Role: "editor"})
		if e := list.next(); !strings.Contains(e.data, `"kind":"enter"`) {
			t.Errorf("what an editor reads: %v", e)
		}
		w.become(w.bob, nil)
		if e := list.next(); e.name != "end" || e.data != `{"code":"TOKEN_INVALID"}` {
			t.Errorf("a caller who is no longer: %v", e)
		}
	})
}

// Followers of one list as one caller share its readings, and a write of a row that is
// none of the list's, before and after, is no reason to read it. Nor is a transaction of
// another database, whose id is among those that PostgreSQL has in progress.
func TestReadingsOfLiveLists(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		const path = "/api/v1/posts?author_id=3&fields=id&sort=id"
		var all []*watcher
		w.lists.Term = time.Hour // which is renewed after a third of it
		end := func() {}
		if w.db.Postgres() {
			end = writes(w, migratetest.Schema(w.t).Postgres(w.t))
		}
		for range 20 {
			all = append(all, w.watch(w.nobody, path))
		}
		if n := w.lists.Followed(); n != 1 {
			t.Errorf("%d lists are followed, want 1", n)
		}
		before := w.lists.Readings()
		for range 10 {
			w.post(w.bob, "Another's", true)
			w.post(w.ada, "A draft", false)
		}
		w.post(w.ada, "Hers", true)
		for _, list := range all {
			if list.next(); len(list.rows) != 1 {
				t.Errorf("the list has %v", list.rows)
			}
		}
		end()
		w.post(w.ada, "Hers again", true)
		for _, list := range all {
			if list.next(); len(list.rows) != 2 {
				t.Errorf("the list has %v", list.rows)
			}
		}
		if n := w.lists.Readings() - before; n != 2 {
			t.Errorf("the list was read %d times after two writes of its rows, whatever its %d followers and 20 writes beside it", n, len(all))
		}
	})
}

// writes opens a transaction that has written, and returns what ends it.
func writes(w *liveWorld, db *store.DB) (end func()) {
	w.t.Helper()
	wrote, ended, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- db.InTx(w.system, func(ctx context.Context) error {
			_, err := db.ExecContext(ctx, "INSERT INTO categories (name, created_at, updated_at) VALUES ('arts', $1, $1)", now())
			close(wrote)
			<-ended
			return err
		})
	}()
	<-wrote
	return func() {
		close(ended)
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	}
}

// A list is not read again for a write of another list's row that is heard of while it
// is read.
func TestAListIsReadOnceAmongWritesOfOthers(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		of, began, goOn := entity.Post, make(chan struct{}), make(chan struct{})
		selection := read.Select(of)
		selection.Field("id", of.ID())
		source := live.Source{Key: "hers", Form: "hers", Entity: of, Where: read.Cond{Field: of.Field("author_id"), Op: read.EQ, Value: w.ada.UserID}}
		var waits atomic.Bool
		source.Read = func(ctx context.Context, r *read.Reader) (read.Window, error) {
			rows, err := r.Rows(ctx, selection, read.Query{Where: source.Where, Page: read.Page{Limit: 10, NoPeek: true}})
			if waits.CompareAndSwap(true, false) {
				close(began)
				select {
				case <-goOn:
				case <-ctx.Done():
				}
			}
			return rows, err
		}
		ctx := viewer.With(w.t.Context(), w.nobody)
		hers, err := w.lists.Open(ctx, func(context.Context) (live.Source, error) { return source, nil }, "")
		if err != nil {
			w.t.Fatal(err)
		}
		defer hers.Close()
		next := func(rows int) {
			if u, err := hers.Next(ctx); err != nil || len(u.Steps) != rows {
				w.t.Fatalf("the list has %v, %v, want %d rows more", u, err, rows)
			}
		}
		next(0)
		his := w.watch(w.nobody, fmt.Sprintf("/api/v1/posts?author_id=%d&fields=id&sort=id", w.bob.UserID))
		waits.Store(true)
		w.post(w.ada, "Hers", true)
		<-began
		w.post(w.bob, "His", true)
		his.reaches(his.asked())
		close(goOn)
		next(1)
		w.post(w.bob, "His again", true)
		his.reaches(his.asked())
		if n := w.lists.Readings(); n != 2+3 {
			w.t.Errorf("the lists were read %d times, want twice when they were followed and once after each write of their rows", n)
		}
	})
}

// A write of a row is compared with the lists that may have it, however many others are
// followed, and only these are read again.
func TestAWriteIsComparedWithFewLists(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.post(w.ada, "Hers", true)
		one := w.watch(w.nobody, fmt.Sprintf("/api/v1/posts?author_id=%d&fields=id&sort=id", w.bob.UserID))
		one.reaches("[]")
		for i := range 60 {
			w.watch([]*viewer.Viewer{w.nobody, w.ada, w.bob}[i%3], fmt.Sprintf("/api/v1/posts?fields=id&sort=id&author_id=%d", 100+i))
		}
		for i := range 60 {
			w.watch(w.nobody, fmt.Sprintf("/api/v1/posts?fields=id&category_id[in]=%d,%d", 100+i, 200+i))
		}
		for _, write := range []func(){
			func() { w.post(w.bob, "His", true) },
			func() { w.exec("UPDATE posts SET title = 'Ours' WHERE author_id = $1", w.bob.UserID) },
			func() { w.exec("UPDATE posts SET author_id = $1 WHERE author_id = $2", w.ada.UserID, w.bob.UserID) },
		} {
			compared, read := w.lists.Compared(), w.lists.Readings()
			write()
			one.reaches(one.asked())
			if n := w.lists.Compared() - compared; n > 10 { // a write is several of rows
				t.Errorf("a write was compared with %d lists of %d", n, w.lists.Followed())
			}
			if n := w.lists.Readings() - read; n > 2 {
				t.Errorf("%d lists were read of %d", n, w.lists.Followed())
			}
		}
	})
}

// A write of a row that the rule of a list asks about is compared with the lists that may
// have a row of it: of a post with the lists of its own comments.
func TestAWriteOfARowBesideIsComparedWithFewLists(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		post, other := w.post(w.ada, "Hers", true), w.post(w.ada, "Another", true)
		for _, id := range []any{post, other} {
			w.exec("INSERT INTO comments (created_at, updated_at, text, post_id, author_id) VALUES ($1, $1, 'Yes', $2, $3)", now(), id, w.bob.UserID)
		}
		one := w.watch(w.nobody, fmt.Sprintf("/api/v1/comments?post_id=%v&fields=id&sort=id", post))
		one.reaches(`[{"id":1}]`)
		for i := range 60 {
			w.watch(w.nobody, fmt.Sprintf("/api/v1/comments?post_id=%d&fields=id&sort=id", 100+i))
		}
		compared, read := w.lists.Compared(), w.lists.Readings()
		w.exec("UPDATE posts SET likes_count = 7 WHERE id = $1", other)
		w.exec("UPDATE posts SET published = FALSE, published_at = NULL WHERE id = $1", post)
		one.reaches("[]")
		if n := w.lists.Compared() - compared; n > 4 { // an update is two of rows in SQLite
			t.Errorf("two writes were compared with %d lists of %d", n, w.lists.Followed())
		}
		if n := w.lists.Readings() - read; n > 3 {
			t.Errorf("%d lists were read of %d", n, w.lists.Followed())
		}
	})
}

// A write is compared with the lists of whole numbers, times and amounts that the row is
// within: 2 dollars are less than 3 yen, of which there are no cents.
func TestAWriteIsComparedWithTheRangesThatItIsWithin(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		made := now().Truncate(time.Microsecond)
		at := func(d time.Duration) string { return made.Add(d).Format(time.RFC3339Nano) }
		var within []*watcher
		for _, of := range []string{
			"stock[gte]=5&stock[lte]=7", "price[gte]=2&price[lt]=3", "from=" + at(0) + "&to=" + at(0), "price[gt]=1.99&from=" + at(-time.Second),
		} {
			one := w.watch(w.nobody, "/api/v1/products?fields=id,name&sort=id&"+of)
			one.reaches("[]")
			within = append(within, one)
		}
		for i := range 60 {
			for _, of := range []string{
				fmt.Sprintf("stock[gte]=%d", 100+i), fmt.Sprintf("stock[gt]=%d&stock[lt]=%d", 200+i, 300+i), fmt.Sprintf("price[gt]=%d.5", 2+i),
				fmt.Sprintf("price[gte]=%d&price[lte]=%d&stock[gt]=1", 3+i, 4+i), "from=" + at(time.Duration(1+i)*time.Microsecond), "to=" + at(-time.Duration(1+i)*time.Hour),
			} {
				w.watch(w.nobody, "/api/v1/products?fields=id&"+of)
			}
		}
		compared, read := w.lists.Compared(), w.lists.Readings()
		w.exec("INSERT INTO products (created_at, updated_at, name, name_fold, price, currency, stock, in_stock, tags) VALUES ($1, $1, 'Engine', 'engine', 200, 'EUR', 6, true, '[]')", made)
		w.exec("UPDATE products SET name = 'Loom'")
		for _, one := range within {
			one.reaches(one.asked(), `[{"id":1,"name":"Engine"}]`)
		}
		if n := w.lists.Compared() - compared; n > 3*10 { // in SQLite an update is two of rows
			t.Errorf("two writes were compared with %d lists of %d", n, w.lists.Followed())
		}
		if n := w.lists.Readings() - read; n > 4*4 {
			t.Errorf("%d lists were read of %d", n, w.lists.Followed())
		}
		yen := w.watch(w.nobody, "/api/v1/products?fields=id&price[gte]=3&price[lt]=4&sort=id")
		w.exec("UPDATE products SET price = 3, currency = 'JPY'")
		yen.reaches(`[{"id":1}]`)
	})
}

// A client that does not read is sent what its list has become once it does: nothing
// waits for it, whatever is written meanwhile.
func TestASlowClientIsSentTheLastOfManyChanges(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.post(w.ada, "One", true)
		list := w.watch(w.nobody, "/api/v1/posts?fields=id,likes_count")
		for n := range 300 {
			w.exec("UPDATE posts SET likes_count = $1", n+1)
		}
		events := 0
		for want := list.asked(); list.state() != want; events++ {
			list.next()
		}
		if events > 20 { // some are on their way while the first are written
			t.Errorf("300 changes came by %d events", events)
		}
	})
}

// A client that applies the events has the answer of its list, after writes of every kind:
// at each event one of the answers since the one before, and in the end the last. Its
// connection is cut again and again. TestLiveListsAreTheirQueries has the long form, without
// connections.
func TestALiveListIsItsQuery(t *testing.T) {
	t.Parallel()
	const rounds = 120
	followed(t, func(w *liveWorld) {
		r := rand.New(rand.NewPCG(7, uint64(w.db.Dialect.Name()[0])))
		people := []*viewer.Viewer{w.nobody, w.ada, w.bob, w.moderator, w.admin}
		for _, name := range []string{"arts", "science"} {
			w.exec("INSERT INTO categories (name, created_at, updated_at) VALUES ($1, $2, $2)", name, now())
		}
		for i := range 6 {
			w.write(r, people, i)
		}
		var lists []*watcher
		follow := func() *watcher { return w.watch(people[r.IntN(len(people))], randomList(r)) }
		for range 5 {
			lists = append(lists, follow())
		}
		before := make([][]string, len(lists))
		for round := range rounds {
			passed := make([][]string, len(lists))
			for range 1 + r.IntN(3) {
				w.write(r, people, round)
				for i, list := range lists {
					passed[i] = append(passed[i], list.asked())
				}
			}
			for i, list := range lists {
				switch r.IntN(40) {
				case 0: // it was away
					list.cut()
					list.connect()
				case 1:
					list.cut()
					lists[i] = follow()
					before[i], passed[i] = nil, []string{lists[i].asked()}
					list = lists[i]
				}
				want := passed[i][len(passed[i])-1]
				list.reaches(want, append(before[i], passed[i]...)...)
				before[i] = passed[i]
			}
		}
	})
}

// randomList is a list by a random filter and order.
func randomList(r *rand.Rand) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	if r.IntN(4) == 0 {
		return fmt.Sprintf("/api/v1/comments?limit=%d&sort=%s%s", 1+r.IntN(6), one("", "-")+one("id", "created_at"), one("", "&post_id=3", "&author_id=3", "&expand=post"))
	}
	return fmt.Sprintf("/api/v1/posts?limit=%d&sort=%s%s%s%s", 1+r.IntN(8), one("", "-")+one("id", "title", "published_at", "likes_count"),
		one("", "&published=true", "&published=false", "&author_id=3", "&category_id=1"),
		one("", "&likes_count[gte]=2", "&title[gte]=c"), one("", "", "&expand=author", "&expand=category", "&fields=id,title", "&fields=id,title,viewer_has_liked"))
}

// write writes something, by SQL.
func (w *liveWorld) write(r *rand.Rand, people []*viewer.Viewer, n int) {
	w.t.Helper()
	title := fmt.Sprintf("%c%d", 'a'+rune(r.IntN(6)), n)
	author := people[1+r.IntN(len(people)-1)]
	var post int64
	if rows := w.ids("posts"); len(rows) > 0 {
		post = rows[r.IntN(len(rows))]
	}
	switch kind := r.IntN(14); {
	case post == 0 || kind < 3:
		w.post(author, title, r.IntN(3) > 0)
	case kind == 3:
		w.exec("UPDATE posts SET title = $1, title_fold = $2 WHERE id = $3", title, title, post)
	case kind == 4:
		w.exec("UPDATE posts SET published = NOT published, published_at = CASE WHEN published THEN NULL ELSE created_at END WHERE id = $1", post)
	case kind == 5:
		w.exec("UPDATE posts SET archived_at = CASE WHEN archived_at IS NULL THEN created_at END WHERE id = $1", post)
	case kind == 6:
		w.exec("UPDATE posts SET deleted_at = CASE WHEN deleted_at IS NULL THEN created_at END WHERE id = $1", post)
	case kind == 7:
		w.exec("UPDATE posts SET category_id = CASE WHEN category_id IS NULL THEN 1 WHEN category_id = 1 THEN 2 END WHERE id = $1", post)
	case kind == 8:
		w.exec("UPDATE posts SET likes_count = $1 WHERE id = $2", r.IntN(4), post)
	case kind == 9:
		w.exec("DELETE FROM posts WHERE id = $1", post)
	case kind == 10:
		w.exec("UPDATE users SET name = $1, name_fold = $2 WHERE id = $3", title, title, author.UserID)
	case kind == 11:
		w.exec("DELETE FROM comments WHERE id = (SELECT min(id) FROM comments)")
	case kind == 12:
		w.exec("INSERT INTO likes (created_at, post_id, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", now(), post, author.UserID)
	default:
		w.exec("INSERT INTO comments (created_at, updated_at, text, post_id, author_id) VALUES ($1, $1, $2, $3, $4)", now(), title, post, author.UserID)
	}
}
