package live

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Row is a row of a window. Windows share rows that are the same in both.
type Row struct {
	read.Row
	hash uint64
}

// list is a list that is followed: it is read, by a goroutine of its own, whenever it
// may answer otherwise than before.
type list struct {
	*Lists
	ears      *ears
	key       string
	source    Source
	viewer    *viewer.Viewer
	followers int // under Lists.mu
	stop      context.CancelFunc
	dirty     chan struct{} // receives when it is to be read again
	hurry     chan struct{} // receives when a new follower waits for that
	// Under ears.mu: whether the list has no followers any more, and what knows which
	// writes are nothing to it, nil for none.
	forgotten bool
	matcher   *matcher

	mu      sync.Mutex
	asked   int // counts the calls of ask
	read    int // how many of them had come when the last reading began
	window  []*Row
	err     error // of the last reading; where it is final, of all that follow
	final   bool
	changed chan struct{} // closed when any of these is another
}

func newList(l *Lists, e *ears, key string, source Source, v *viewer.Viewer) *list {
	ctx, stop := context.WithCancel(viewer.With(context.Background(), v))
	one := &list{Lists: l, ears: e, key: key, source: source, viewer: v, stop: stop, dirty: make(chan struct{}, 1), hurry: make(chan struct{}, 1), changed: make(chan struct{})}
	if source.Beside != nil {
		deaf := source.Beside.Listen(one.beside)
		one.stop = sync.OnceFunc(func() { deaf(); stop() })
	}
	l.running.Go(func() { one.run(ctx) })
	return one
}

// ask has the list read again, and returns what [list.now] is to be asked for to wait
// for that reading.
func (l *list) ask() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	l.touch()
	select {
	case l.hurry <- struct{}{}:
	default:
	}
	return l.asked
}

// touch has the list read again.
func (l *list) touch() {
	select {
	case l.dirty <- struct{}{}:
	default:
	}
}

// run reads the list until ctx ends.
func (l *list) run(ctx context.Context) {
	var poll <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.dirty:
		case <-poll:
		}
		select {
		case <-ctx.Done():
			return
		case l.turns <- struct{}{}:
		}
		polls := l.reread(ctx)
		<-l.turns
		pace := time.NewTimer(or(l.Pace, 20*time.Millisecond))
		select {
		case <-ctx.Done():
			pace.Stop()
			return
		case <-pace.C:
		case <-l.hurry: // a new follower waits
			pace.Stop()
		}
		poll = nil
		if polls {
			poll = time.After(or(l.Poll, time.Second))
		}
	}
}

// reread reads the window, and reports whether it is to be read again unheard.
func (l *list) reread(ctx context.Context) (polls bool) {
	l.mu.Lock()
	asked := l.asked
	select {
	case <-l.dirty: // what this reading has
	default:
	}
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, or(l.Time, 10*time.Second))
	defer cancel()
	heard, err := l.ears.hear(ctx)
	if err != nil {
		l.failed(ctx, asked, err)
		return true
	}
	named := &naming{Querier: l.DB, began: time.Now(), heard: heard, tables: map[string]mention{}}
	reader := *l.Reader
	reader.DB = named
	l.readings.Add(1)
	rows, err := l.steady(ctx, &reader, named)
	if err != nil && l.source.refused(err) {
		l.end(err)
		return false
	}
	if err != nil {
		l.failed(ctx, asked, err)
		return true
	}
	l.ears.depends(l, named.tables, len(rows) == 0, heard)
	l.settle(asked, rows)
	return named.unheard
}

// most is how often a list is read at the most to see it at one moment.
const most = 5

// steady reads the window as it was at one moment: what several statements have read is
// that where another reading has read the same, for then nothing was written between
// the statements of the first. A list that is written all the time is shown as it was
// read last, and is read again.
func (l *list) steady(ctx context.Context, r *read.Reader, named *naming) (rows []read.Row, err error) {
	for range most {
		before := rows
		named.again()
		if rows, err = l.source.Read(ctx, r); err != nil || named.statements < 2 {
			return rows, err
		}
		if before != nil && identical(before, rows) || l.shows(rows) {
			return rows, nil
		}
	}
	return rows, nil
}

// shows reports whether the followers have these rows already.
func (l *list) shows(rows []read.Row) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.window != nil && slices.EqualFunc(l.window, rows, func(a *Row, b read.Row) bool { return a.ID == b.ID && alike(&a.Row, &b) })
}

// identical reports whether two readings have read the same.
func identical(a, b []read.Row) bool {
	return slices.EqualFunc(a, b, func(a, b read.Row) bool { return a.ID == b.ID && alike(&a, &b) })
}

// failed notes that a reading has failed. Those who wait for their first window get the
// error; others keep what they have, and the list is read again.
func (l *list) failed(ctx context.Context, asked int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.final {
		return
	}
	if l.err == nil {
		l.warn(ctx, "a live list can't be read: its followers wait", err)
	}
	l.err, l.read = err, asked
	l.tell()
}

// settle takes a window that was read.
func (l *list) settle(asked int, rows []read.Row) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.source.Beside != nil {
		rows = l.source.Beside.Rows() // under the lock, so that none before them comes after
	}
	l.take(asked, rows)
}

// take is settle under the lock.
func (l *list) take(asked int, rows []read.Row) {
	known := make(map[gid.ID]*Row, len(l.window))
	for _, row := range l.window {
		known[row.ID] = row
	}
	window, same := make([]*Row, len(rows)), len(rows) == len(l.window) && l.window != nil
	for i := range rows {
		window[i] = known[rows[i].ID]
		if window[i] == nil || !alike(&window[i].Row, &rows[i]) {
			window[i] = &Row{Row: rows[i], hash: hashOf(rows[i].Views)}
		}
		same = same && window[i] == l.window[i]
	}
	waited := l.read < asked
	if l.read = asked; same && l.err == nil && !waited {
		return
	}
	if l.err = nil; !same {
		l.window = window
	}
	l.tell()
}

// alike reports whether both are shown alike.
func alike(a, b *read.Row) bool {
	for i := range a.Views {
		if !bytes.Equal(a.Views[i].JSON, b.Views[i].JSON) || len(a.Views[i].Errors) != len(b.Views[i].Errors) {
			return false
		}
	}
	return true
}

// tell wakes the followers, under the lock.
func (l *list) tell() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// end ends all followers.
func (l *list) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err, l.final = err, true
	l.tell()
}

// now returns the window, once the reading that was asked for has begun and is over,
// and what is closed when there is another. The error is that of a list that has ended,
// or of one that has no window.
func (l *list) now(asked int) (window []*Row, ready bool, changed <-chan struct{}, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.final || l.err != nil && l.window == nil && l.read >= asked {
		return nil, false, l.changed, l.err
	}
	return l.window, l.window != nil && l.read >= asked, l.changed, nil
}
