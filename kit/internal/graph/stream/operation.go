package stream

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// operation is a query, a mutation or a subscription that runs.
type operation struct {
	id     string
	caller string // as which it is counted
	ctx    context.Context
	cancel context.CancelFunc
}

// subscribe begins an operation.
func (c *conn) subscribe(m message) {
	op := &operation{id: m.id}
	switch e, err := c.admit(op); {
	case err != nil: // the others go on: a client that was cut off would come back with all of them
		c.refuseOperation(op.id, gqlerror.List{err})
		return
	case e != nil:
		c.end(*e)
		return
	}
	if m.wrong != nil {
		if c.remove(op) {
			c.refuseOperation(op.id, gqlerror.List{failure.Refusal(problem.InvalidJSON, "%v", m.wrong)})
		}
		return
	}
	if !c.stillFrom(op) {
		return
	}
	results, refused := c.Executor.Start(op.ctx, &m.params)
	if refused != nil {
		if c.remove(op) {
			c.refuseOperation(op.id, refused)
		}
		return
	}
	c.running.Go(func() {
		defer c.recover()
		defer results.Close()
		c.pump(op, results)
	})
}

// refuseOperation says that an operation can't be run.
func (c *conn) refuseOperation(id string, refused gqlerror.List) {
	for _, text := range c.dialect.refusal(id, refused) {
		c.answer(text)
	}
}

// admit adds an operation to those that run. Otherwise it says how the connection
// ends, or returns an error of the operation alone where there are too many.
func (c *conn) admit(op *operation) (*ending, *gqlerror.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.phase == closed:
		return &gone, nil
	case c.phase == waiting:
		return &ending{codeUnauthorized, "Unauthorized"}, nil
	case c.operations[op.id] != nil:
		e := endf(codeDuplicateID, "Subscriber for %s already exists", op.id)
		return &e, nil
	case len(c.operations) >= maxOperations:
		return nil, tooMany(maxOperations, "on this connection")
	case !c.Server.operations.enter(c.caller, maxOfCaller):
		return nil, tooMany(maxOfCaller, "on all connections of this caller")
	}
	op.caller = c.caller
	op.ctx, op.cancel = context.WithCancel(web.WithCaller(viewer.With(c.ctx, c.viewer), c.viewer))
	c.operations[op.id] = op
	return nil, nil
}

// tooMany refuses one operation more.
func tooMany(most int, where string) *gqlerror.Error {
	return failure.Refusal(problem.SubscriptionLimit, "%d operations are running already %s: end one of them first", most, where)
}

// stillFrom has the operation run as the connection's viewer of now: a
// role that was changed or a credential that was taken back since the last
// proof counts at once, as it would for a request of its own. It reports
// false where the operation can't begin, after the client got the error.
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
	c.Server.operations.exit(op.caller)
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
