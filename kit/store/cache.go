package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
)

// longest bounds the texts worth keeping: longer ones are bulk statements
// that seldom come twice.
const longest = 16 << 10

// statement is a prepared statement in a connection's cache.
type statement struct {
	preparedStmt
	text       string
	figure     *figure // nil where nothing counts
	columns    columns // of its rows, nil where they are left to lib/pq
	known      bool    // whether they are
	prev, next *statement
	// busy is set while rows of it are open on SQLite, where running it
	// again would rewind them and closing it would free them.
	busy bool
}

type preparedStmt interface {
	driver.Stmt
	driver.StmtQueryContext
	driver.StmtExecContext
}

// cache holds the statements used last, in a ring whose head is root.
type cache struct {
	limit  int
	byText map[string]*statement
	root   statement
}

func newCache(limit int) *cache {
	k := &cache{limit: limit, byText: make(map[string]*statement)}
	k.root.prev, k.root.next = &k.root, &k.root
	return k
}

// get returns the statement with the text, or nil, and makes it the newest.
func (k *cache) get(text string) *statement {
	s := k.byText[text]
	if s != nil && k.root.next != s {
		s.unlink()
		k.push(s)
	}
	return s
}

// add keeps a new statement and closes the oldest beyond the limit.
func (k *cache) add(s *statement) error {
	k.byText[s.text] = s
	k.push(s)
	for old := k.root.prev; len(k.byText) > k.limit && old != s; old = k.root.prev {
		if old.busy {
			return nil // the next addition finds it idle
		}
		if err := k.drop(old); err != nil {
			return err
		}
	}
	return nil
}

// drop forgets the statement and closes it.
func (k *cache) drop(s *statement) error {
	k.forget(s)
	return s.Close()
}

func (k *cache) forget(s *statement) {
	delete(k.byText, s.text)
	s.unlink()
}

// clear drops every statement that is idle.
func (k *cache) clear() {
	for _, s := range k.byText {
		if !s.busy {
			_ = k.drop(s) // the connection is closing or the statement void
		}
	}
}

func (k *cache) push(s *statement) {
	s.prev, s.next = &k.root, k.root.next
	s.prev.next, s.next.prev = s, s
}

func (s *statement) unlink() {
	s.prev.next, s.next.prev = s.next, s.prev
}

// prepared returns the statement for the text, or nil where it should be
// run without one.
func (c *conn) prepared(ctx context.Context, text string, args int) (*statement, error) {
	if err := c.refresh(ctx); err != nil {
		return nil, err
	}
	if s := c.cache.get(text); s != nil {
		if s.busy {
			return nil, nil
		}
		return s, nil
	}
	if !c.worthwhile(text, args) {
		return nil, nil
	}
	stmt, err := c.baseConn.PrepareContext(ctx, c.owner.anew(text))
	if err != nil {
		return nil, err
	}
	s := &statement{preparedStmt: stmt.(preparedStmt), text: text, figure: c.owner.figures.of(text)}
	return s, c.cache.add(s)
}

// worthwhile reports whether the text is one statement of the kind that
// comes again.
func (c *conn) worthwhile(text string, args int) bool {
	if c.cache.limit < 1 || len(text) > longest || (args == 0 && strings.Contains(text, ";")) {
		return false
	}
	switch verb(text) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH":
		return true
	}
	return false
}

// outdated reports whether err says that the statement's plan no longer fits
// the schema, and forgets it. Outside a transaction it can be prepared
// again; inside, [DB.InTx] runs the transaction again.
func (c *conn) outdated(s *statement, err error) bool {
	if !isOutdated(err) {
		return false
	}
	c.owner.stale.Add(1) // the schema changed: others are out of date too
	c.owner.changed.Store(time.Now().UnixNano())
	c.cache.forget(s)
	return c.tx == nil
}

// anew returns the text to prepare. A pooler gives a text that it has seen the server's
// statement of then, whose plan may be of the schema before, so that a text that is
// prepared after a change of the schema says when.
func (o *connector) anew(text string) string {
	if at := o.changed.Load(); at != 0 && o.pooled() {
		return text + " /* " + strconv.FormatInt(at, 36) + " */"
	}
	return text
}

func isOutdated(err error) bool {
	var e *pq.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code == "0A000" && strings.HasPrefix(e.Message, "cached plan") || e.Code == "26000"
}

// refresh forgets all statements where the schema has changed. It waits for
// the end of a transaction, which may have failed.
func (c *conn) refresh(ctx context.Context) error {
	now := c.owner.stale.Load()
	if now == c.seen || c.tx != nil {
		return nil
	}
	if c.owner.sqlite {
		c.cache.clear()
		c.seen = now
		return nil
	}
	if _, err := c.baseConn.ExecContext(ctx, "DEALLOCATE ALL", nil); err != nil {
		return err
	}
	c.cache, c.seen = newCache(c.cache.limit), now
	return nil
}
