package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/viewer"
)

// liveWorld is a world whose lists are followed.
type liveWorld struct {
	*world
	lists *live.Lists
	*callers
}

// callers are the changed callers, by their ids.
type callers struct {
	bus pubsub.Memory
	mu  sync.Mutex
	now map[int64]*viewer.Viewer // nil for one who is no longer
}

// Still implements live.Callers.
func (c *callers) Still(_ context.Context, was *viewer.Viewer) (*viewer.Viewer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	is, changed := c.now[was.UserID]
	switch {
	case !changed:
		return was, nil
	case is == nil:
		return nil, problem.New(problem.TokenInvalid, "token invalid")
	}
	return is, nil
}

func (c *callers) become(v *viewer.Viewer, is *viewer.Viewer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now[v.UserID] = is
	c.bus.Wake("callers")
}

// woken implements the like of live.Lists.
func (c *callers) woken(*viewer.Viewer) (woken <-chan struct{}, stop func()) {
	return c.bus.Listen("callers")
}

// Token and APIKey implement the authenticator of streams.
func (c *callers) Token(context.Context, string) (*viewer.Viewer, error) {
	return nil, errors.ErrUnsupported
}
func (c *callers) APIKey(context.Context, string) (*viewer.Viewer, error) {
	return nil, errors.ErrUnsupported
}

// followed runs the test on both databases.
func followed(t *testing.T, test func(w *liveWorld)) {
	t.Helper()
	each(t, func(w *world) {
		bus := new(pubsub.Memory)
		w.db.OnWrite(func() { bus.Wake(events.Topic) })
		tailer := events.NewTailer(w.db, bus, slog.New(slog.DiscardHandler))
		l := &liveWorld{world: w, callers: &callers{now: map[int64]*viewer.Viewer{}}}
		c := w.config()
		l.lists = &live.Lists{
			DB: w.db, Reader: c.Engine.Reader, Events: tailer, Callers: l.callers, Woken: l.woken, Log: quiet(w.t),
			Pace: time.Millisecond, Poll: 20 * time.Millisecond, Proof: time.Hour, Term: 3 * time.Second,
		}
		streams := &app.Streams{Auth: l.callers, Log: quiet(w.t)}
		c.Lists, c.Streams = l.lists, streams
		w.handler = serve(w.t, c)
		w.t.(interface{ Cleanup(func()) }).Cleanup(func() {
			streams.Drain(context.Background())
			tailer.Close()
			l.lists.Close()
		})
		test(l)
	})
}

// watcher is a client that follows a list.
type watcher struct {
	*liveWorld
	viewer   *viewer.Viewer
	path     string
	position string
	rows     []map[string]any
	events   chan event
	last     event
	cut      func() // ends the connection, and waits until it has ended
}

// event is a server-sent event.
type event struct{ id, name, data string }

// watch follows the list, from a position if there is one.
func (w *liveWorld) watch(v *viewer.Viewer, path string) *watcher {
	w.t.Helper()
	c := &watcher{liveWorld: w, viewer: v, path: path}
	c.connect()
	return c
}

// connect begins the stream, and takes its first event.
func (c *watcher) connect() {
	c.t.Helper()
	ctx, cancel := context.WithCancel(viewer.With(c.t.Context(), c.viewer))
	r := httptest.NewRequest("GET", c.path, nil).WithContext(ctx)
	r.Header.Set("Accept", "text/event-stream")
	if c.position != "" {
		r.Header.Set("Last-Event-ID", c.position)
	}
	in, out := io.Pipe()
	to := &pipe{header: http.Header{}, PipeWriter: out}
	var done sync.WaitGroup
	done.Go(func() {
		defer out.Close()
		defer func() { _ = recover() }() // of a stream that is broken off
		c.handler.ServeHTTP(to, r)
	})
	c.events = make(chan event)
	all := c.events
	done.Go(func() {
		defer close(all)
		scan := bufio.NewReader(in)
		var e event
		for {
			line, err := scan.ReadString('\n')
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			switch {
			case err != nil:
				return
			case name == "id":
				e.id = value
			case name == "event":
				e.name = value
			case name == "data":
				e.data = value
			case name == "" && e.name != "":
				select {
				case all <- e:
				case <-ctx.Done():
					return
				}
				e = event{}
			}
		}
	})
	c.cut = func() {
		cancel()
		in.Close()
		done.Wait()
	}
	c.t.(interface{ Cleanup(func()) }).Cleanup(c.cut)
	from := c.position
	if e := c.next(); (e.name == "page") != (from == "") {
		c.t.Fatalf("GET %s from %q begins with %v", c.path, from, e)
	}
}

// pipe is the answer while it is written.
type pipe struct {
	*io.PipeWriter
	header http.Header
}

func (p *pipe) Header() http.Header { return p.header }
func (p *pipe) WriteHeader(int)     {}
func (p *pipe) Flush()              {}

// next takes an event and does what it says.
func (c *watcher) next() event {
	c.t.Helper()
	select {
	case e, ok := <-c.events:
		if !ok {
			c.t.Fatalf("GET %s has ended", c.path)
		}
		c.apply(e)
		return e
	case <-time.After(time.Minute):
		c.t.Fatalf("GET %s: no event; it has %v", c.path, c.all("id"))
	}
	return event{}
}

// step is a change of a row in a list.
type step struct {
	Kind        string
	ID          any
	Index, From int
	Row, Fields map[string]any
}

func (c *watcher) apply(e event) {
	c.t.Helper()
	var said struct {
		Rows  []map[string]any
		Steps []step
	}
	if err := json.Unmarshal([]byte(e.data), &said); err != nil {
		c.t.Fatalf("%v in %v", err, e)
	}
	c.position, c.last = e.id, e
	if e.name == "page" {
		c.rows = said.Rows
	}
	for _, s := range said.Steps {
		at := s.Index
		if s.Kind == "move" {
			at = s.From
		}
		if s.Kind != "enter" && (at >= len(c.rows) || c.rows[at]["id"] != s.ID) {
			c.t.Fatalf("GET %s: %v of a list of %v", c.path, s, c.all("id"))
		}
		switch s.Kind {
		case "enter":
			c.rows = slices.Insert(c.rows, at, s.Row)
		case "leave":
			c.rows = slices.Delete(c.rows, at, at+1)
		case "move":
			row := c.rows[at]
			c.rows = slices.Insert(slices.Delete(c.rows, at, at+1), s.Index, row)
		case "change":
			if s.Row != nil {
				c.rows[at] = s.Row
			}
			maps.Copy(c.rows[at], s.Fields)
		}
	}
}

func (c *watcher) all(field string) (values []any) {
	for _, row := range c.rows {
		values = append(values, row[field])
	}
	return values
}

// state is the client's list, as text.
func (c *watcher) state() string { return written(c.rows) }

// asked is the present answer of the list.
func (c *watcher) asked() string {
	c.t.Helper()
	v, err := c.Still(c.t.Context(), c.viewer)
	if err != nil {
		c.t.Fatal(err)
	}
	return written(c.send(v, "GET", c.path, "").want(200).list())
}

func written(rows []map[string]any) string {
	if len(rows) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(rows)
	return string(text)
}

// reaches takes events until the client has the wanted state. Each state before is one of
// the answers of the list.
func (c *watcher) reaches(want string, passed ...string) {
	c.t.Helper()
	for c.state() != want {
		e := c.next()
		if got := c.state(); got != want && !slices.Contains(passed, got) {
			c.t.Fatalf("GET %s: after %v it has\n%s\nwant\n%s\nor one of\n%s", c.path, e, got, want, strings.Join(passed, "\n"))
		}
	}
}

// exec runs a statement that writes.
func (w *liveWorld) exec(text string, args ...any) {
	w.t.Helper()
	if _, err := w.db.ExecContext(w.system, text, args...); err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
}

// ids are those of a table's rows.
func (w *liveWorld) ids(table string) (ids []int64) {
	w.t.Helper()
	rows, err := w.db.QueryContext(w.system, "SELECT id FROM "+table+" ORDER BY id")
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			w.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return ids
}

func now() time.Time { return time.Now().UTC() }
