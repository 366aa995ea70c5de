package live

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
)

// A position is which rows a follower has, in their order, and a hash of each: 9 bytes
// or so a row. So no process has to remember a follower that went away, whatever
// becomes of the list meanwhile, and a position does not expire. It is good for lists
// of one form. A client that makes one up learns what became of rows that it does
// not have, and no more than the list would show.

const positionVersion = 1

// hashed is how much of a row's hash a position has: two forms of a row are taken to
// be one once in 2^48 times.
const hashed = 6

func positionOf(rows []*Row, form string) string {
	b := binary.LittleEndian.AppendUint32([]byte{positionVersion}, digest(form))
	last := int64(0)
	for _, row := range rows {
		if row.ID.IsText() {
			text := row.ID.String()
			b = append(binary.AppendUvarint(append(b, 1), uint64(len(text))), text...)
		} else {
			b = binary.AppendVarint(append(b, 0), row.ID.Int()-last)
			last = row.ID.Int()
		}
		b = append(b, binary.LittleEndian.AppendUint64(nil, row.hash)[:hashed]...)
	}
	b = binary.LittleEndian.AppendUint32(b, digest(string(b)))
	return base64.RawURLEncoding.EncodeToString(b)
}

// parsePosition returns the rows of the position, and false for what is no position of
// a list of the form.
func parsePosition(text, form string) (rows []*Row, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < 9 || b[0] != positionVersion {
		return nil, false
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if digest(string(body)) != sum || binary.LittleEndian.Uint32(body[1:5]) != digest(form) {
		return nil, false
	}
	rest, last := body[5:], int64(0)
	seen := map[gid.ID]bool{}
	for len(rest) > 0 {
		row, left := parseRow(rest, &last)
		if row == nil || seen[row.ID] || len(rows) == read.MaxLimit {
			return nil, false
		}
		seen[row.ID] = true
		rows, rest = append(rows, row), left
	}
	return rows, true
}

// parseRow reads the first row, nil where there is none.
func parseRow(b []byte, last *int64) (*Row, []byte) {
	row := &Row{}
	switch kind := b[0]; kind {
	case 0:
		delta, n := binary.Varint(b[1:])
		if n <= 0 {
			return nil, nil
		}
		*last += delta
		row.ID, b = gid.Int(*last), b[1+n:]
	case 1:
		length, n := binary.Uvarint(b[1:])
		if n <= 0 || length == 0 || length > uint64(len(b)-1-n) {
			return nil, nil
		}
		row.ID, b = gid.Text(string(b[1+n:1+n+int(length)])), b[1+n+int(length):]
	default:
		return nil, nil
	}
	if len(b) < hashed {
		return nil, nil
	}
	var eight [8]byte
	copy(eight[:], b[:hashed])
	row.hash = binary.LittleEndian.Uint64(eight[:])
	return row, b[hashed:]
}

func digest(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return h.Sum32()
}

// hashOf is a hash of what is shown of a row, of which positions have all.
func hashOf(views []read.View) uint64 {
	h := fnv.New64a()
	for _, v := range views {
		_, _ = h.Write(v.JSON)
		_, _ = h.Write([]byte{0})
	}
	sum := h.Sum64()
	return (sum ^ sum>>(8*hashed)) & (1<<(8*hashed) - 1)
}
