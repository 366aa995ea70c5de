package live

import (
	"context"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Follower gets the updates of a list. [Lists.Open] makes one. Its methods are for one
// goroutine.
type Follower struct {
	lists  *Lists
	plan   Plan
	viewer *viewer.Viewer
	at     place // of its positions
	list   *list
	asked  int
	woken  <-chan struct{} // receives when the caller may be another
	deaf   func()          // ends that

	held  []*Row
	total Total
	// resumed is set where the rows are those that the follower has from before, begun
	// once the first update was given.
	resumed, begun bool
}

// Update has the changes that a follower makes to the rows that it has.
type Update struct {
	// Reset says that the rows that it has are no longer: those of now enter.
	Reset bool
	// Steps are done one after the other.
	Steps []Step
	// Total is how many rows there are then.
	Total Total
	// Position names the rows that the follower has then.
	Position string
}

// join has the follower follow the source's list, and waits until it was read.
func (f *Follower) join(ctx context.Context, source Source) error {
	one, err := f.lists.enter(shared(source.Key, f.viewer), source, f.viewer)
	if err != nil {
		return err
	}
	if f.list != nil {
		f.lists.leave(f.list)
	}
	f.list, f.at.form = one, source.Form
	f.asked = one.ask()
	for {
		_, _, ready, changed, err := one.now(f.asked)
		if ready || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// Next waits until there is something new and returns it. The first update comes at
// once: all rows, or what became of those of the position. The error is [ErrClosed],
// that of ctx, or that of a caller who can no longer be proven or may no longer ask.
func (f *Follower) Next(ctx context.Context) (Update, error) {
	for {
		var doubted <-chan struct{} // by those whose rights can change
		if f.viewer.Authenticated() {
			doubted = f.lists.doubted()
		}
		if err := f.prove(ctx); err != nil {
			return Update{}, err
		}
		window, total, ready, changed, err := f.list.now(f.asked)
		if err != nil {
			return Update{}, err
		}
		if ready {
			if u, news := f.update(window, total); news {
				return u, nil
			}
		}
		select {
		case <-ctx.Done():
			return Update{}, ctx.Err()
		case <-changed:
		case <-f.woken:
		case <-doubted:
		}
	}
}

// Shape is that of the source of the list that was followed last.
func (f *Follower) Shape() any { return f.list.source.Shape }

// update returns the difference to the window.
func (f *Follower) update(window []*Row, total Total) (u Update, news bool) {
	u.Total = total
	u.Reset = !f.begun && !f.resumed
	u.Steps = difference(f.held, window)
	if len(u.Steps) == 0 && f.begun && total == f.total {
		f.held = window
		return u, false
	}
	f.held, f.total, f.begun = window, total, true
	u.Position = f.at.position(window)
	return u, true
}

// prove follows the list as the caller is now.
func (f *Follower) prove(ctx context.Context) error {
	if f.lists.Callers == nil {
		return nil
	}
	v, err := f.lists.Callers.Still(ctx, f.viewer)
	switch kind := problem.KindOf(err); {
	case err == nil:
	case kind == problem.Unauthenticated || kind == problem.TokenInvalid || kind == problem.TokenExpired:
		return err
	default:
		return ctx.Err() // whether they are good is unknown now
	}
	before := f.viewer.Rights()
	if f.viewer = v; v.Rights() == before {
		return nil
	}
	ctx = viewer.With(ctx, v)
	source, err := f.plan(ctx)
	if err != nil {
		return err
	}
	return f.join(ctx, source)
}

// Close ends the following. It may be called more than once.
func (f *Follower) Close() {
	f.deaf()
	if f.list != nil {
		f.lists.leave(f.list)
		f.list = nil
	}
}
