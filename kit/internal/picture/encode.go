package picture

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
)

// Qualities of JPEG: of an original that had to be turned, and of what is made of it.
const (
	finest = 92
	fine   = 82
)

// encode writes pixels as JPEG where the original was one or has no transparent pixels
// and many colours, and as PNG otherwise, with the profile of the original.
func (p *Picture) encode(m image.Image, quality int) (content []byte, mediaType string, err error) {
	var b bytes.Buffer
	if p.MediaType == JPEG || p.MediaType == WebP && opaque(m) {
		if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
			return nil, "", wrong("it cannot be encoded: %v", err)
		}
		content = b.Bytes()
		return slices.Concat(content[:2], segments(p.colours()), content[2:]), JPEG, nil
	}
	if err := png.Encode(&b, m); err != nil {
		return nil, "", wrong("it cannot be encoded: %v", err)
	}
	content = b.Bytes()
	if p.profile == nil {
		return content, PNG, nil
	}
	const header = len(pngSignature) + 12 + 13
	return slices.Concat(content[:header], chunk(nil, "iCCP", pngProfile(p.profile)), content[header:]), PNG, nil
}

// EncodeWebP writes opaque pixels as WebP of the quality: a file without a profile. It is nil where the
// program does not import package kit/files/webp.
var EncodeWebP func(w io.Writer, m image.Image, quality int) error

// encodeWebP writes opaque pixels as WebP, with the profile of the original
// (https://developers.google.com/speed/webp/docs/riff_container).
func (p *Picture) encodeWebP(m image.Image) ([]byte, error) {
	if EncodeWebP == nil {
		return nil, errors.New("there is no encoder of WebP: the program does not import kit/files/webp")
	}
	var b bytes.Buffer
	if err := EncodeWebP(&b, m, fine); err != nil {
		return nil, wrong("it cannot be encoded: %v", err)
	}
	profile := p.colours()
	if profile == nil {
		return b.Bytes(), nil
	}
	r := &riff{b.Bytes()[min(12, b.Len()):]}
	for len(r.rest) > 0 {
		kind, pixels, err := r.next()
		if err != nil {
			return nil, err
		}
		if kind != "VP8 " {
			continue
		}
		head := make([]byte, 10)
		head[0] = webpProfile
		putInt24(head[4:], m.Bounds().Dx()-1)
		putInt24(head[7:], m.Bounds().Dy()-1)
		return webpOf(riffChunk(riffChunk(riffChunk(nil, "VP8X", head), "ICCP", profile), kind, pixels)), nil
	}
	return nil, errors.New("the encoder of WebP has written no pixels")
}

// colours is the profile, nil where it is of other colours than those that are encoded:
// red, green and blue, or grey.
func (p *Picture) colours() []byte {
	if p.profile == nil || string(p.profile[16:20]) == "CMYK" {
		return nil
	}
	return p.profile
}

func opaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}
