package search

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// Digest identifies a search: a cursor belongs to one.
func Digest(text string, entities []*entity.Entity) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	for _, e := range entities {
		_, _ = h.Write([]byte("\x00" + e.Path))
	}
	return h.Sum32()
}

// Cursor is the place behind so many hits of the search.
func Cursor(offset int, digest uint32) string {
	return base64.RawURLEncoding.EncodeToString(binary.AppendUvarint(binary.BigEndian.AppendUint32(nil, digest), uint64(offset)))
}

// DecodeCursor returns how many hits are before the place. It fails where the
// cursor is not of this search.
func DecodeCursor(cursor string, digest uint32) (offset int, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < 5 || binary.BigEndian.Uint32(raw) != digest {
		return 0, read.ErrCursor
	}
	n, size := binary.Uvarint(raw[4:])
	if size != len(raw)-4 || n > read.MaxOffset {
		return 0, read.ErrCursor
	}
	return int(n), nil
}
