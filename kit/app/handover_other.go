//go:build !unix

package app

import (
	"context"
	"net"
	"os"

	"github.com/entwine-go/entwine/kit/store"
)

// inherited returns nothing: there is no process before this one.
func (p *Process) inherited() (net.Listener, error) { return nil, nil }

// takeOver does nothing: there is no process before this one.
func (p *Process) takeOver(context.Context) error { return nil }

// development is empty: weave dev needs a Unix.
func (p *Process) development() string { return "" }

// hearRestarts returns nil: this system has no SIGHUP.
func hearRestarts() chan os.Signal { return nil }

// handOver waits for ctx: there is no handover on this system.
func (p *Process) handOver(ctx context.Context, _ chan os.Signal, _ net.Listener, _ context.CancelCauseFunc) error {
	<-ctx.Done()
	return nil
}

// alone locks nothing: that is left to who starts the program.
func (p *Process) alone(*store.DB) (*os.File, error) { return nil, nil }
