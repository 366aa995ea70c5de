package stream

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// receive handles a message.
func (c *conn) receive(text []byte) {
	m, err := parse(text, c.dialect.types)
	if err != nil {
		c.end(invalid(err))
		return
	}
	switch m.kind {
	case kindInit:
		c.initialise(m)
	case kindPing:
		c.answer(pong(m.payload))
	case kindSubscribe:
		c.subscribe(m)
	case kindComplete:
		c.complete(m.id)
	case kindTerminate:
		c.end(ending{codeDone, ""})
	case kindPong: // the client is there, which its frames say as well
	}
}

// answer sends a message that belongs to no operation.
func (c *conn) answer(text []byte) {
	if c.out.hasRoom(c.ctx) == nil {
		c.out.put(text)
	}
}

// initialise opens the connection as the caller that the credentials prove.
func (c *conn) initialise(m message) {
	if !c.in(waiting) {
		c.end(ending{codeTooManyInits, "Too many initialisation requests"})
		return
	}
	proven, err := c.prove(c.ctx, m.payload)
	if err != nil {
		c.log("connection refused", err)
		c.end(endingOf(err))
		return
	}
	if proven != nil {
		c.viewer = proven
	}
	caller := callerOf(c.ctx, c.viewer)
	if !c.callers.enter(caller, c.MaxConnections) {
		c.end(endf(codeTryLater, "%d connections are open already", c.MaxConnections))
		return
	}
	c.mu.Lock()
	c.caller = caller
	if c.phase == waiting {
		c.phase = open
	}
	c.mu.Unlock()
	for _, text := range c.dialect.acknowledge() {
		c.answer([]byte(text))
	}
	c.renewLater()
}

// renewLater proves the credentials again before they have been believed for
// too long, and when they expire.
func (c *conn) renewLater() {
	c.mu.Lock()
	v := c.viewer
	c.mu.Unlock()
	if !v.Authenticated() {
		return
	}
	wait := proofTime
	if !v.Expires.IsZero() {
		wait = max(0, min(wait, time.Until(v.Expires)))
	}
	c.after(wait, c.renew)
}

func (c *conn) renew() {
	ctx, cancel := context.WithTimeout(c.ctx, writeTime)
	defer cancel()
	c.mu.Lock()
	was := c.viewer
	c.mu.Unlock()
	is, err := c.Auth.Still(ctx, was)
	switch {
	case web.Unauthenticated(err):
		c.end(endingOf(err))
	case err != nil: // the database is away, and no event passes without it
		c.after(retryTime, c.renew)
	default:
		c.mu.Lock()
		c.viewer = is
		c.mu.Unlock()
		c.renewLater()
	}
}
