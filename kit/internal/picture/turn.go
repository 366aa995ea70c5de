package picture

import (
	"image"
	"image/draw"
)

// turned is the size of a picture of the orientation once it is upright.
func turned(width, height, orientation int) (w, h int) {
	if orientation >= 5 {
		return height, width
	}
	return width, height
}

// upright turns a picture as EXIF says. Planes of a JPEG are turned by themselves: so its
// colours are not computed twice, and no more memory is needed than for another picture
// of its kind.
func upright(m image.Image, orientation int) image.Image {
	b := m.Bounds()
	switch m := m.(type) {
	case *image.YCbCr:
		if ratio, ok := turnedRatio(m.SubsampleRatio, orientation); ok && b.Min == (image.Point{}) {
			return uprightYCbCr(m, ratio, orientation)
		}
	case *image.Gray:
		w, h := turned(b.Dx(), b.Dy(), orientation)
		to := image.NewGray(image.Rect(0, 0, w, h))
		turn(plane{to.Pix, to.Stride, w, h}, plane{m.Pix, m.Stride, b.Dx(), b.Dy()}, 1, orientation)
		return to
	}
	from := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(from, from.Rect, m, b.Min, draw.Src)
	w, h := turned(b.Dx(), b.Dy(), orientation)
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	turn(plane{to.Pix, to.Stride, w, h}, plane{from.Pix, from.Stride, b.Dx(), b.Dy()}, 4, orientation)
	return to
}

// turnedRatio is how the colours of a picture are sampled once it is turned, false where
// package image knows no name for it.
func turnedRatio(r image.YCbCrSubsampleRatio, orientation int) (image.YCbCrSubsampleRatio, bool) {
	switch r {
	case image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio420:
		return r, true
	case image.YCbCrSubsampleRatio422:
		if orientation >= 5 {
			r = image.YCbCrSubsampleRatio440
		}
		return r, true
	case image.YCbCrSubsampleRatio440:
		if orientation >= 5 {
			r = image.YCbCrSubsampleRatio422
		}
		return r, true
	}
	return 0, false
}

func uprightYCbCr(m *image.YCbCr, ratio image.YCbCrSubsampleRatio, orientation int) image.Image {
	b := m.Rect
	w, h := turned(b.Dx(), b.Dy(), orientation)
	to := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
	turn(plane{to.Y, to.YStride, w, h}, plane{m.Y, m.YStride, b.Dx(), b.Dy()}, 1, orientation)
	cw, ch := chroma(m)
	tw, th := turned(cw, ch, orientation)
	turn(plane{to.Cb, to.CStride, tw, th}, plane{m.Cb, m.CStride, cw, ch}, 1, orientation)
	turn(plane{to.Cr, to.CStride, tw, th}, plane{m.Cr, m.CStride, cw, ch}, 1, orientation)
	return to
}

// chroma is the size of the planes of colour.
func chroma(m *image.YCbCr) (w, h int) {
	w, h = m.Rect.Dx(), m.Rect.Dy()
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio420:
		return (w + 1) / 2, (h + 1) / 2
	case image.YCbCrSubsampleRatio422:
		return (w + 1) / 2, h
	case image.YCbCrSubsampleRatio440:
		return w, (h + 1) / 2
	}
	return w, h
}

// plane is rows of samples.
type plane struct {
	pix           []byte
	stride        int
	width, height int
}

// turn copies samples of so many bytes to their places.
func turn(to, from plane, size, orientation int) {
	w, h := from.width, from.height
	for y := range to.height {
		row := to.pix[y*to.stride:]
		for x := range to.width {
			var sx, sy int
			switch orientation {
			case 2:
				sx, sy = w-1-x, y
			case 3:
				sx, sy = w-1-x, h-1-y
			case 4:
				sx, sy = x, h-1-y
			case 5:
				sx, sy = y, x
			case 6:
				sx, sy = y, h-1-x
			case 7:
				sx, sy = w-1-y, h-1-x
			case 8:
				sx, sy = w-1-y, x
			default:
				sx, sy = x, y
			}
			copy(row[x*size:x*size+size], from.pix[sy*from.stride+sx*size:])
		}
	}
}
