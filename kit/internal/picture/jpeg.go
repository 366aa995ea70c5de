package picture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// mostScans bounds how often a progressive JPEG goes over its pixels: encoders write
// about ten. Without a bound a small file could keep a decoder busy for minutes.
const mostScans = 64

// Markers of JPEG (ITU T.81, table B.1).
const (
	sof0, sof1, sof2 = 0xC0, 0xC1, 0xC2
	dht              = 0xC4
	soi, eoi, sos    = 0xD8, 0xD9, 0xDA
	dqt, dri         = 0xDB, 0xDD
	app0, app1, app2 = 0xE0, 0xE1, 0xE2
	app14, app15     = 0xEE, 0xEF
	comment          = 0xFE
)

// jfif begins a segment that says which pixels are square. It is written without the
// preview that it can have.
var jfif = []byte("JFIF\x00")

// jpeg copies the segments that a decoder needs.
func (p *Picture) jpeg(b []byte) error {
	if len(b) < 2 || b[0] != 0xFF || b[1] != soi {
		return wrong("it does not begin as a JPEG does")
	}
	r := &jpegReader{picture: p, from: b[2:]}
	for {
		marker, err := r.marker()
		if err != nil {
			return err
		}
		if marker == eoi {
			return r.end()
		}
		if marker < sof0 || marker >= 0xD0 && marker <= 0xD7 {
			continue // nothing, or a marker without a segment
		}
		if len(r.from) < 2 {
			return errEarly
		}
		n := int(binary.BigEndian.Uint16(r.from))
		if n < 2 || len(r.from) < n {
			return errEarly
		}
		data := r.from[2:n]
		r.from = r.from[n:]
		if err := r.add(marker, data); err != nil {
			return err
		}
	}
}

// jpegReader copies segments of what is left of a file.
type jpegReader struct {
	picture *Picture
	from    []byte
	// head is the segment that comes first, and rest are those after the profile.
	head, rest []byte
	profile    icc
	scans      int
}

// marker reads the next marker, and passes over what precedes it, as decoders do.
func (r *jpegReader) marker() (byte, error) {
	i := bytes.IndexByte(r.from, 0xFF)
	if i < 0 {
		return 0, errEarly
	}
	for i < len(r.from) && r.from[i] == 0xFF {
		i++
	}
	if i == len(r.from) {
		return 0, errEarly
	}
	marker := r.from[i]
	r.from = r.from[i+1:]
	return marker, nil
}

// add keeps a segment, or leaves it out.
func (r *jpegReader) add(marker byte, data []byte) error {
	switch marker {
	case sof0, sof1, sof2:
		if r.picture.Width != 0 {
			return wrong("it has two headers")
		}
		r.rest = segment(r.rest, marker, data)
		return r.picture.frame(data, marker == sof2)
	case dht, dqt, dri:
		r.rest = segment(r.rest, marker, data)
	case sos:
		if r.scans++; r.scans > mostScans {
			return wrong("it has more than %d scans", mostScans)
		}
		n := entropy(r.from)
		r.rest = append(segment(r.rest, marker, data), r.from[:n]...)
		r.from = r.from[n:]
	case app0:
		if bytes.HasPrefix(data, jfif) && len(data) >= 14 && r.head == nil {
			r.head = segment(nil, app0, append(slices.Clone(data[:12]), 0, 0))
		}
	case app1:
		if exif, ok := bytes.CutPrefix(data, []byte("Exif\x00")); ok && len(exif) > 0 {
			r.picture.orientation = orientation(exif[1:])
		}
	case app2:
		r.profile.add(data)
	case app14:
		if bytes.HasPrefix(data, []byte("Adobe")) && len(data) >= 12 { // how its colours are coded
			r.rest = segment(r.rest, marker, data[:12])
		}
	default:
		if marker != comment && (marker < app0 || marker > app15) {
			return wrong("it is a kind of JPEG that browsers do not show")
		}
	}
	return nil
}

// end puts the file together.
func (r *jpegReader) end() error {
	p := r.picture
	if p.Width == 0 || r.scans == 0 {
		return wrong("it has no pixels")
	}
	p.profile = r.profile.whole()
	p.clean = slices.Concat([]byte{0xFF, soi}, r.head, segments(p.profile), r.rest, []byte{0xFF, eoi})
	return nil
}

// frame reads the header of the pixels.
func (p *Picture) frame(data []byte, progressive bool) error {
	if len(data) < 6 || len(data) < 6+3*int(data[5]) {
		return errEarly
	}
	height, width, n := int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:])), int(data[5])
	if n != 1 && n != 3 && n != 4 {
		return wrong("it has %d components", n)
	}
	var samples, h, v int
	for i := range n {
		factors := data[7+3*i]
		samples += int(factors>>4) * int(factors&15)
		h, v = max(h, int(factors>>4)), max(v, int(factors&15))
	}
	if samples == 0 {
		return wrong("its header is malformed")
	}
	plane := float64(samples) / float64(h*v)
	decoding := plane
	if progressive {
		decoding += 4 * plane // a coefficient for each sample
	}
	turning := plane
	if n == 4 {
		turning = 8
	}
	return p.size(width, height, decoding, turning)
}

// entropy is how many bytes of pixels there are before the next marker.
func entropy(b []byte) int {
	for i := 0; ; i++ {
		at := bytes.IndexByte(b[i:], 0xFF)
		if at < 0 || i+at+1 >= len(b) {
			return len(b)
		}
		i += at
		if next := b[i+1]; next != 0 && (next < 0xD0 || next > 0xD7) && next != 0xFF {
			return i
		}
	}
}

// segment appends a segment.
func segment(to []byte, marker byte, data []byte) []byte {
	to = append(to, 0xFF, marker)
	to = binary.BigEndian.AppendUint16(to, uint16(len(data)+2))
	return append(to, data...)
}

// iccName begins a segment with a part of an ICC profile: its number and how many there are follow.
var iccName = []byte("ICC_PROFILE\x00")

// icc are the parts of an ICC profile.
type icc []iccPart

type iccPart struct {
	number byte
	data   []byte
}

func (c *icc) add(data []byte) {
	if part, ok := bytes.CutPrefix(data, iccName); ok && len(part) > 2 {
		*c = append(*c, iccPart{part[0], part[2:]})
	}
}

// whole is the profile, nil where it is none.
func (c icc) whole() []byte {
	slices.SortStableFunc(c, func(a, b iccPart) int { return cmp.Compare(a.number, b.number) })
	var all []byte
	for _, part := range c {
		all = append(all, part.data...)
	}
	return profile(all)
}

// segments are those of a profile.
func segments(profile []byte) (all []byte) {
	const most = 65_519
	parts := slices.Collect(slices.Chunk(profile, most))
	for i, part := range parts {
		all = segment(all, app2, slices.Concat(iccName, []byte{byte(i + 1), byte(len(parts))}, part))
	}
	return all
}
