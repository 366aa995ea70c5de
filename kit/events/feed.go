package events

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Kept is for how long changes are kept, and tokens hold.
const Kept = 7 * 24 * time.Hour

// Feed lists the changes of rows for programs that keep copies of them, from the
// changes that the database has noted (expose.Resource.Changes).
//
// The promise: a program that lists the rows after its first call, and then asks with
// the token of the call before each time, comes to have the rows that its caller reads.
// Each write that is committed is in the answer of exactly one call, whatever other
// transactions run and however long they take. Rows that the caller can't read, and
// could not before, leave no trace.
//
// A call reads at most [mostLooks] times a page of changes, by an index, and the rows
// of each.
type Feed struct {
	// DB is the database that the changes are in.
	DB *store.DB
	// Now is the time: time.Now if it is nil.
	Now func() time.Time
}

// Kind is a kind of change of a row.
type Kind string

// The kinds of change, from the reader's point of view.
const (
	Created Kind = "created" // the row is new, was restored, or can be read now
	Changed Kind = "changed"
	Deleted Kind = "deleted"
	Gone    Kind = "gone" // the row is there, and can't be read any more
)

// RowChange is the change of a row since the token.
type RowChange struct {
	// ID is the row's.
	ID gid.ID
	// Kind is the kind of the change.
	Kind Kind
	// At is when it was written, in UTC.
	At time.Time
	// Row is the current row, nil where it was deleted or is gone.
	Row json.RawMessage
}

// News is an answer to a call.
type News struct {
	// Changes are in the order in which they were committed, one for each row: what
	// happened to a row more than once stands where it happened last.
	Changes []RowChange
	// Token is for the next call.
	Token string
	// More says that the page is full, so that there may be more already.
	More bool
}

// Rows reads the rows with the ids that its viewer can read, in the order of the ids,
// and has nil for others.
type Rows func(ctx context.Context, ids []gid.ID) ([]json.RawMessage, error)

// mostLooks bounds the statements of a call whose pages are full of what its caller
// can't read.
const mostLooks = 20

// Since returns what became of the entity's rows since the token, limit changes at
// most, as the viewer of the context may know. Without a token it returns one, and no
// changes. The error is of kind [problem.Invalid] for an invalid token, and
// [problem.Outdated] for one that is too old: the caller lists all rows anew.
func (f *Feed) Since(ctx context.Context, e *entity.Entity, since string, limit int, rows Rows) (n News, err error) {
	v := viewer.From(ctx)
	rule := e.Rules.Readable(v, false)
	if rule.Never() {
		return n, rule.Denied(v)
	}
	l := looks{Feed: f, entity: e, rule: rule, rows: rows, limit: limit, at: map[gid.ID]int{}, past: map[gid.ID]past{}}
	l.token.rights = rightsOf(e, v, rule)
	if since == "" {
		if l.token.window.from, err = snapshotOf(ctx, f.DB, lookings.On(f.DB.Dialect).now); err != nil {
			return n, err
		}
	} else if err := l.begin(since); err != nil {
		return n, err
	} else if err := l.read(ctx); err != nil {
		return n, err
	}
	l.token.at = f.now()
	n.Token, n.More = l.token.String(), l.count >= limit
	for _, change := range l.found {
		if change.Kind != "" {
			n.Changes = append(n.Changes, change)
		}
	}
	return n, nil
}

func (f *Feed) now() time.Time {
	if f.Now != nil {
		return f.Now()
	}
	return time.Now()
}

// looks is a call in the making.
type looks struct {
	*Feed
	entity *entity.Entity
	rule   policy.Rule
	rows   Rows
	limit  int
	token  token
	found  []RowChange    // those of kind "" have come again later
	at     map[gid.ID]int // where found has a row
	past   map[gid.ID]past
	count  int // of the changes in the answer
}

// begin continues where the token has ended.
func (l *looks) begin(since string) error {
	t, err := parseToken(since)
	if err != nil {
		return problem.Inputs(problem.Invalidf("since", since, "must be a token of an earlier answer: leave it out for the first"))
	}
	switch {
	case t.rights != l.token.rights:
		return outdated("the caller, what the caller may read, or the entity is not that of the token")
	case l.now().Sub(t.at) > Kept:
		return outdated("the token is older than %d days, for which changes are kept", int(Kept.Hours()/24))
	}
	l.token = t
	return nil
}

func outdated(why string, args ...any) error {
	return problem.New(problem.Outdated, "%s: ask without since for a new token, and list the rows anew", fmt.Sprintf(why, args...))
}

// read looks until the page is full, or there are no more changes.
func (l *looks) read(ctx context.Context) error {
	for range mostLooks {
		more, err := l.look(ctx)
		if err != nil || !more || l.count >= l.limit {
			return err
		}
	}
	return nil
}

// look reads the next page of changes, and the rows.
func (l *looks) look(ctx context.Context) (more bool, err error) {
	page := l.limit - l.count
	t := &l.token
	text, args := lookings.On(l.DB.Dialect).next(&t.window, t.last, l.entity.Name, page)
	found, now, err := ask(ctx, l.DB, text, args)
	if err != nil {
		return false, err
	}
	there := t.last == place{} || l.now().Sub(t.lastAt) > Kept
	if len(found) > 0 && t.last != (place{}) && found[0].place == t.last {
		there = there || found[0].At.Equal(t.lastAt)
		found = found[1:]
	}
	if !there || now.counted() < t.window.from.counted() {
		return false, outdated("the database was replaced or restored since")
	}
	more = t.window.read(now, found, page)
	if len(found) == 0 {
		return more, nil
	}
	t.last, t.lastAt = found[len(found)-1].place, found[len(found)-1].At
	return more, l.tell(ctx, found)
}

// tell adds what the viewer may know of the changes.
func (l *looks) tell(ctx context.Context, found []Event) error {
	var ids []gid.ID
	last := map[gid.ID]*Event{}
	for i := range found {
		e := &found[i]
		if last[e.EntityID] == nil {
			ids = append(ids, e.EntityID)
		}
		l.judge(e)
		last[e.EntityID] = e
	}
	rows, err := l.rows(ctx, ids)
	if err != nil {
		return err
	}
	now := make(map[gid.ID]json.RawMessage, len(ids))
	for i, id := range ids {
		now[id] = rows[i]
	}
	for i := range found {
		if e := &found[i]; last[e.EntityID] == e {
			l.add(e, now[e.EntityID])
		}
	}
	return nil
}

// past is whether the viewer could read a row before a change of this call: before the
// first, and before any.
type past struct{ first, any bool }

// judge notes whether the viewer could read the row before the change.
func (l *looks) judge(e *Event) {
	could := false
	if e.Payload != nil {
		before := columns(e.Payload)
		could = l.rule.Matches(func(column string) any { return before[column] })
	}
	p, known := l.past[e.EntityID]
	if !known {
		p.first = could
	}
	p.any = p.any || could
	l.past[e.EntityID] = p
}

// add adds the state of the row. It replaces what an earlier look of the call has found
// of it.
func (l *looks) add(e *Event, row json.RawMessage) {
	if i, again := l.at[e.EntityID]; again {
		l.found[i].Kind = ""
		l.count--
		delete(l.at, e.EntityID)
	}
	p := l.past[e.EntityID]
	c := RowChange{ID: e.EntityID, Kind: Created, At: e.At, Row: row}
	switch {
	case row != nil && p.first:
		c.Kind = Changed
	case row != nil:
	case !p.any:
		return
	case e.Topic == "delete":
		c.Kind = Deleted
	default:
		c.Kind = Gone
	}
	l.at[e.EntityID] = len(l.found)
	l.found = append(l.found, c)
	l.count++
}

// columns are the values of a row as [policy.Rule.Of] takes them: a time is a text, of
// which a rule asks whether it is null.
func columns(text []byte) map[string]any {
	all := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&all) != nil {
		return nil
	}
	for column, value := range all {
		if number, ok := value.(json.Number); ok {
			all[column], _ = number.Int64()
		}
	}
	return all
}

// rightsOf is a digest of what the viewer reads the entity by.
func rightsOf(e *entity.Entity, v *viewer.Viewer, rule policy.Rule) uint64 {
	var w words
	w.WriteString(e.Name + " ")
	rule.Write(&w, "t")
	for _, f := range e.Fields {
		if all, some := f.Sees(v); some {
			w.WriteString(" " + f.Name + strconv.FormatBool(all))
		}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(w.String()))
	return h.Sum64()
}

// words is a predicate as one text with its arguments.
type words struct{ strings.Builder }

func (w *words) WriteString(text string) { _, _ = w.Builder.WriteString(text) }
func (w *words) Arg(value any)           { fmt.Fprintf(&w.Builder, "(%v)", value) }
