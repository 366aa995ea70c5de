package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// eventStream is a response that goes on. A goroutine pumps the events of its feed; the
// handler waits for the end, and after settleTime leaves the stream to that goroutine
// if it can ([web.Detach]): most streams are idle for hours.
type eventStream struct {
	*Server
	ctx    context.Context // has the values of the request's, and ends with the stream
	cancel context.CancelCauseFunc
	exits  []func() // called when it has ended, the last one first

	mu   sync.Mutex // held while something is written
	to   sink
	beat *time.Timer
	// over is set once the feed has ended, and detached once the handler has returned.
	over, detached bool
}

// sink is where events are written.
type sink interface {
	Write(text []byte, within time.Duration) error
}

// beat is a comment, which clients ignore.
var beat = []byte(":\n\n")

// settleTime is how long a stream is its handler's.
const settleTime = time.Second

func (s *Server) feed(w http.ResponseWriter, r *http.Request, open func(context.Context) (Feed, error)) error {
	e := &eventStream{Server: s}
	e.ctx, e.cancel = context.WithCancelCause(context.WithoutCancel(r.Context()))
	leaves := context.AfterFunc(r.Context(), func() { e.cancel(context.Cause(r.Context())) })
	defer leaves()
	from, err := e.open(open)
	if err != nil {
		e.exit()
		return err
	}
	h := w.Header()
	h.Set("Content-Type", mediaEvents+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // for a proxy that would collect the events
	e.to = response{w, http.NewResponseController(w)}
	e.write(beat) // the headers, and that the subscription has been accepted
	e.beats()
	ended := make(chan error, 1)
	go e.pump(from, ended)
	settled := time.NewTimer(settleTime)
	defer settled.Stop()
	select {
	case err = <-ended:
	case <-settled.C:
		if e.detach(w, r) {
			return nil
		}
		err = <-ended
	}
	defer e.exit()
	if !e.end(from, err) {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// open counts the stream for its caller, and begins the feed.
func (e *eventStream) open(open func(context.Context) (Feed, error)) (Feed, error) {
	exit, ok := e.enter(func() { e.cancel(events.ErrClosed) })
	if !ok {
		return nil, &problem.Error{Kind: problem.Unavailable, Message: "the service is shutting down", RetryAfter: time.Second}
	}
	e.exits = append(e.exits, exit)
	v := viewer.From(e.ctx)
	caller := callerOf(e.ctx, v)
	if !e.callers.enter(caller, e.MaxConnections) {
		return nil, &problem.Error{Kind: problem.RateLimited, Message: "too many connections are open already", RetryAfter: time.Second}
	}
	e.exits = append(e.exits, func() { e.callers.exit(caller) })
	if !e.operations.enter(caller, maxOfCaller) {
		return nil, problem.New(problem.SubscriptionLimit, "%s", tooMany(maxOfCaller, "on all connections of this caller").Message)
	}
	e.exits = append(e.exits, func() { e.operations.exit(caller) })
	from, err := open(e.ctx)
	if err != nil {
		return nil, err
	}
	e.exits = append(e.exits, from.Close, e.renewing(v))
	return from, nil
}

// exit undoes what open has done.
func (e *eventStream) exit() {
	e.cancel(nil)
	for len(e.exits) > 0 {
		last := len(e.exits) - 1
		e.exits[last]()
		e.exits = e.exits[:last]
	}
}

// detach leaves the stream to the goroutine that pumps, and reports whether it could.
func (e *eventStream) detach(w http.ResponseWriter, r *http.Request) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return false
	}
	d := web.Detach(w, r)
	if d == nil {
		return false
	}
	e.to, e.detached = d, true
	d.Left(func() { e.cancel(context.Canceled) })
	return true
}

// pump writes the feed's events until the feed ends. It ends a detached stream itself,
// and sends the reason to the handler of any other.
func (e *eventStream) pump(from Feed, ended chan<- error) {
	err := e.pour(from)
	if e.ctx.Err() != nil {
		err = context.Cause(e.ctx)
	}
	e.mu.Lock()
	e.over = true
	e.beat.Stop()
	detached, to := e.detached, e.to
	e.mu.Unlock()
	if !detached {
		ended <- err
		return
	}
	defer e.exit()
	if d := to.(*web.Detached); e.end(from, err) {
		d.End(writeTime)
	} else {
		d.Cut()
	}
}

// pour writes the feed's events, and returns the error that ends the feed.
func (e *eventStream) pour(from Feed) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e.Log.ErrorContext(e.ctx, "panic", "err", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	for {
		text, err := from.Next(e.ctx)
		if err != nil {
			return err
		}
		e.write(text)
	}
}

// beats writes something from time to time, so that the connection is seen to be used.
func (e *eventStream) beats() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.beat = time.AfterFunc(beatTime, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if !e.over {
			e.writeLocked(beat)
			e.beat.Reset(beatTime)
		}
	})
}

// renewing proves the credentials again from time to time, until it is stopped.
func (e *eventStream) renewing(v *viewer.Viewer) (stop func()) {
	if !v.Authenticated() {
		return func() {}
	}
	var timer *time.Timer
	ready := make(chan struct{})
	wait := func(most time.Duration) time.Duration {
		if v.Expires.IsZero() {
			return most
		}
		return max(0, min(most, time.Until(v.Expires)))
	}
	timer = time.AfterFunc(wait(proofTime), func() {
		<-ready
		ctx, cancel := context.WithTimeout(e.ctx, writeTime)
		defer cancel()
		switch _, err := e.Auth.Still(ctx, v); {
		case web.Unauthenticated(err):
			e.cancel(err)
		case err != nil:
			timer.Reset(retryTime)
		default:
			timer.Reset(wait(proofTime))
		}
	})
	close(ready)
	return func() { timer.Stop() }
}

// end writes how the stream ends, if the client gets that, and reports whether the
// answer is complete then.
func (e *eventStream) end(from Feed, err error) (complete bool) {
	switch {
	case errors.Is(err, io.EOF):
		e.write(from.End(e.ctx, nil))
	case web.Unauthenticated(err): // coming back with the same credentials is of no use
		e.write(from.End(e.ctx, err))
	case errors.Is(err, context.Canceled): // by the client
	default: // at the end of the process, too: complete would be for good
		e.Log.Log(e.ctx, slog.LevelDebug, "event stream broken off", slog.Any("err", err))
		return false
	}
	return true
}

// write writes and sends, while the client takes it in time.
func (e *eventStream) write(text []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.writeLocked(text)
}

func (e *eventStream) writeLocked(text []byte) {
	if err := e.to.Write(text, writeTime); err != nil {
		e.cancel(context.Canceled)
	}
}

// response is a stream's answer while that is its handler's.
type response struct {
	to      io.Writer
	control *http.ResponseController
}

// Write implements sink.
func (r response) Write(text []byte, within time.Duration) error {
	_ = r.control.SetWriteDeadline(time.Now().Add(within)) // a recorder in a test has none
	if _, err := r.to.Write(text); err != nil {
		return err
	}
	return r.control.Flush()
}
