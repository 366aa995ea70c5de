package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// mostProfile is how many bytes of an ICC profile are kept: printers have the largest,
// of about a megabyte.
const mostProfile = 4 << 20

// profile returns an ICC profile, nil for what does not have the form of one.
func profile(b []byte) []byte {
	if len(b) < 128 || len(b) > mostProfile || string(b[36:40]) != "acsp" || binary.BigEndian.Uint32(b) != uint32(len(b)) {
		return nil
	}
	return b
}

// inflated reads the profile of a PNG, and no more of it than a profile has.
func inflated(b []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	all, err := io.ReadAll(io.LimitReader(r, mostProfile+1))
	if err != nil {
		return nil
	}
	return profile(all)
}

func deflated(b []byte) []byte {
	var to bytes.Buffer
	w := zlib.NewWriter(&to)
	_, _ = w.Write(b) // a buffer takes all
	_ = w.Close()
	return to.Bytes()
}

// orientation reads the tag of that name from EXIF, a file of TIFF. It is 1, which means
// upright, where there is none.
func orientation(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(b[:2]) {
	case "II":
	case "MM":
		order = binary.BigEndian
	default:
		return 1
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 1
	}
	const tag, size = 0x0112, 12
	entries := b[at+2:]
	for range order.Uint16(b[at:]) {
		if len(entries) < size {
			return 1
		}
		if order.Uint16(entries) == tag {
			if o := int(order.Uint16(entries[8:])); o >= 1 && o <= 8 {
				return o
			}
			return 1
		}
		entries = entries[size:]
	}
	return 1
}
