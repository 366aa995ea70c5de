package read

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
)

// A cursor is opaque to clients: base64url of a version, a digest of the
// listing (entity, order, filters, and the row that it belongs to), and the
// values of the row it stands at.
const cursorVersion = 1

// backwardVersion is the version of a cursor that asks for the page before it.
const backwardVersion = 2

// maxCursor bounds what is decoded: the longest text that can be sorted by,
// several times over.
const maxCursor = 8 << 10

const (
	tagNull byte = iota
	tagInt
	tagFloat
	tagText
	tagTrue
	tagFalse
)

// digest identifies a listing: FNV-1a over the entity, the order and the filter.
type digest uint64

func (d digest) text(s string) digest {
	for i := range len(s) {
		d = (d ^ digest(s[i])) * 1099511628211
	}
	return (d ^ 0xff) * 1099511628211
}

func listingDigest(e *entity.Entity, terms []entity.Term, text []byte, args []any) digest {
	d := digest(14695981039346656037).text(e.Name)
	for _, t := range terms {
		d = d.term(t, t.Field.Name)
	}
	d = d.text(string(text))
	for _, arg := range args {
		d = d.text(fmt.Sprint(arg))
	}
	return d
}

// of is the digest of the listing that belongs to one row: the end of an edge.
func (d digest) of(parent gid.ID) digest { return d.text(parent.String()) }

// digestOf is the digest of the listing that a row of the set is in.
func (s *set) digestOf(row int) digest {
	if s.edge == nil {
		return s.digest
	}
	return s.digest.of(s.key(row))
}

// appendCursor appends the cursor of a row.
func appendCursor(dst []byte, s *set, row int) []byte {
	return appendCursorAs(dst, cursorVersion, s, row)
}

func appendCursorAs(dst []byte, version byte, s *set, row int) []byte {
	raw := make([]byte, 0, 64)
	raw = append(raw, version)
	raw = binary.LittleEndian.AppendUint32(raw, uint32(s.digestOf(row)))
	if byNow(s.terms) { // the pages that follow are of the same time
		raw = binary.AppendVarint(raw, s.now.UnixMicro())
	}
	for i, t := range s.terms {
		c := s.cell(row, s.sorted[i])
		switch held := t.Field.Kind.Form().Held; {
		case c.null:
			raw = append(raw, tagNull)
		case held == entity.Decimal:
			raw = binary.LittleEndian.AppendUint64(append(raw, tagFloat), uint64(c.n))
		case held == entity.Flag && c.n != 0:
			raw = append(raw, tagTrue)
		case held == entity.Flag:
			raw = append(raw, tagFalse)
		case held == entity.Text:
			text := s.text(c)
			raw = binary.AppendUvarint(append(raw, tagText), uint64(len(text)))
			raw = append(raw, text...)
		default:
			raw = binary.AppendVarint(append(raw, tagInt), c.n)
		}
	}
	return base64.RawURLEncoding.AppendEncode(dst, raw)
}

// AsksBackward reports whether the cursor asks for the page before it.
func AsksBackward(cursor string) bool {
	const start = 2 // digits of base64, which hold the first byte
	raw, err := base64.RawURLEncoding.DecodeString(cursor[:min(start, len(cursor))])
	return err == nil && len(raw) > 0 && raw[0] == backwardVersion
}

// isText reports whether values of the kind are read as text.
func isText(k entity.Kind) bool { return k.Form().Held == entity.Text }

// decodeCursor returns the values of the row that the cursor stands at. A
// cursor of another listing is [ErrCursor].
func decodeCursor(cursor string, d digest, terms []entity.Term) ([]any, error) {
	if len(cursor) > maxCursor {
		return nil, ErrCursor
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < 5 || raw[0] != cursorVersion && raw[0] != backwardVersion || binary.LittleEndian.Uint32(raw[1:]) != uint32(d) {
		return nil, ErrCursor
	}
	raw = raw[5:]
	if byNow(terms) {
		_, size := binary.Varint(raw)
		if size <= 0 {
			return nil, ErrCursor
		}
		raw = raw[size:]
	}
	values := make([]any, len(terms))
	for i, t := range terms {
		if values[i], raw, err = decodeValue(raw, t.Field); err != nil {
			return nil, err
		}
	}
	if len(raw) > 0 {
		return nil, ErrCursor
	}
	return values, nil
}

// cursorMoment is the time that a cursor of an order which depends on it holds,
// and otherwise where it holds none.
func cursorMoment(cursor string, otherwise time.Time) time.Time {
	raw, err := base64.RawURLEncoding.DecodeString(cursor[:min(len(cursor), maxCursor)])
	if err != nil || len(raw) < 5 {
		return otherwise
	}
	micros, size := binary.Varint(raw[5:])
	if size <= 0 || micros < entity.Earliest || micros > entity.Latest {
		return otherwise
	}
	return time.UnixMicro(micros).UTC()
}

// decodeCursor returns the values of the row that a cursor of the set's listing
// stands at: of each of its pages, where each parent has one.
func (s *set) decodeCursor(cursor string) (values []any, err error) {
	if values, err = s.decodeAs(cursor, s.digest); err != nil && s.before != 0 {
		return s.decodeAs(cursor, s.before)
	}
	return values, err
}

func (s *set) decodeAs(cursor string, d digest) (values []any, err error) {
	if s.edge == nil {
		return decodeCursor(cursor, d, s.terms)
	}
	for _, parent := range s.parents {
		if values, err = decodeCursor(cursor, d.of(parent), s.terms); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// belong ties the set's cursors to the edge and to the parents: the place in
// what belongs to one row is none in what belongs to another.
func (s *set) belong(from *entity.Entity, e *entity.Edge, parents []gid.ID) {
	s.edge, s.parents = e, parents
	before := s.before
	if before == 0 {
		before = s.digest
	}
	s.digest = s.digest.text(from.Name).text(e.Name)
	if s.before != 0 || from.Was != "" || e.Old != nil {
		s.before = before.text(entityWas(from)).text(edgeWas(e))
	}
}

func decodeValue(raw []byte, f *entity.Field) (value any, rest []byte, err error) {
	if len(raw) == 0 {
		return nil, nil, ErrCursor
	}
	tag, raw := raw[0], raw[1:]
	switch held := f.Kind.Form().Held; {
	case tag == tagNull && f.Nullable:
		return nil, raw, nil
	case tag == tagFloat && held == entity.Decimal && len(raw) >= 8:
		number := math.Float64frombits(binary.LittleEndian.Uint64(raw))
		return number, raw[8:], nil
	case (tag == tagTrue || tag == tagFalse) && held == entity.Flag:
		return tag == tagTrue, raw, nil
	case tag == tagText && held == entity.Text:
		n, size := binary.Uvarint(raw)
		if size <= 0 || n > uint64(len(raw)-size) {
			return nil, nil, ErrCursor
		}
		end := size + int(n)
		text := f.Value(string(raw[size:end]))
		if !entity.ValidText(text) {
			return nil, nil, ErrCursor
		}
		return text, raw[end:], nil
	case tag == tagInt && (held == entity.Whole || held == entity.Moment):
		n, size := binary.Varint(raw)
		if size <= 0 {
			return nil, nil, ErrCursor
		}
		if held == entity.Moment {
			if n < entity.Earliest || n > entity.Latest {
				return nil, nil, ErrCursor
			}
			return time.UnixMicro(n).UTC(), raw[size:], nil
		}
		return n, raw[size:], nil
	}
	return nil, nil, ErrCursor
}
