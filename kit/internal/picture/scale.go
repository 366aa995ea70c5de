package picture

import (
	"image"
	"image/draw"
)

// scaled makes a picture of w × h pixels of a part of another, which has at least as
// many. Each pixel is the mean of those that it covers.
func scaled(m image.Image, part image.Rectangle, w, h int) *image.RGBA {
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	sw, sh := part.Dx(), part.Dy()
	row := image.NewRGBA(image.Rect(0, 0, sw, 1))
	line, sums := make([]uint64, 4*w), make([]uint64, 4*w)
	// A pixel of the original has a height of h, one of the picture of sh: so all
	// numbers are integers.
	y, left := 0, sh
	for sy := range sh {
		draw.Draw(row, row.Rect, m, image.Pt(part.Min.X, part.Min.Y+sy), draw.Src)
		narrow(line, row.Pix, sw, w)
		for height := h; height > 0; {
			n := min(height, left)
			for i, v := range line {
				sums[i] += uint64(n) * v
			}
			height, left = height-n, left-n
			if left > 0 {
				continue
			}
			area := uint64(sw) * uint64(sh)
			for i, v := range sums {
				to.Pix[y*to.Stride+i] = uint8((v + area/2) / area)
			}
			clear(sums)
			y, left = y+1, sh
		}
	}
	return to
}

// narrow sums a row of sw pixels into w.
func narrow(line []uint64, row []uint8, sw, w int) {
	clear(line)
	x, left := 0, sw
	for sx := range sw {
		p := row[4*sx : 4*sx+4]
		for width := w; width > 0; {
			n := min(width, left)
			for c, v := range p {
				line[4*x+c] += uint64(n) * uint64(v)
			}
			width, left = width-n, left-n
			if left == 0 {
				x, left = x+1, sw
			}
		}
	}
}
