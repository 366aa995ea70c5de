package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// attention is how often it is looked whether the context of a statement that
// runs has ended.
const attention = 20 * time.Millisecond

// watch has what is waited for next end with ctx: PostgreSQL is asked to cancel the
// statement. lib/pq starts a goroutine for that with each statement; most are
// answered long before one is looked for. It returns the context for lib/pq,
// which is ctx where the server's key is not known.
func (w *wire) watch(ctx context.Context) context.Context {
	if w == nil || !w.plain || len(w.sieve.messages.key) == 0 {
		return ctx
	}
	if ctx.Done() != nil {
		w.watched = ctx
	}
	return context.Background()
}

// hear reads what the server says, and has it cancel the statement when the
// watched context ends. The answer then has [endGrace] to come. Where the server does not take
// the request in that time, the error ends the connection.
func (w *wire) hear(b []byte) (int, error) {
	until, watches := w.deadline(), w.watched != nil
	for {
		next := until
		if watches {
			next = time.Now().Add(attention)
			if !until.IsZero() && until.Before(next) {
				next = until
			}
		}
		if err := w.SetReadDeadline(next); err != nil {
			return 0, err
		}
		n, err := w.Conn.Read(b)
		if n > 0 || !watches || !errors.Is(err, os.ErrDeadlineExceeded) || next.Equal(until) {
			return n, err
		}
		if w.watched.Err() == nil {
			continue
		}
		watches = false
		if err := w.cancel(); err != nil {
			// The request may come yet, and would then mean what the connection runs next.
			// lib/pq gives a connection up for this type of error: with another one the next
			// statement would read the answer of this one.
			_ = w.Close()
			return 0, &net.OpError{Op: "read", Net: w.RemoteAddr().Network(), Err: fmt.Errorf("cancel the statement: %w", err)}
		}
		until = earliest(until, time.Now().Add(endGrace))
	}
}

// earliest returns the earlier of two times, of which a may be zero for none.
func earliest(a, b time.Time) time.Time {
	if !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// cancel asks the server to cancel what runs on the connection, and returns when
// it has answered, so that it can't mean the next statement (PostgreSQL, "Canceling
// Requests in Progress").
func (w *wire) cancel() error {
	ctx, stop := context.WithTimeout(context.Background(), endGrace)
	defer stop()
	at := w.RemoteAddr()
	c, err := new(net.Dialer).DialContext(ctx, at.Network(), at.String())
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	if err := c.SetDeadline(time.Now().Add(endGrace)); err != nil {
		return err
	}
	const code = 80877102
	key := w.sieve.messages.key
	request := binary.BigEndian.AppendUint32(make([]byte, 0, 8+len(key)), uint32(8+len(key)))
	request = append(binary.BigEndian.AppendUint32(request, code), key...)
	if _, err := c.Write(request); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, c)
	return err
}
