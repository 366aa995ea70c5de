package store

import (
	"context"
	"slices"
	"sync"
)

// Log records the statements that are run for a context, so that a test can
// count them. The zero value is ready for use.
type Log struct {
	mu         sync.Mutex
	statements []string
	control    []string
}

type logKey struct{}

// WithStatementLog returns a context whose statements are recorded in l.
func WithStatementLog(ctx context.Context, l *Log) context.Context {
	return context.WithValue(ctx, logKey{}, l)
}

func logFrom(ctx context.Context) *Log {
	l, _ := ctx.Value(logKey{}).(*Log)
	return l
}

// Statements returns the texts of the statements, in order, without those
// that only control a transaction.
func (l *Log) Statements() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.statements)
}

// Control returns the statements that control a transaction: BEGIN, COMMIT,
// ROLLBACK, SAVEPOINT and RELEASE.
func (l *Log) Control() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.control)
}

// Reset empties the log.
func (l *Log) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statements, l.control = nil, nil
}

func (l *Log) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch verb(text) {
	case "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE":
		l.control = append(l.control, text)
	default:
		l.statements = append(l.statements, text)
	}
}
