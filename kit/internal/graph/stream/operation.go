package stream

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// operation is a query, a mutation or a subscription that runs.
type operation struct {
	id     string
	ctx    context.Context
	cancel context.CancelFunc
}

// subscribe begins an operation.
func (c *conn) subscribe(m message) {
	op := &operation{id: m.id}
	if e, ok := c.admit(op); !ok {
		c.end(e)
		return
	}
	if !c.stillFrom(op) {
		return
	}
	results, refused := c.Executor.Start(op.ctx, &m.params)
	if refused != nil {
		if c.remove(op) {
			for _, text := range c.dialect.refusal(op.id, refused) {
				c.answer(text)
			}
		}
		return
	}
	c.running.Go(func() {
		defer c.recover()
		defer results.Close()
		c.pump(op, results)
	})
}

// admit adds an operation to those that run, or says how the connection ends.
func (c *conn) admit(op *operation) (ending, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.phase == closed:
		return gone, false
	case c.phase == waiting:
		return ending{codeUnauthorized, "Unauthorized"}, false
	case c.operations[op.id] != nil:
		return endf(codeDuplicateID, "Subscriber for %s already exists", op.id), false
	case len(c.operations) >= maxOperations:
		return endf(codeTryLater, "%d operations are running already", maxOperations), false
	}
	op.ctx, op.cancel = context.WithCancel(web.WithCaller(viewer.With(c.ctx, c.viewer), c.viewer))
	c.operations[op.id] = op
	return ending{}, true
}

// stillFrom has the operation run as the connection's viewer of now: a
// role that was changed or a credential that was taken back since the last
// proof counts at once, as it would for a request of its own. It reports
// false where the operation can't begin, which the client has been told.
func (c *conn) stillFrom(op *operation) bool {
	is, err := c.Auth.Still(op.ctx, viewer.From(op.ctx))
	switch {
	case err == nil:
		op.ctx = viewer.With(op.ctx, is)
		return true
	case web.Unauthenticated(err):
		c.end(endingOf(err))
	case c.out.hasRoom(op.ctx) == nil: // whether they are good is unknown now
		c.say(op, c.dialect.result(op.id, c.Executor.Refusal(op.ctx, err)))
		c.finish(op)
		return false
	}
	c.remove(op)
	return false
}

// remove takes an operation out of those that run, and reports whether it
// was still one of them.
func (c *conn) remove(op *operation) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.removeLocked(op)
}

// finish removes an operation and says that it is complete, in one step: the
// client may use the id again as soon as it has read that.
func (c *conn) finish(op *operation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.removeLocked(op) {
		c.out.put(c.dialect.completed(op.id))
	}
}

func (c *conn) removeLocked(op *operation) bool {
	op.cancel()
	if c.operations[op.id] != op {
		return false
	}
	delete(c.operations, op.id)
	return true
}

// complete ends an operation that the client no longer wants.
func (c *conn) complete(id string) {
	c.mu.Lock()
	op := c.operations[id]
	c.mu.Unlock()
	if op != nil {
		c.remove(op)
	}
}

// pump sends an operation's responses until there are no more.
func (c *conn) pump(op *operation, results Results) {
	for {
		response, err := results.Next(op.ctx)
		switch {
		case op.ctx.Err() != nil: // the client has ended it
			c.remove(op)
			return
		case errors.Is(err, io.EOF):
			if c.out.hasRoom(op.ctx) == nil {
				c.finish(op)
			}
			c.remove(op)
			return
		case err != nil:
			c.log("operation ended", err)
			c.end(endingOf(err))
			return
		case c.out.hasRoom(op.ctx) == nil:
			c.say(op, c.dialect.result(op.id, response))
		}
	}
}

// say sends a message about an operation, unless that has ended: its id may
// be another's by now.
func (c *conn) say(op *operation, text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.operations[op.id] == op {
		c.out.put(text)
	}
}

// log records what is wrong on our side.
func (c *conn) log(message string, err error) {
	level := slog.LevelDebug
	if known := problem.As(err) != nil; known && problem.Fault(err) || !known && endingOf(err).code == codeInternal {
		level = slog.LevelError
	}
	c.Log.Log(c.ctx, level, message, slog.Any("err", err), slog.String("request_id", requestid.From(c.ctx)))
}
