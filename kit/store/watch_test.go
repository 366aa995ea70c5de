package store_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// watched is a database of SQLite that is watched.
type watched struct {
	*testing.T
	db    *store.DB
	file  string
	turns chan string // receives when the lineage changes
	lines chan string // of the log
}

func watch(t *testing.T, accept func(ctx context.Context, db *store.DB) error) *watched {
	t.Helper()
	w := &watched{T: t, db: items.SQLite(t), turns: make(chan string, 10), lines: make(chan string, 100)}
	w.file = w.db.File()
	w.db.OnReplaced(func(why string) { w.turns <- why })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.db.Watch(ctx, slog.New(slog.NewTextHandler(w, nil)), accept)
	}()
	t.Cleanup(func() { stop(); <-ended })
	return w
}

func anyFile(context.Context, *store.DB) error { return nil }

// Write implements io.Writer.
func (w *watched) Write(line []byte) (int, error) {
	w.lines <- string(line)
	return len(line), nil
}

// logged waits for a line of the log.
func (w *watched) logged(parts ...string) {
	w.Helper()
	for {
		select {
		case line := <-w.lines:
			found := true
			for _, part := range parts {
				found = found && strings.Contains(line, part)
			}
			if found {
				return
			}
			w.Log(line)
		case <-w.Context().Done():
			w.Fatalf("%q was not logged", parts)
		}
	}
}

// add writes an item.
func (w *watched) add(name string) error {
	_, err := w.db.ExecContext(w.Context(), insert, name)
	return err
}

// added writes an item, which must succeed.
func (w *watched) added(name string) {
	w.Helper()
	if err := w.add(name); err != nil {
		w.Fatal(err)
	}
}

// refused requires that a write is, alone and in a transaction.
func (w *watched) refused() {
	w.Helper()
	for _, err := range []error{
		w.add("lost"),
		w.db.InTx(w.Context(), func(context.Context) error { return nil }),
		w.db.InGroup(w.Context(), func(context.Context) error { return nil }),
	} {
		if p := problem.As(store.Problem(err)); p == nil || p.Kind != problem.Unavailable || p.RetryAfter == 0 {
			w.Errorf("a write: %v, want Unavailable with a time to come back", err)
		}
	}
	if err := w.db.Ready(w.Context()); err == nil {
		w.Error("it is ready")
	}
}

// copied returns the path of a copy of the database.
func (w *watched) copied() string {
	w.Helper()
	to := w.file + ".copy"
	if err := w.db.CopyTo(w.Context(), to); err != nil {
		w.Fatal(err)
	}
	return to
}

func (w *watched) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func TestADatabaseThatIsReplacedTakesNoWritesAndIsServedThen(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	w := watch(t, func(ctx context.Context, db *store.DB) error {
		select {
		case <-let:
			return nil
		default:
			return errors.New("not yet")
		}
	})
	w.added("before")
	copied := w.copied()
	w.added("after")
	w.must(os.Rename(copied, w.file))
	w.refused()
	w.logged("level=ERROR", "reason=file_replaced")
	w.logged("not yet")
	w.refused()
	close(let)
	w.must(os.Chtimes(w.file, time.Time{}, time.Now())) // what was refused is tried again once it has changed
	if why := <-w.turns; !strings.Contains(why, "another one") {
		t.Errorf("it says %q", why)
	}
	w.logged("takes writes again")
	w.added("later")
	if got := strings.Join(names(t, w.db), " "); got != "before later" {
		t.Errorf("it has %q", got)
	}
	if w.db.Lineage() != 1 || w.db.Ready(t.Context()) != nil {
		t.Errorf("lineage %d, %v", w.db.Lineage(), w.db.Ready(t.Context()))
	}
}

func TestADatabaseThatIsDeletedTakesNoWritesUntilItIsBack(t *testing.T) {
	t.Parallel()
	w := watch(t, anyFile)
	w.added("before")
	w.must(os.Rename(w.file, w.file+".away"))
	w.refused()
	w.logged("reason=file_gone")
	if got := names(t, w.db); len(got) != 1 {
		t.Errorf("reads find %q", got)
	}
	if _, err := os.Stat(w.file); err == nil {
		t.Error("another file was made")
	}
	w.must(os.Rename(w.file+".away", w.file))
	w.logged("takes writes again")
	w.added("after")
	if got := strings.Join(names(t, w.db), " "); got != "before after" || w.db.Lineage() != 0 {
		t.Errorf("it has %q, lineage %d", got, w.db.Lineage())
	}
}

func TestADatabaseWithoutItsLogIsOpenedAnewWithAllThatWasWritten(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"-wal", "-shm"} {
		t.Run(suffix, func(t *testing.T) {
			t.Parallel()
			w := watch(t, anyFile)
			w.added("before")
			w.must(os.Remove(w.file + suffix))
			if err := w.add("unknown"); err == nil || !strings.Contains(err.Error(), "gone") {
				t.Errorf("a write without %s: %v", suffix, err)
			}
			<-w.turns
			w.logged("takes writes again")
			w.added("after")
			if got := names(t, w.db); got[0] != "before" || got[len(got)-1] != "after" {
				t.Errorf("it has %q", got)
			}
			w.must(w.db.CheckIntegrity(t.Context()))
		})
	}
}

func TestWhatIsNoDatabaseIsNotServed(t *testing.T) {
	t.Parallel()
	w := watch(t, anyFile)
	w.added("before")
	whole, err := os.ReadFile(w.copied())
	w.must(err)
	for want, content := range map[string][]byte{"it is no database": {}, "it is not all of": whole[:len(whole)-4096]} {
		w.must(os.WriteFile(w.file+".new", content, 0o600))
		w.must(os.Rename(w.file+".new", w.file))
		w.logged("file_replaced", want)
		w.refused()
		if now, err := os.ReadFile(w.file); err != nil || len(now) != len(content) {
			t.Errorf("it has %d bytes now: %v", len(now), err)
		}
	}
	w.must(os.WriteFile(w.file+".new", whole, 0o600))
	w.must(os.Rename(w.file+".new", w.file))
	w.logged("takes writes again")
	w.added("after")
}
