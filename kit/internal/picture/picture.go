// Package picture cleans and scales pictures that users send: PNG, JPEG, GIF and WebP.
//
// [Parse] takes a file apart without decoding a pixel. It copies what a viewer of the
// picture needs and leaves out all else: EXIF, XMP, IPTC, comments, previews, unknown
// chunks, and whatever follows the end of the picture. The colour profile stays.
// [Picture.Clean] then decodes what is left, which shows that it is a picture, and
// turns it as EXIF says. [Picture.Render] makes a smaller one of it.
//
// A file is in memory while the package works on it. [Picture.Memory] is what its pixels
// need, so that callers can bound how many are decoded at once. The package knows no
// database and no HTTP. Package files calls it.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"
)

// The media types of what the package reads.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
	GIF  = "image/gif"
	WebP = "image/webp"
)

// Error says why a file is not taken as a picture, for the user who sent it.
type Error struct{ Reason string }

// Error implements error.
func (e *Error) Error() string { return e.Reason }

func wrong(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// errEarly answers for a file of which a part is missing.
var errEarly = &Error{"it ends early"}

// Info describes the file after [Picture.Clean] or [Picture.Render].
type Info struct {
	MediaType     string
	Width, Height int
	// BlurHash stands for the picture until it is loaded (https://blurha.sh). Render
	// leaves it empty.
	BlurHash string
}

// Picture is a file that was taken apart. Nothing is decoded yet.
type Picture struct {
	MediaType string
	// Width and Height are those that the header says, before the picture is turned.
	Width, Height int
	// Memory is how many bytes the pixels need at most while the package works on them.
	Memory int64

	// clean is the file without metadata, and still what is decoded where that is
	// another file: the first picture of an animation.
	clean, still []byte
	// turning is the additional memory where the picture has to be turned.
	turning int64
	// pixels is how many are allowed.
	pixels int64
	// orientation is that of EXIF: 1 to 8, 1 for upright.
	orientation int
	// profile is the ICC profile, nil for sRGB.
	profile []byte
}

// Parse takes a file apart. It fails with an *[Error] where this is not a picture of the
// media type, or has more pixels than the bound.
func Parse(mediaType string, content []byte, pixels int64) (p *Picture, err error) {
	defer recovered(&err)
	p = &Picture{MediaType: mediaType, orientation: 1, pixels: pixels}
	switch mediaType {
	case PNG:
		err = p.png(content)
	case JPEG:
		err = p.jpeg(content)
	case GIF:
		err = p.gif(content)
	case WebP:
		err = p.webp(content)
	default:
		err = wrong("%s is no picture that can be read", mediaType)
	}
	if err != nil {
		return nil, err
	}
	if p.orientation != 1 {
		p.Memory += p.turning
	}
	return p, nil
}

// recovered makes an error of a panic of a decoder.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = wrong("it cannot be decoded")
	}
}

// size notes the size that a header says, and how many bytes a pixel needs to be decoded
// and to be turned.
func (p *Picture) size(width, height int, decoding, turning float64) error {
	if width < 1 || height < 1 {
		return wrong("its header says that it has %d × %d pixels", width, height)
	}
	if n := int64(width) * int64(height); n > p.pixels {
		return wrong("it has %d × %d pixels, which are %d: at most %d are allowed", width, height, n, p.pixels)
	}
	p.Width, p.Height = width, height
	n := float64(width) * float64(height)
	p.Memory, p.turning = int64(n*decoding), int64(n*turning)
	return nil
}

// decode decodes the picture, or the first one of an animation.
func (p *Picture) decode() (m image.Image, err error) {
	defer recovered(&err)
	content := p.clean
	if p.still != nil {
		content = p.still
	}
	r := bytes.NewReader(content)
	switch p.MediaType {
	case PNG:
		m, err = png.Decode(r)
	case JPEG:
		m, err = jpeg.Decode(r)
	case GIF:
		m, err = gif.Decode(r)
	case WebP:
		m, err = webp.Decode(r)
	}
	if err != nil {
		return nil, wrong("it cannot be decoded: %v", err)
	}
	if b := m.Bounds(); b.Dx() > p.Width || b.Dy() > p.Height || b.Empty() {
		return nil, wrong("its header says another size than its content has")
	}
	return m, nil
}

// Clean returns the file without metadata, upright. Its bytes are those of the original
// but for what was left out, where the picture need not be turned. A picture that has to
// be is encoded anew: WebP becomes PNG or JPEG.
func (p *Picture) Clean() (content []byte, info Info, err error) {
	defer recovered(&err)
	m, err := p.decode()
	if err != nil {
		return nil, info, err
	}
	content, info.MediaType = p.clean, p.MediaType
	if p.orientation != 1 {
		m = upright(m, p.orientation)
		if content, info.MediaType, err = p.encode(m, finest); err != nil {
			return nil, info, err
		}
	}
	info.Width, info.Height = turned(p.Width, p.Height, p.orientation)
	info.BlurHash = blurHash(m)
	return content, info, nil
}
