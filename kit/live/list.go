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

// Total is how many rows a list has beside its window, -1 where that is not asked for.
type Total struct {
	Rows int64
	// AtLeast: there may be more.
	AtLeast bool
}

// list is a list that is followed: it is read whenever it may answer otherwise than
// before, by a goroutine that runs for as long as that takes.
type list struct {
	*Lists
	ears      *ears
	key       string
	source    Source
	ctx       context.Context // has the viewer, and ends with the list
	followers int             // under Lists.mu
	stop      func()
	hurry     chan struct{} // receives when a new follower waits for a reading

	waking  sync.Mutex
	dirty   bool // it is to be read again
	reading bool // there is a goroutine that does so
	stopped bool
	poll    *time.Timer // reads it again unheard, nil while that was never needed

	// Under ears.mu: whether the list has no followers any more, and what knows which
	// writes are nothing to it, nil for none.
	forgotten bool
	matcher   *matcher
	placed    int // how many tables it is found by

	mu      sync.Mutex
	asked   int // counts the calls of ask
	read    int // how many of them had come when the last reading began
	window  []*Row
	total   Total
	err     error // of the last reading; where it is final, of all that follow
	final   bool
	changed chan struct{} // closed when any of these is another
}

func newList(l *Lists, e *ears, key string, source Source, v *viewer.Viewer) *list {
	ctx, cancel := context.WithCancel(viewer.With(context.Background(), v))
	one := &list{Lists: l, ears: e, key: key, source: source, ctx: ctx, hurry: make(chan struct{}, 1), changed: make(chan struct{})}
	one.stop = func() { one.rest(cancel) }
	if source.Beside != nil {
		deaf := source.Beside.Listen(one.beside)
		one.stop = sync.OnceFunc(func() { deaf(); one.rest(cancel) })
	}
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
	l.waking.Lock()
	defer l.waking.Unlock()
	if l.dirty = true; !l.reading && !l.stopped {
		l.reading = true
		l.running.Go(l.run)
	}
}

// rest has the list read no more.
func (l *list) rest(cancel context.CancelFunc) {
	l.waking.Lock()
	defer l.waking.Unlock()
	l.stopped = true
	if l.poll != nil {
		l.poll.Stop()
	}
	cancel()
}

// run reads the list until it need not be read again, or has ended.
func (l *list) run() {
	for {
		select {
		case <-l.ctx.Done():
			return
		case l.turns <- struct{}{}:
		}
		polls := l.reread(l.ctx)
		<-l.turns
		pace := time.NewTimer(or(l.Pace, 20*time.Millisecond))
		select {
		case <-l.ctx.Done():
		case <-pace.C:
		case <-l.hurry: // a new follower waits
		}
		pace.Stop()
		if !l.again(polls) {
			return
		}
	}
}

// again reports whether the list is to be read again now. Otherwise that is done once it
// is touched, or after a while where it may change unheard.
func (l *list) again(polls bool) bool {
	l.waking.Lock()
	defer l.waking.Unlock()
	if l.stopped || l.dirty {
		return !l.stopped
	}
	l.reading = false
	switch {
	case polls && l.poll == nil:
		l.poll = time.AfterFunc(or(l.Poll, time.Second), l.touch)
	case polls:
		l.poll.Reset(or(l.Poll, time.Second))
	case l.poll != nil:
		l.poll.Stop()
	}
	return false
}

// begun notes that a reading has begun, and returns how many had asked for it.
func (l *list) begun() (asked int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waking.Lock()
	defer l.waking.Unlock()
	l.dirty = false
	return l.asked
}

// reread reads the window, and reports whether it is to be read again unheard.
func (l *list) reread(ctx context.Context) (polls bool) {
	asked := l.begun()
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
	now, err := l.steady(ctx, &reader, named)
	if err != nil && l.source.refused(err) {
		l.end(err)
		return false
	}
	if err != nil {
		l.failed(ctx, asked, err)
		return true
	}
	l.ears.depends(l, named, len(now.Rows) == 0)
	l.settle(asked, now)
	return named.unheard
}

// most is how often a list is read at the most to see it at one moment.
const most = 5

// steady reads the window as it was at one moment: what several statements have read is
// that where another reading has read the same, for then nothing was written between
// the statements of the first. A list that is written all the time is shown as it was
// read last, and is read again.
func (l *list) steady(ctx context.Context, r *read.Reader, named *naming) (now read.Window, err error) {
	for range most {
		before := now
		named.again()
		if now, err = l.source.Read(ctx, r); err != nil || named.statements < 2 {
			return now, err
		}
		if before.Rows != nil && identical(before, now) || l.shows(now) {
			return now, nil
		}
	}
	return now, nil
}

// shows reports whether the followers have this window already.
func (l *list) shows(w read.Window) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.window != nil && l.total == totalOf(w) && slices.EqualFunc(l.window, w.Rows, func(a *Row, b read.Row) bool { return a.ID == b.ID && alike(&a.Row, &b) })
}

func totalOf(w read.Window) Total { return Total{w.Total, w.AtLeast} }

// identical reports whether two readings have read the same.
func identical(a, b read.Window) bool {
	return totalOf(a) == totalOf(b) && slices.EqualFunc(a.Rows, b.Rows, func(a, b read.Row) bool { return a.ID == b.ID && alike(&a, &b) })
}

// failed notes that a reading has failed. Those who wait for their first window get the
// error; others keep what they have, and the list is read again.
func (l *list) failed(ctx context.Context, asked int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.final {
		return
	}
	if l.err == nil && l.ctx.Err() == nil { // else it has no followers any more
		l.warn(ctx, "a live list can't be read: its followers wait", err)
	}
	l.err, l.read = err, asked
	l.tell()
}

// settle takes a window that was read.
func (l *list) settle(asked int, w read.Window) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.source.Beside != nil {
		w = read.Window{Rows: l.source.Beside.Rows(), Total: -1} // under the lock, so that none before them comes after
	}
	l.take(asked, w)
}

// take is settle under the lock.
func (l *list) take(asked int, w read.Window) {
	rows := w.Rows
	known := make(map[gid.ID]*Row, len(l.window))
	for _, row := range l.window {
		known[row.ID] = row
	}
	window, same := make([]*Row, len(rows)), len(rows) == len(l.window) && l.window != nil && l.total == totalOf(w)
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
		l.window, l.total = window, totalOf(w)
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

// now returns the window and its total, once the reading that was asked for has begun and is over,
// and what is closed when there is another. The error is that of a list that has ended,
// or of one that has no window.
func (l *list) now(asked int) (window []*Row, total Total, ready bool, changed <-chan struct{}, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.final || l.err != nil && l.window == nil && l.read >= asked {
		return nil, total, false, l.changed, l.err
	}
	return l.window, l.total, l.window != nil && l.read >= asked, l.changed, nil
}
