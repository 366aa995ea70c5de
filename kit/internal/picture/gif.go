package picture

import (
	"bytes"
	"encoding/binary"
)

// gif copies the blocks of the pictures, and those that say how an animation goes
// (https://www.w3.org/Graphics/GIF/spec-gif89a.txt).
func (p *Picture) gif(b []byte) error {
	if !bytes.HasPrefix(b, []byte("GIF87a")) && !bytes.HasPrefix(b, []byte("GIF89a")) {
		return wrong("it does not begin as a GIF does")
	}
	if len(b) < 13 {
		return errEarly
	}
	width, height := int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
	if err := p.size(width, height, 5, 0); err != nil {
		return err
	}
	g := &gifReader{from: b}
	if err := g.take(13 + palette(b[10])); err != nil {
		return err
	}
	for pictures := 0; ; {
		if len(g.from) == 0 {
			return errEarly
		}
		switch g.from[0] {
		case 0x21: // an extension
			if err := g.extension(); err != nil {
				return err
			}
		case 0x2C:
			if err := g.picture(width, height); err != nil {
				return err
			}
			pictures++
		case 0x3B:
			if pictures == 0 {
				return wrong("it has no pixels")
			}
			err := g.take(1)
			p.clean = g.to
			return err
		default:
			return wrong("it has a block of an unknown kind")
		}
	}
}

// palette is how many bytes of colours follow, as a byte of flags says.
func palette(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (1 + flags&7)
}

// gifReader copies the beginning of what is left.
type gifReader struct{ from, to []byte }

// take copies so many bytes.
func (g *gifReader) take(n int) error {
	if len(g.from) < n {
		return errEarly
	}
	g.to = append(g.to, g.from[:n]...)
	g.from = g.from[n:]
	return nil
}

// picture copies a picture of the animation, which has to be on the canvas.
func (g *gifReader) picture(width, height int) error {
	if len(g.from) < 10 {
		return errEarly
	}
	at := func(i int) int { return int(binary.LittleEndian.Uint16(g.from[i:])) }
	if at(1)+at(5) > width || at(3)+at(7) > height {
		return wrong("it has a picture beyond its %d × %d pixels", width, height)
	}
	if err := g.take(10 + palette(g.from[9]) + 1); err != nil { // and how long codes are
		return err
	}
	n, err := blocks(g.from)
	if err != nil {
		return err
	}
	return g.take(n)
}

// extension copies those that time an animation, and passes over the others.
func (g *gifReader) extension() error {
	if len(g.from) < 3 {
		return errEarly
	}
	n, err := blocks(g.from[2:])
	if err != nil {
		return err
	}
	n += 2
	switch label := g.from[1]; {
	case label == 0xF9 && n == 8, label == 0xFF && n == 19 && bytes.HasPrefix(g.from[3:], []byte("NETSCAPE2.0\x03\x01")):
		return g.take(n)
	}
	g.from = g.from[n:]
	return nil
}

// blocks is how many bytes the blocks have at the beginning of a text: each after its
// length, up to an empty one.
func blocks(b []byte) (n int, err error) {
	for {
		if n >= len(b) {
			return 0, errEarly
		}
		size := int(b[n])
		n += 1 + size
		if size == 0 {
			return n, nil
		}
	}
}
