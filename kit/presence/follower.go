package presence

import (
	"context"
	"io"
	"time"

	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/problem"
)

// Follower is given the members of a row, and is one. Its methods are for one goroutine.
type Follower struct {
	*live.Follower
	// Token is the credential for setting the member's state. Member is the member in
	// the form that others see, nil for a viewer who may not change anything.
	Token  string
	Member *Member

	name string
	room *room
}

// Next waits until the members are others and returns what is done to them. The error is
// [io.EOF] where the caller can no longer read the row.
func (f *Follower) Next(ctx context.Context) (live.Update, error) {
	u, err := f.Follower.Next(ctx)
	switch problem.KindOf(err) {
	case problem.NotFound, problem.Forbidden:
		return u, io.EOF
	}
	return u, err
}

// patience bounds what is said of a member that leaves.
const patience = time.Second

// Close ends the following, and the member leaves. It may be called more than once.
func (f *Follower) Close() {
	if f.room == nil {
		return
	}
	if f.Member != nil {
		f.room.part(f.Member)
	}
	f.Follower.Close()
	f.room.leave()
	f.room = nil
}
