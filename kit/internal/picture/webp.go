package picture

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Flags of VP8X (https://developers.google.com/speed/webp/docs/riff_container).
const (
	webpAnimated = 1 << 1
	webpAlpha    = 1 << 4
	webpProfile  = 1 << 5
)

// webp copies the chunks of pixels, and those that say how an animation goes.
func (p *Picture) webp(b []byte) error {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return wrong("it does not begin as a WebP does")
	}
	size := int64(binary.LittleEndian.Uint32(b[4:])) + 8
	if size > int64(len(b)) || size < 12 {
		return errEarly
	}
	r := &riff{b[12:size]}
	w := &webpFile{picture: p}
	for len(r.rest) > 0 {
		kind, data, err := r.next()
		if err != nil {
			return err
		}
		if err := w.add(kind, data); err != nil {
			return err
		}
	}
	return w.end()
}

// riff are chunks.
type riff struct{ rest []byte }

func (r *riff) next() (kind string, data []byte, err error) {
	if len(r.rest) < 8 {
		return "", nil, errEarly
	}
	kind = string(r.rest[:4])
	n := int64(binary.LittleEndian.Uint32(r.rest[4:]))
	if n > int64(len(r.rest)-8) {
		return "", nil, errEarly
	}
	data, r.rest = r.rest[8:8+n], r.rest[8+n:]
	if n%2 == 1 && len(r.rest) > 0 {
		r.rest = r.rest[1:]
	}
	return kind, data, nil
}

// webpFile has the chunks of a WebP that are kept.
type webpFile struct {
	picture  *Picture
	extended []byte // VP8X
	chunks   []byte // those that are kept, after VP8X and the profile
	pixels   int    // how many pictures there are
	first    []byte // the chunks of the first picture of an animation
	x, y     int    // its place on the canvas
	w, h     int    // its size
}

func (f *webpFile) add(kind string, data []byte) error {
	switch kind {
	case "VP8X":
		if f.extended != nil || f.pixels > 0 || len(data) != 10 {
			return wrong("it has a header that is malformed or not the first")
		}
		f.extended = slices.Clone(data)
		f.extended[0] &= webpAnimated | webpAlpha
		return f.picture.size(1+int24(data[4:]), 1+int24(data[7:]), webpMemory, 8)
	case "ICCP":
		f.picture.profile = profile(data)
	case "EXIF":
		f.picture.orientation = orientation(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
	case "ALPH":
		f.chunks = riffChunk(f.chunks, kind, data)
	case "ANIM":
		if f.animated() {
			f.chunks = riffChunk(f.chunks, kind, data)
		}
	case "VP8 ", "VP8L":
		width, height, err := webpSize(kind, data)
		if err != nil {
			return err
		}
		if f.pixels++; f.pixels > 1 || f.animated() {
			return wrong("it has two pictures and is no animation")
		}
		if f.extended == nil {
			if err := f.picture.size(width, height, webpMemory, 8); err != nil {
				return err
			}
		}
		if width != f.picture.Width || height != f.picture.Height {
			return wrong("its header says another size than its content has")
		}
		f.chunks = riffChunk(f.chunks, kind, data)
	case "ANMF":
		if !f.animated() {
			return wrong("it has a picture of an animation and is none")
		}
		return f.frame(data)
	}
	return nil
}

func (f *webpFile) animated() bool { return f.extended != nil && f.extended[0]&webpAnimated != 0 }

// frame adds a picture of an animation.
func (f *webpFile) frame(data []byte) error {
	if len(data) < 16 {
		return errEarly
	}
	x, y := 2*int24(data), 2*int24(data[3:])
	w, h := 1+int24(data[6:]), 1+int24(data[9:])
	if x+w > f.picture.Width || y+h > f.picture.Height {
		return wrong("it has a picture beyond its %d × %d pixels", f.picture.Width, f.picture.Height)
	}
	var kept []byte
	pixels := 0
	for r := (&riff{data[16:]}); len(r.rest) > 0; {
		kind, data, err := r.next()
		if err != nil {
			return err
		}
		switch kind {
		case "VP8 ", "VP8L":
			width, height, err := webpSize(kind, data)
			if err != nil {
				return err
			}
			if width != w || height != h {
				return wrong("its header says another size than its content has")
			}
			pixels++
		case "ALPH":
		default:
			continue
		}
		kept = riffChunk(kept, kind, data)
	}
	if pixels != 1 {
		return wrong("it has a picture of an animation without pixels")
	}
	if f.pixels++; f.pixels == 1 {
		f.first, f.x, f.y, f.w, f.h = kept, x, y, w, h
	}
	f.chunks = riffChunk(f.chunks, "ANMF", slices.Concat(data[:16], kept))
	return nil
}

// end puts the file together.
func (f *webpFile) end() error {
	if f.pixels == 0 {
		return wrong("it has no pixels")
	}
	p := f.picture
	if f.extended == nil {
		p.profile = nil
		p.clean = webpOf(f.chunks)
		return nil
	}
	head := slices.Clone(f.extended)
	var profile []byte
	if p.profile != nil {
		head[0] |= webpProfile
		profile = riffChunk(nil, "ICCP", p.profile)
	}
	p.clean = webpOf(slices.Concat(riffChunk(nil, "VP8X", head), profile, f.chunks))
	if f.animated() {
		p.still = f.alone()
		p.orientation = 1 // an animation cannot be turned without being encoded anew
	}
	return nil
}

// alone is the first picture of the animation as a file.
func (f *webpFile) alone() []byte {
	if !bytes.HasPrefix(f.first, []byte("ALPH")) {
		return webpOf(f.first)
	}
	head := make([]byte, 10)
	head[0] = webpAlpha
	putInt24(head[4:], f.w-1)
	putInt24(head[7:], f.h-1)
	return webpOf(slices.Concat(riffChunk(nil, "VP8X", head), f.first))
}

// webpMemory is how many bytes a pixel needs: VP8L has its palette applied in a copy.
const webpMemory = 8

// webpSize is the size that the beginning of pixels says.
func webpSize(kind string, b []byte) (width, height int, err error) {
	if kind == "VP8L" {
		if len(b) < 5 || b[0] != 0x2F {
			return 0, 0, errEarly
		}
		bits := binary.LittleEndian.Uint32(b[1:])
		return 1 + int(bits&0x3FFF), 1 + int(bits>>14&0x3FFF), nil
	}
	if len(b) < 10 || string(b[3:6]) != "\x9D\x01\x2A" {
		return 0, 0, errEarly
	}
	return int(binary.LittleEndian.Uint16(b[6:]) & 0x3FFF), int(binary.LittleEndian.Uint16(b[8:]) & 0x3FFF), nil
}

func webpOf(chunks []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(chunks)))
	return append(append(b, "WEBP"...), chunks...)
}

func riffChunk(to []byte, kind string, data []byte) []byte {
	to = binary.LittleEndian.AppendUint32(append(to, kind...), uint32(len(data)))
	if to = append(to, data...); len(data)%2 == 1 {
		to = append(to, 0)
	}
	return to
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func putInt24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }
