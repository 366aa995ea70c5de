package events

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// token is where a program that follows changes has come to.
type token struct {
	// rights is a digest of the rule and of the fields that the caller reads by. A row
	// that another rule hides or shows has not changed, so that no feed lists it.
	rights uint64
	// at is when the token was made, and last the change that was read last, which
	// happened at lastAt: the zero place for none.
	at, lastAt time.Time
	last       place
	window     window
}

const tokenVersion = 1

var errNoToken = errors.New("no token of this service")

// String is the token's text, which clients keep.
func (t *token) String() string {
	b := []byte{tokenVersion}
	b = binary.LittleEndian.AppendUint64(b, t.rights)
	for _, n := range []int64{t.at.Unix(), t.lastAt.UnixMicro(), t.last.xid, t.last.id, t.window.at.xid, t.window.at.id} {
		b = binary.AppendVarint(b, n)
	}
	b = appendSnapshot(b, t.window.from)
	if t.window.to != nil {
		b = appendSnapshot(b, *t.window.to)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// appendSnapshot writes what is running as distances, which are small.
func appendSnapshot(b []byte, s snapshot) []byte {
	for _, n := range []int64{s.last, s.xmax, s.xmax - s.xmin, int64(len(s.running))} {
		b = binary.AppendVarint(b, n)
	}
	for _, xid := range s.running {
		b = binary.AppendVarint(b, s.xmax-xid)
	}
	return b
}

// parseToken reads what [token.String] has written.
func parseToken(text string) (t token, err error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < 9 || b[0] != tokenVersion {
		return t, errNoToken
	}
	r := numbers{rest: b[9:]}
	t.rights = binary.LittleEndian.Uint64(b[1:9])
	t.at, t.lastAt = time.Unix(r.next(), 0), time.UnixMicro(r.next())
	t.last = place{xid: r.next(), id: r.next()}
	t.window.at = place{xid: r.next(), id: r.next()}
	t.window.from = r.snapshot()
	if len(r.rest) > 0 {
		to := r.snapshot()
		t.window.to = &to
	}
	if r.bad || len(r.rest) > 0 {
		return t, errNoToken
	}
	return t, nil
}

// numbers reads varints.
type numbers struct {
	rest []byte
	bad  bool
}

func (r *numbers) next() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *numbers) snapshot() (s snapshot) {
	s.last, s.xmax = r.next(), r.next()
	s.xmin = s.xmax - r.next()
	n := r.next()
	if n < 0 || n > int64(len(r.rest)) { // each has a byte at least
		r.bad = true
		return s
	}
	for range n {
		s.running = append(s.running, s.xmax-r.next())
	}
	return s
}
