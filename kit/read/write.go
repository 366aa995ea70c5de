package read

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/money"
)

// writer appends rows as JSON and collects what could not be shown.
type writer struct {
	path   []step
	errors []PathError
	// pending are the places where something is written later.
	pending []pending
	// members counts the members of all objects that were written.
	members int
}

// step is one step of a path: a key, or an index where there is no key.
type step struct {
	key   string
	index int
}

func (s step) value() any {
	if s.key == "" {
		return s.index
	}
	return s.key
}

func (w *writer) fail(err error, more ...step) {
	steps := slices.Concat(w.path, more)
	path := make([]any, len(steps))
	for i, s := range steps {
		path[i] = s.value()
	}
	w.errors = append(w.errors, PathError{Path: path, Err: err})
}

// name is the member's name without its quotes and colon.
func (it *item) name() string { return it.key[1 : len(it.key)-2] }

// object appends the row as a JSON object. It reports false, and appends
// nothing, where a member that may not be null is.
func (w *writer) object(dst []byte, s *set, row int, sel *Selection) ([]byte, bool) {
	start, pendings := len(dst), len(w.pending)
	dst = append(dst, '{')
	w.members += len(sel.items)
	whole := true
	for i := range sel.items {
		it := &sel.items[i]
		switch it.kind {
		case itemDeferred:
			w.later(pending{Deferred: it.deferred, set: s, row: row})
			continue
		case itemCuts:
			dst = appendCuts(dst, s, row, sel)
			continue
		}
		hidden := it.guard > 0 && s.cell(row, it.guard-1).n == 0
		if hidden && it.denied == nil {
			continue
		}
		if len(dst) > start+1 {
			dst = append(dst, ',')
		}
		dst = append(dst, it.key...)
		if hidden {
			dst, whole = w.deny(dst, it), whole && !it.strict
			continue
		}
		var ok bool
		if dst, ok = w.member(dst, s, row, sel, it); !ok && it.strict {
			whole = false
		}
	}
	if !whole {
		w.pending = w.pending[:pendings] // nothing is left to add to
		return dst[:start], false
	}
	return append(dst, '}'), true
}

// member appends the value of one member, null where it reports false.
func (w *writer) member(dst []byte, s *set, row int, sel *Selection, it *item) ([]byte, bool) {
	switch it.kind {
	case itemRaw:
		return append(dst, it.raw...), true
	case itemDenied:
		return w.deny(dst, it), false
	case itemObjects:
		return s.appendObjects(dst, row, sel, it), true
	case itemField:
		turn := it.turn
		if it.href {
			turn = sel.paths().shown(sel.columns[it.column].Field)
		}
		if turn != nil {
			return turn(dst, s.appendField(nil, row, it.column, sel)), true
		}
		return s.appendField(dst, row, it.column, sel), true
	}
	g := &s.groups[it.load.position]
	w.path = append(w.path, step{key: it.name()})
	defer func() { w.path = w.path[:len(w.path)-1] }()
	if g.err != nil {
		w.fail(it.shape.place(g.err))
		return append(dst, "null"...), false
	}
	if it.kind == itemMany {
		if it.shape != nil {
			return w.connection(dst, g.page(row, s.id(row)), it.shape.Parts), true
		}
		return w.list(dst, g.page(row, s.id(row)), g.set.selection), true
	}
	at := g.spans[row]
	if at.n == 0 {
		if it.strict {
			w.fail(NotFound(it.load.edge.To))
		}
		return append(dst, "null"...), !it.strict
	}
	dst, ok := w.object(dst, g.set, int(at.start), g.set.selection)
	if !ok {
		return append(dst, "null"...), false
	}
	return dst, true
}

// deny appends null for what the viewer may not see.
func (w *writer) deny(dst []byte, it *item) []byte {
	w.fail(it.denied, step{key: it.name()})
	return append(dst, "null"...)
}

// list appends the rows of a page as a JSON array, and null instead where one
// of them cannot be shown whole.
func (w *writer) list(dst []byte, p page, sel *Selection) []byte {
	start, pendings, whole := len(dst), len(w.pending), true
	dst = append(dst, '[')
	for i := range p.n {
		if i > 0 {
			dst = append(dst, ',')
		}
		var ok bool
		dst, ok = w.element(dst, p, i, sel)
		whole = whole && ok
	}
	if !whole {
		w.pending = w.pending[:pendings]
		return append(dst[:start], "null"...)
	}
	return append(dst, ']')
}

// element appends one row of a list, null where it reports false.
func (w *writer) element(dst []byte, p page, i int, sel *Selection) ([]byte, bool) {
	w.path = append(w.path, step{index: i})
	dst, ok := w.shown(dst, &p, i, sel)
	w.path = w.path[:len(w.path)-1]
	if !ok {
		return append(dst, "null"...), false
	}
	return dst, true
}

// appendField appends the value of a column.
func (s *set) appendField(dst []byte, row, column int, sel *Selection) []byte {
	c := s.cell(row, column)
	if c.null {
		return append(dst, "null"...)
	}
	f := s.columns[column]
	switch f.Kind {
	case entity.ID:
		return appendID(dst, sel.global, sel.Entity.Name, c.n)
	case entity.Ref:
		return appendID(dst, sel.global, f.Ref, c.n)
	case entity.TextID, entity.UUIDID:
		return appendTextID(dst, sel.global, sel.Entity.Name, s.text(c))
	case entity.TextRef, entity.UUIDRef:
		return appendTextID(dst, sel.global, f.Ref, s.text(c))
	case entity.Int:
		return strconv.AppendInt(dst, c.n, 10)
	case entity.Float:
		return appendFloat(dst, math.Float64frombits(uint64(c.n)))
	case entity.Bool:
		return strconv.AppendBool(dst, c.n != 0)
	case entity.Time:
		return appendTime(dst, c.n)
	case entity.Money:
		return money.Append(dst, c.n, string(s.text(s.cell(row, s.position(f.Currency)))))
	case entity.Bytes:
		dst = base64.StdEncoding.AppendEncode(append(dst, '"'), s.text(c))
		return append(dst, '"')
	case entity.JSON, entity.Strings:
		return appendJSON(dst, s.text(c))
	}
	if f.Render != nil {
		return appendText(dst, f.Render(nil, s.text(c)))
	}
	return appendText(dst, s.text(c))
}

// appendJSON appends a text of JSON without the blanks between its tokens, which
// PostgreSQL's jsonb has and SQLite's columns have not: a cell of CSV shows them.
func appendJSON(dst, text []byte) []byte {
	quoted, kept := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && c <= ' ':
			dst = append(dst, text[kept:i]...)
			kept = i + 1
		}
	}
	return append(dst, text[kept:]...)
}

func appendID(dst []byte, global bool, typ string, id int64) []byte {
	if !global {
		return strconv.AppendInt(dst, id, 10)
	}
	dst = append(dst, '"')
	dst = gid.Append(dst, typ, id)
	return append(dst, '"')
}

func appendTextID(dst []byte, global bool, typ string, id []byte) []byte {
	if !global {
		return appendText(dst, id)
	}
	dst = append(dst, '"')
	dst = gid.AppendText(dst, typ, id)
	return append(dst, '"')
}

// appendFloat writes a number as encoding/json does.
func appendFloat(dst []byte, f float64) []byte {
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, 64)
}

// appendTime writes RFC 3339 in UTC, with as many digits of the fraction as it needs.
func appendTime(dst []byte, micros int64) []byte {
	dst = append(dst, '"')
	dst = time.UnixMicro(micros).UTC().AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"')
}

const hex = "0123456789abcdef"

// appendText writes a JSON string.
func appendText[T []byte | string](dst []byte, text T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			i++ // the databases hold valid UTF-8 only
			continue
		}
		dst = append(dst, text[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}
