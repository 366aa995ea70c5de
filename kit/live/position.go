package live

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A position is which rows a follower has, in their order, and a hash of each: 9 bytes
// or so a row. So no process has to remember a follower that went away, whatever
// becomes of the list meanwhile, and a position does not expire.
//
// It is signed, for one list and one caller: a changed position, and one of another
// list or of another caller, is invalid.

const positionVersion = 2

const (
	// hashed is how much of a row's hash a position has: two forms of a row are taken
	// to be one once in 2^48 times.
	hashed = 6
	// macLen is how much of the MAC it has.
	macLen = 16
)

// place is where a position is good.
type place struct {
	key  []byte
	form string // of the list
	who  string // the caller, whatever their rights are
}

// identity names the caller of a place: a caller with another role than before goes on.
func identity(v *viewer.Viewer) string { return fmt.Sprintf("%d %d %s", v.UserID, v.KeyID, v.Client) }

func (p place) mac(body []byte) []byte {
	m := hmac.New(sha256.New, p.key)
	_, _ = fmt.Fprintf(m, "%d %d %s%s", len(p.form), len(p.who), p.form, p.who)
	_, _ = m.Write(body)
	return m.Sum(nil)[:macLen]
}

// position is that of a follower who has the rows.
func (p place) position(rows []*Row) string {
	b := []byte{positionVersion}
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
	return base64.RawURLEncoding.EncodeToString(append(b, p.mac(b)...))
}

// parse returns the rows of the position, and false for what is no position here.
func (p place) parse(text string) (rows []*Row, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) <= macLen || b[0] != positionVersion {
		return nil, false
	}
	body, mac := b[:len(b)-macLen], b[len(b)-macLen:]
	if !hmac.Equal(mac, p.mac(body)) {
		return nil, false
	}
	rest, last := body[1:], int64(0)
	for len(rest) > 0 {
		row, left := parseRow(rest, &last)
		if row == nil || len(rows) == read.MaxLimit {
			return nil, false
		}
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
