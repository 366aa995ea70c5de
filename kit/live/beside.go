package live

import (
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// Beside are rows that no table has, such as those who look at a row: a list of them is
// followed as others are. Reading the source decides whether the caller can see them:
// where that fails with [problem.NotFound] or [problem.Forbidden] the list ends.
type Beside struct {
	// Rows returns the rows of now. It does not wait.
	Rows func() []read.Row
	// Listen calls changed each time that they are others, until stop is called.
	Listen func(changed func()) (stop func())
}

// beside has the list show the rows of now, without a reading.
func (l *list) beside() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.window != nil && !l.final { // else the reading shows them
		l.take(l.read, read.Window{Rows: l.source.Beside.Rows(), Total: -1})
	}
}

// refused reports whether the error ends a list of rows that no table has.
func (s *Source) refused(err error) bool {
	kind := problem.KindOf(err)
	return s.Beside != nil && (kind == problem.NotFound || kind == problem.Forbidden || kind == problem.Unauthenticated)
}
