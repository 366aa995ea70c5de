package picture

import (
	"image"
	"image/draw"
)

// Shape is the size of a picture that is made of another. It is never larger than this.
type Shape struct {
	// Width and Height bound it, 0 for no bound.
	Width, Height int
	// Crop has it cut to the ratio of both, about its middle. Otherwise all of it is there.
	Crop bool
	// WebP has it encoded so, if no pixel is transparent: see [EncodeWebP].
	WebP bool
}

// Render makes a smaller picture. Of an animation it is the first picture.
func (p *Picture) Render(s Shape) (content []byte, info Info, err error) {
	defer recovered(&err)
	m, err := p.decode()
	if err != nil {
		return nil, info, err
	}
	if b := m.Bounds(); b.Dx() != p.Width || b.Dy() != p.Height { // a part of the canvas
		whole := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
		draw.Draw(whole, b, m, b.Min, draw.Src)
		m = whole
	}
	if p.orientation != 1 {
		m = upright(m, p.orientation)
	}
	part := m.Bounds()
	if s.Crop {
		part = middle(part, s.Width, s.Height)
	}
	info.Width, info.Height = inside(part.Dx(), part.Dy(), s.Width, s.Height)
	small := scaled(m, part, info.Width, info.Height)
	if s.WebP && opaque(small) {
		content, err = p.encodeWebP(small)
		info.MediaType = WebP
		return content, info, err
	}
	content, info.MediaType, err = p.encode(small, fine)
	return content, info, err
}

// inside is the largest size with the ratio of w × h that has no more pixels than these,
// nor than the bounds.
func inside(w, h, width, height int) (int, int) {
	if width <= 0 || width > w {
		width = w
	}
	if height <= 0 || height > h {
		height = h
	}
	if width*h <= height*w {
		return width, max(1, (h*width+w/2)/w)
	}
	return max(1, (w*height+h/2)/h), height
}

// middle is the largest part with the ratio about the middle.
func middle(b image.Rectangle, width, height int) image.Rectangle {
	w, h := b.Dx(), b.Dy()
	if w*height > h*width {
		w = max(1, h*width/height)
	} else {
		h = max(1, w*height/width)
	}
	at := b.Min.Add(image.Pt((b.Dx()-w)/2, (b.Dy()-h)/2))
	return image.Rectangle{at, at.Add(image.Pt(w, h))}
}
