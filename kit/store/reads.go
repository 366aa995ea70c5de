package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
)

// Reads are the reads of requests. A request whose context allows it ([OnlyReads])
// reads from a replica that has all writes its caller has seen. The primary answers
// all others, and where a replica fails.
type Reads struct{ db *DB }

// Reads returns the reads of requests.
func (db *DB) Reads() *Reads { return &Reads{db} }

// ErrMoved says that a replica has failed after it had sent rows: the statement is to be
// run again, which the primary answers.
var ErrMoved = errors.New("the replica that was read has failed")

// Each is [DB.Each].
func (q *Reads) Each(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error {
	return q.each(ctx, text, args, rowsTo{row, false})
}

// EachSent is [DB.EachSent]. It returns [ErrMoved] where the rows that it has called row
// with are to be forgotten.
func (q *Reads) EachSent(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error {
	return q.each(ctx, text, args, rowsTo{row, true})
}

// Estimate is [DB.Estimate].
func (q *Reads) Estimate(ctx context.Context, table, text string, args []any) (Estimate, error) {
	if s, h := q.server(ctx, text); s != nil {
		e, err := s.db.Estimate(ctx, table, text, args)
		if err == nil || !deserves(ctx, err) {
			return e, err
		}
		s.failed(h, err)
	}
	return q.db.Estimate(ctx, table, text, args)
}

// server is the replica that answers, nil for the primary.
func (q *Reads) server(ctx context.Context, text string) (*replica, *Horizon) {
	if q.db.replicas == nil || q.db.current(ctx) != nil {
		return nil, nil
	}
	return q.db.replicas.server(ctx, text)
}

func (q *Reads) each(ctx context.Context, text string, args []any, to rowsTo) error {
	s, h := q.server(ctx, text)
	if s == nil {
		return q.db.each(ctx, text, args, to)
	}
	err := s.each(ctx, text, args, to)
	var own *rowError
	switch {
	case err == nil:
		s.reads.Add(1)
		return nil
	case errors.As(err, &own):
		return own.err
	case !deserves(ctx, err):
		return err
	}
	s.failed(h, err)
	if errors.Is(err, ErrMoved) {
		return err
	}
	return q.db.each(ctx, text, args, to)
}

// rowError is an error of the function that takes the rows.
type rowError struct{ err error }

// Error implements error.
func (r *rowError) Error() string { return r.err.Error() }

// each runs the statement on the replica. Rows that are not taken as they are sent are
// few, and are kept until all have come: their caller need not know of [ErrMoved].
func (s *replica) each(ctx context.Context, text string, args []any, to rowsTo) error {
	began := false
	hand := func(values []driver.Value) error {
		began = true
		if err := to.row(values); err != nil {
			return &rowError{err}
		}
		return nil
	}
	if to.sent {
		err := s.db.each(ctx, text, args, rowsTo{hand, true})
		if err != nil && began {
			return fmt.Errorf("%w: %w", ErrMoved, err)
		}
		return err
	}
	var all [][]driver.Value
	err := s.db.each(ctx, text, args, rowsTo{func(values []driver.Value) error {
		all = append(all, kept(values))
		return nil
	}, false})
	for _, values := range all {
		if err == nil {
			err = hand(values)
		}
	}
	return err
}

// kept returns values that outlive their row.
func kept(values []driver.Value) []driver.Value {
	values = slices.Clone(values)
	for i, v := range values {
		if text, ok := v.([]byte); ok {
			values[i] = slices.Clone(text)
		}
	}
	return values
}
