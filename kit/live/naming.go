package live

import (
	"context"
	"database/sql/driver"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/read"
)

// naming is a database that notes which tables its statements name: the result of
// a reading depends on these and on nothing else, but for the time.
type naming struct {
	read.Querier
	began time.Time
	heard heard

	mu     sync.Mutex
	tables map[string]mention
	// statements counts those of the reading.
	statements int
	// unheard is set where something is named that changes unheard.
	unheard bool
}

// mention is how often a table is named: in how many statements, and in one at the most.
type mention struct{ statements, most int }

// again begins another reading.
func (n *naming) again() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tables, n.statements = map[string]mention{}, 0
}

// Each implements [read.Querier], as the others do.
func (n *naming) Each(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error {
	n.note(text, args)
	return n.Querier.Each(ctx, text, args, row)
}

// EachSent is described with Each.
func (n *naming) EachSent(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error {
	n.note(text, args)
	return n.Querier.EachSent(ctx, text, args, row)
}

// note notes the tables that the text names: each word of it that a table is called by,
// so that none is missed, and perhaps one more.
func (n *naming) note(text string, args []any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.statements++
	named := map[string]int{}
	defer func() {
		for table, times := range named {
			m := n.tables[table]
			n.tables[table] = mention{m.statements + 1, max(m.most, times)}
		}
	}()
	for word := range words(text) {
		switch announces, table := n.heard.tables[word]; {
		case table && announces:
			named[word]++
		case table || word == "now" || word == "current_timestamp" || word == "current_date" || word == "random":
			n.unheard = true
		}
	}
	for _, arg := range args {
		if t, ok := arg.(time.Time); ok && !t.Before(n.began.Truncate(time.Microsecond)) {
			n.unheard = n.unheard || t.Before(time.Now().Add(time.Second))
		}
	}
}

// words are the words of a statement, in lower case. Of texts in quotes that is "now"
// alone, the time of SQLite.
func words(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		quoted := false
		for part := range strings.SplitSeq(text, "'") {
			if quoted && part != "now" {
				part = ""
			}
			for word := range strings.FieldsFuncSeq(part, notOfWord) {
				if !yield(strings.ToLower(word)) {
					return
				}
			}
			quoted = !quoted
		}
	}
}

func notOfWord(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
}
