package rest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

const announced = "events WHERE topic = 'live.posts'"

// titled makes a post by a transaction, which waits before it is committed.
func (w *liveWorld) titled(title string, wait func()) error {
	return w.db.InTx(w.system, func(ctx context.Context) error {
		_, err := w.db.ExecContext(ctx, `INSERT INTO posts (created_at, updated_at, title, title_fold, content, content_fold, published, published_at, author_id)
			VALUES ($1, $1, $2, $2, 'x', 'x', TRUE, $1, $3)`, now(), title, w.ada.UserID)
		wait()
		return err
	})
}

// lease is the value of the sequence.
func (w *liveWorld) lease(value string) {
	w.t.Helper()
	w.exec("SELECT setval('live_lease', " + value + ")")
}

// On PostgreSQL writes are announced while a list is followed, and otherwise cost no
// announcement.
func TestWritesAreAnnouncedToListeners(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.post(w.ada, "One", true)
		if n := storetest.Count(w.t, w.db, announced); w.db.Postgres() != (n == 0) {
			w.t.Errorf("%d writes were announced without a listener", n)
		}
		list := w.watch(w.nobody, "/api/v1/posts?sort=id&fields=id")
		before := storetest.Count(w.t, w.db, announced)
		w.post(w.ada, "Two", true)
		list.reaches(`[{"id":1},{"id":2}]`)
		if n := storetest.Count(w.t, w.db, announced); n <= before {
			w.t.Errorf("a write was not announced to a listener")
		}
	})
}

// A transaction that wrote before a list was followed has announced nothing: the list
// has what it wrote nevertheless, once it is committed.
func TestAListHasWhatWasBegunBeforeIt(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.post(w.ada, "One", true)
		wrote, followed, done := make(chan struct{}), make(chan struct{}), make(chan error)
		go func() {
			done <- w.titled("two", func() {
				close(wrote)
				<-followed
			})
		}()
		<-wrote
		list := w.watch(w.nobody, "/api/v1/posts?sort=id&fields=id")
		list.reaches(`[{"id":1}]`)
		close(followed)
		if err := <-done; err != nil {
			w.t.Fatal(err)
		}
		list.reaches(`[{"id":1},{"id":2}]`)
	})
}

// Transactions begin, write and end while the first list is followed: it has what all of
// them wrote, whichever of them announced that.
func TestAListIsFollowedAmongWriters(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		const rounds, writers = 20, 4
		var ids []string
		for round := range rounds {
			if w.db.Postgres() {
				w.lease("1") // as if no process had listened
			}
			var all sync.WaitGroup
			begin, errs := make(chan struct{}), make(chan error, writers)
			for i := range writers {
				all.Go(func() {
					<-begin
					errs <- w.titled(fmt.Sprintf("%d.%d", round, i), func() {})
				})
				ids = append(ids, fmt.Sprintf(`{"id":%d}`, len(ids)+1))
			}
			close(begin)
			list := w.watch(w.admin, "/api/v1/posts?sort=id&fields=id&limit=100")
			all.Wait()
			for range writers {
				if err := <-errs; err != nil {
					w.t.Fatal(err)
				}
			}
			for len(list.rows) < len(ids) {
				list.next()
			}
			if got := list.all("id"); len(got) != len(ids) {
				w.t.Fatalf("round %d: %d posts are followed, want %d", round, len(got), len(ids))
			}
			list.cut()
		}
	})
}

// Rows written while no list was followed are in the list that goes on from a position.
func TestAListGoesOnAfterAPause(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.post(w.ada, "One", true)
		list := w.watch(w.nobody, "/api/v1/posts?sort=id&fields=id")
		list.reaches(`[{"id":1}]`)
		list.cut()
		if w.db.Postgres() {
			w.lease("1")
		}
		w.post(w.ada, "Two", true)
		list.connect()
		list.reaches(`[{"id":1},{"id":2}]`)
		w.post(w.ada, "Three", true)
		list.reaches(`[{"id":1},{"id":2},{"id":3}]`)
	})
}

// Where the lease was lost, as by a standby that had not had it, the list is read again,
// also where another process has raised it meanwhile.
func TestAListIsReadAgainWhereWritesWereNotAnnounced(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		if !w.db.Postgres() {
			return
		}
		w.post(w.ada, "One", true)
		list := w.watch(w.nobody, "/api/v1/posts?sort=id&fields=id")
		list.reaches(`[{"id":1}]`)
		for i, raised := range []string{"1", "(date_part('epoch', now())::bigint + 60) << 30"} {
			w.lease("1")
			w.post(w.ada, "Next", true)
			w.lease(raised)
			list.reaches([]string{`[{"id":1},{"id":2}]`, `[{"id":1},{"id":2},{"id":3}]`}[i])
		}
	})
}
