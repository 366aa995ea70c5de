package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// png copies the chunks that a decoder needs (https://www.w3.org/TR/png-3/).
func (p *Picture) png(b []byte) error {
	if !bytes.HasPrefix(b, []byte(pngSignature)) {
		return wrong("it does not begin as a PNG does")
	}
	p.clean = append(p.clean, pngSignature...)
	for i, first := len(pngSignature), true; ; first = false {
		if len(b)-i < 12 {
			return errEarly
		}
		n := int64(binary.BigEndian.Uint32(b[i:]))
		if n > int64(len(b)-i-12) {
			return errEarly
		}
		kind, data := string(b[i+4:i+8]), b[i+8:i+8+int(n)]
		if crc32.ChecksumIEEE(b[i+4:i+8+int(n)]) != binary.BigEndian.Uint32(b[i+8+int(n):]) {
			return wrong("its chunk %q has another checksum than its content", kind)
		}
		i += 12 + int(n)
		if first != (kind == "IHDR") {
			return wrong("its header is not its first chunk")
		}
		switch kind {
		case "IHDR":
			if err := p.header(data); err != nil {
				return err
			}
			p.clean = chunk(p.clean, kind, data)
		case "iCCP":
			if name, rest, ok := bytes.Cut(data, []byte{0}); ok && len(name) < 80 && len(rest) > 1 && p.profile == nil {
				if p.profile = inflated(rest[1:]); p.profile != nil {
					p.clean = chunk(p.clean, kind, pngProfile(p.profile))
				}
			}
		case "eXIf":
			p.orientation = orientation(data)
		case "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "cICP", "mDCV", "cLLI", "bKGD", "pHYs", "acTL", "fcTL", "fdAT":
			p.clean = chunk(p.clean, kind, data)
		case "IEND":
			p.clean = chunk(p.clean, kind, nil)
			return nil
		}
	}
}

// header reads IHDR.
func (p *Picture) header(data []byte) error {
	if len(data) != 13 {
		return wrong("its header has %d bytes, not 13", len(data))
	}
	width, height := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
	if width > 1<<31-1 || height > 1<<31-1 {
		return wrong("its header says that it has %d × %d pixels", width, height)
	}
	decoding := 4.0
	if data[8] == 16 {
		decoding = 8
	}
	if data[12] != 0 { // interlaced: the passes, too
		decoding *= 2
	}
	return p.size(int(width), int(height), decoding, 8)
}

// chunk appends a chunk.
func chunk(to []byte, kind string, data []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(len(data)))
	begin := len(to)
	to = append(append(to, kind...), data...)
	return binary.BigEndian.AppendUint32(to, crc32.ChecksumIEEE(to[begin:]))
}

// pngProfile is the content of the chunk of a profile, which has a name and a method.
func pngProfile(profile []byte) []byte { return append([]byte("icc\x00\x00"), deflated(profile)...) }
