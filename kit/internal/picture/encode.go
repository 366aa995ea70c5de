package picture

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
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
