package trial

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
)

// Log is a buffer that several goroutines write to.
type Log struct {
	mu   sync.Mutex
	b    bytes.Buffer
	more chan struct{} // closed by the next write; nil while no test waits
}

// Wait returns when the text has been written.
func (l *Log) Wait(t *testing.T, text string) {
	t.Helper()
	ctx := programtest.Within(t, programtest.Usual)
	for {
		l.mu.Lock()
		found := strings.Contains(l.b.String(), text)
		if l.more == nil {
			l.more = make(chan struct{})
		}
		more := l.more
		l.mu.Unlock()
		if found {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Fatalf("%q was not written: %v\n%s", text, context.Cause(ctx), l)
		}
	}
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return l.b.Write(p)
}

// String returns what was written.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
