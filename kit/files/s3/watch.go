package s3

import (
	"context"
	"errors"
	"time"
)

// watcher ends the context of a request that does not go on: the bytes of a large file may
// take as long as they need, as long as some arrive.
type watcher struct {
	timer    *time.Timer
	patience time.Duration
	cancel   context.CancelCauseFunc
}

var errSilent = errors.New("the store has neither taken nor sent a byte for too long")

// watch returns a context that ends where [watcher.more] is not called in time, and the
// watcher, which the caller ends.
func watch(ctx context.Context, patience time.Duration) (*watcher, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &watcher{time.AfterFunc(patience, func() { cancel(errSilent) }), patience, cancel}, ctx
}

// more says that the request goes on, or that its next part begins.
func (w *watcher) more() { w.timer.Reset(w.patience) }

// pause says that it waits for the one who reads it.
func (w *watcher) pause() { w.timer.Stop() }

func (w *watcher) end() {
	w.timer.Stop()
	w.cancel(nil)
}
