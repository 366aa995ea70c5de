package rest_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Wherever a stream is cut, a client that comes back with what it had has the list again
// by one event: the page where no whole event had come, else what became of its rows.
func TestALiveListIsCutAtEveryByte(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		const path = "/api/v1/posts?sort=title&fields=id,title&limit=3"
		run := w.tape(w.nobody, path, "")
		run.events(1)
		for i, write := range []string{
			"UPDATE posts SET title = 'd' WHERE id = 1", "UPDATE posts SET title = 'a' WHERE id = 3", "DELETE FROM posts WHERE id = 2",
			"UPDATE posts SET title = 'b', archived_at = created_at WHERE id = 3", "UPDATE posts SET title = 'c', archived_at = NULL WHERE id = 3",
		} {
			if i == 0 {
				for j, title := range []string{"b", "c", "e", "f"} {
					w.post(w.ada, title, true)
					run.events(min(j+2, 4)) // the last is not among the first three
				}
			}
			w.exec(write)
			run.events(5 + i)
		}
		recorded := run.cut()
		end := &watcher{liveWorld: w, viewer: w.nobody, path: path}
		want := end.asked()
		for k := range len(recorded) + 1 {
			c := &watcher{liveWorld: w, viewer: w.nobody, path: path}
			c.takes(recorded[:k])
			from := c.position
			again := w.tape(w.nobody, path, from)
			e := again.events(1)[0]
			again.cut()
			if (e.name == "page") != (from == "") {
				t.Fatalf("cut at byte %d, with the position %q, it goes on with %v", k, from, e)
			}
			if c.apply(e); c.state() != want {
				t.Fatalf("cut at byte %d it has\n%s\nwant\n%s", k, c.state(), want)
			}
		}
	})
}

// Rows are written while the connection is cut, after one byte more each time: what the
// client has is always what the list has answered with, and never what it did before that.
func TestALiveListIsCutWhileRowsAreWritten(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		const path = "/api/v1/posts?sort=-likes_count&fields=id,likes_count&limit=3"
		for range 4 {
			w.post(w.ada, "One", true)
		}
		c := &watcher{liveWorld: w, viewer: w.nobody, path: path}
		passed := []string{"[]", c.asked()}
		at := 0 // the last of them that it had
		for k := range 500 {
			tape := w.tape(w.nobody, path, c.position)
			tape.until(func(all []event) bool { return len(all) > 0 || tape.size() >= k })
			for n := 1; tape.size() < k; n++ {
				w.exec("UPDATE posts SET likes_count = $1 WHERE id = $2", len(passed), 1+len(passed)%4) // it is the first then
				passed = append(passed, c.asked())
				tape.until(func(all []event) bool { return len(all) > n || tape.size() >= k })
			}
			c.takes(tape.cut()[:k])
			i := slices.Index(passed[at:], c.state())
			if i < 0 {
				t.Fatalf("cut after %d bytes it has\n%s\nwhich is none of\n%s", k, c.state(), strings.Join(passed[at:], "\n"))
			}
			at += i
		}
		tape := w.tape(w.nobody, path, c.position)
		c.apply(tape.events(1)[0])
		tape.cut()
		if want := passed[len(passed)-1]; c.state() != want {
			t.Errorf("in the end it has\n%s\nwant\n%s", c.state(), want)
		}
	})
}

// A position is of one list and one caller, and none that a client has made up.
func TestPositionsOfOthers(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		w.post(w.ada, "One", true)
		const path = "/api/v1/posts?fields=id"
		first := func(v *viewer.Viewer, path, position string) event {
			tape := w.tape(v, path, position)
			defer tape.cut()
			return tape.events(1)[0]
		}
		position := first(w.ada, path, "").id
		changed := []byte(position)
		if i := len(changed) - 10; changed[i] == 'A' {
			changed[i] = 'B'
		} else {
			changed[i] = 'A'
		}
		for name, e := range map[string]event{
			"another's":         first(w.bob, path, position),
			"another list's":    first(w.ada, path+"&published=true", position),
			"another version's": first(w.ada, "/api/v2/posts?fields=id", position),
			"a changed one":     first(w.ada, path, string(changed)),
			"none":              first(w.ada, path, "7"),
		} {
			if e.name != "page" {
				t.Errorf("after %s: %v", name, e)
			}
		}
		if e := first(w.ada, path, position); e.name != "steps" || e.data != `{"steps":[]}` {
			t.Errorf("after its own: %v", e)
		}
		w.become(w.ada, &viewer.Viewer{UserID: w.ada.UserID, Role: "editor"})
		if e := first(w.ada, path, position); e.name != "steps" {
			t.Errorf("after its own, with another role: %v", e)
		}
	})
}

// tape has what a stream has sent.
type tape struct {
	*liveWorld
	cancel context.CancelFunc
	done   sync.WaitGroup
	header http.Header

	mu   sync.Mutex
	sent bytes.Buffer
	more chan struct{} // closed when there is more
}

// tape follows the list from the position.
func (w *liveWorld) tape(v *viewer.Viewer, path, position string) *tape {
	w.t.Helper()
	ctx, cancel := context.WithCancel(viewer.With(w.t.Context(), v))
	r := httptest.NewRequest("GET", path, nil).WithContext(ctx)
	r.Header.Set("Accept", "text/event-stream")
	if position != "" {
		r.Header.Set("Last-Event-ID", position)
	}
	to := &tape{liveWorld: w, cancel: cancel, header: http.Header{}, more: make(chan struct{})}
	to.done.Go(func() {
		defer func() { _ = recover() }() // of a stream that is broken off
		w.handler.ServeHTTP(to, r)
	})
	w.t.(interface{ Cleanup(func()) }).Cleanup(func() { to.cut() })
	return to
}

func (t *tape) Header() http.Header { return t.header }
func (t *tape) WriteHeader(int)     {}
func (t *tape) Flush()              {}

func (t *tape) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent.Write(b)
	close(t.more)
	t.more = make(chan struct{})
	return len(b), nil
}

func (t *tape) size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent.Len()
}

// events waits for so many.
func (t *tape) events(n int) []event {
	t.t.Helper()
	return t.until(func(all []event) bool { return len(all) >= n })
}

// until waits for events that suffice.
func (t *tape) until(enough func(all []event) bool) []event {
	t.t.Helper()
	for {
		t.mu.Lock()
		text, more := t.sent.String(), t.more
		t.mu.Unlock()
		if all := eventsOf(text); enough(all) {
			return all
		}
		select {
		case <-more:
		case <-t.t.Context().Done():
			t.t.Fatalf("it has sent no more than %q", text)
		}
	}
}

// cut ends the stream and returns what it has sent.
func (t *tape) cut() []byte {
	t.cancel()
	t.done.Wait()
	return t.sent.Bytes()
}

// eventsOf are the whole events of a text.
func eventsOf(text string) (all []event) {
	for {
		one, rest, whole := strings.Cut(text, "\n\n")
		if !whole {
			return all
		}
		var e event
		for line := range strings.Lines(one) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			switch name {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				e.data = value
			}
		}
		if text = rest; e.name != "" {
			all = append(all, e)
		}
	}
}

// takes does what the whole events among the bytes say.
func (c *watcher) takes(sent []byte) {
	c.t.Helper()
	for _, e := range eventsOf(string(sent)) {
		c.apply(e)
	}
}
