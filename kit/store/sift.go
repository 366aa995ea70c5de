package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Sent is a value as PostgreSQL has sent it, which is the row's until it
// returns: lib/pq would copy it, and allocate it twice.
type Sent struct {
	Bytes []byte
	// Number says that the bytes are a whole number, in binary. They are text
	// otherwise, of whatever type, or those of a bytea.
	Number bool
	// Bool says that they are t or f.
	Bool bool
}

// Int returns the number of 2, 4 or 8 bytes.
func (s *Sent) Int() int64 {
	switch len(s.Bytes) {
	case 8:
		return int64(binary.BigEndian.Uint64(s.Bytes))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(s.Bytes)))
	case 2:
		return int64(int16(binary.BigEndian.Uint16(s.Bytes)))
	}
	return 0
}

// True returns the truth value.
func (s *Sent) True() bool { return len(s.Bytes) == 1 && s.Bytes[0] == 't' }

// EachSent is [DB.Each], whose values may also be *[Sent]: where PostgreSQL is
// asked over a connection that is not encrypted, and the statement was run on it
// before.
//
// Rows are then taken out of the server's messages before lib/pq sees them, so
// that it sees a statement without rows. Its work for each value (two allocations)
// and each row (a lock) is half of the cost of reading a page of rows.
func (db *DB) EachSent(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error {
	return db.each(ctx, text, args, rowsTo{row, true})
}

// rowsTo is called with the rows of a statement.
type rowsTo struct {
	row  func(values []driver.Value) error
	sent bool // it takes *Sent
}

// columns describe a statement's rows: the form in which each column is sent. They
// are nil where rows are left to lib/pq.
type columns []Sent

// columnsOf returns the columns of a statement that has been run, nil where one
// of them is of a type that lib/pq makes more of than its bytes.
func columnsOf(rows driver.Rows) columns {
	typed, ok := rows.(driver.RowsColumnTypeDatabaseTypeName)
	if !ok {
		return nil
	}
	all := make(columns, len(rows.Columns()))
	for i := range all {
		switch typed.ColumnTypeDatabaseTypeName(i) {
		case "INT8", "INT4", "INT2":
			all[i].Number = true
		case "BOOL":
			all[i].Bool = true
		case "TEXT", "VARCHAR", "BPCHAR", "BYTEA", "NUMERIC", "FLOAT8", "FLOAT4", "JSON", "JSONB":
		default:
			return nil
		}
	}
	return all
}

// sieve takes the rows of one statement out of what the server sends.
type sieve struct {
	// messages is where in its messages the server is.
	messages messages
	// row is called with each row, nil while rows go on to lib/pq.
	row    func(values []driver.Value) error
	sent   columns
	values []driver.Value
	// err is the error of row, or of a row; later rows are dropped.
	err error
	// panicked is the value of a panic in row: lib/pq must not be unwound.
	panicked any
}

// take has the rows of the statement that runs next go to row.
func (s *sieve) take(of columns, row func([]driver.Value) error) {
	s.row, s.err, s.panicked = row, nil, nil
	s.sent = append(s.sent[:0], of...)
	s.values = slices.Grow(s.values[:0], len(of))[:len(of)]
}

// done ends it.
func (s *sieve) done() {
	s.row = nil
	clear(s.values)
}

// outcome is the result of row.
func (s *sieve) outcome() error {
	if s.panicked != nil {
		panic(s.panicked)
	}
	return s.err
}

// pass hands a row on.
func (s *sieve) pass(message []byte) {
	if s.err != nil || s.panicked != nil {
		return
	}
	defer func() { s.panicked = recover() }()
	if s.err = s.split(message); s.err == nil {
		s.err = s.row(s.values)
	}
}

var errMangled = errors.New("PostgreSQL has sent a row that is none")

// split finds the values of a DataRow: how many there are, and for each its length,
// or -1 for null, and its bytes (PostgreSQL, "Message Formats").
func (s *sieve) split(message []byte) error {
	if len(message) < 2 || int(binary.BigEndian.Uint16(message)) != len(s.sent) {
		return fmt.Errorf("%w: its statement has %d columns", errMangled, len(s.sent))
	}
	rest := message[2:]
	for i := range s.sent {
		if len(rest) < 4 {
			return errMangled
		}
		n := int(int32(binary.BigEndian.Uint32(rest)))
		rest = rest[4:]
		if n < 0 {
			s.values[i] = nil
			continue
		}
		if n > len(rest) {
			return errMangled
		}
		s.sent[i].Bytes, rest = rest[:n], rest[n:]
		s.values[i] = &s.sent[i]
	}
	return nil
}

// messages follows where messages begin and end: each has a byte that names it,
// and a length that counts itself.
type messages struct {
	head [messageHead]byte
	had  int // bytes of the head
	rest int // bytes of the message behind it
	// key is the secret that the server needs to cancel a statement.
	key []byte
}

const (
	messageHead    = 5
	dataRow        = 'D'
	backendKeyData = 'K'
)

// begins reports whether what comes next is a message's first byte.
func (m *messages) begins() bool { return m.had == 0 && m.rest == 0 }

// left is how many bytes come for certain before a message begins.
func (m *messages) left() int {
	if m.rest > 0 {
		return m.rest
	}
	return messageHead - m.had
}

// follow goes on by what has been read.
func (m *messages) follow(b []byte) {
	for len(b) > 0 {
		if m.rest > 0 {
			n := min(m.rest, len(b))
			if m.head[0] == backendKeyData {
				m.key = append(m.key, b[:n]...)
			}
			m.rest, b = m.rest-n, b[n:]
			continue
		}
		n := copy(m.head[m.had:], b)
		m.had, b = m.had+n, b[n:]
		if m.had == messageHead {
			m.had, m.rest = 0, sizeOf(m.head[:])-messageHead
		}
	}
}

// sizeOf is how long the message with the head is.
func sizeOf(head []byte) int { return max(messageHead, 1+int(binary.BigEndian.Uint32(head[1:]))) }

// sift reads what is no row of the statement whose rows are taken.
func (w *wire) sift(b []byte) (int, error) {
	m := &w.sieve.messages
	for m.begins() {
		if err := w.fill(messageHead); err != nil {
			return 0, err
		}
		if w.ahead[w.from] != dataRow {
			return w.give(b, sizeOf(w.ahead[w.from:])), nil
		}
		size := sizeOf(w.ahead[w.from:])
		if err := w.fill(size); err != nil {
			return 0, err
		}
		w.sieve.pass(w.ahead[w.from+messageHead : w.from+size])
		w.from += size
	}
	if err := w.fill(1); err != nil {
		return 0, err
	}
	return w.give(b, m.left()), nil
}

// give reads what has come, at most so many bytes of it.
func (w *wire) give(b []byte, most int) int {
	n := copy(b, w.ahead[w.from:min(w.to, w.from+most)])
	if w.plain {
		w.sieve.messages.follow(b[:n])
	}
	w.from += n
	return n
}

// fill waits until so many bytes have come.
func (w *wire) fill(n int) error {
	if w.from == w.to && (w.ahead == nil || len(w.ahead) > 4*readAhead) { // for the first time, or after a large row
		w.ahead, w.from, w.to = make([]byte, readAhead), 0, 0
	}
	for w.to-w.from < n {
		if w.from > 0 {
			w.to = copy(w.ahead, w.ahead[w.from:w.to])
			w.from = 0
		}
		if n > len(w.ahead) {
			w.ahead = append(w.ahead, make([]byte, n-len(w.ahead))...)
		}
		if err := w.listen(); err != nil {
			return err
		}
	}
	return nil
}
