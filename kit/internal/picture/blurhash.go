package picture

import (
	"image"
	"math"
	"strings"
)

// blurHash is a text of 28 characters from which a blurred picture can be shown at once:
// https://github.com/woltapp/blurhash/blob/master/Algorithm.md.
func blurHash(m image.Image) string {
	const most = 32 // pixels of a side are enough for four waves
	b := m.Bounds()
	w, h := inside(b.Dx(), b.Dy(), most, most)
	small := scaled(m, b, w, h)
	nx, ny := 4, 3
	if h > w {
		nx, ny = 3, 4
	}
	factors := make([][3]float64, 0, nx*ny)
	for j := range ny {
		for i := range nx {
			factors = append(factors, wave(small, i, j))
		}
	}
	largest := 0.0
	for _, f := range factors[1:] {
		largest = max(largest, math.Abs(f[0]), math.Abs(f[1]), math.Abs(f[2]))
	}
	quantised := max(0, min(82, int(largest*166-0.5)))
	scale := float64(quantised+1) / 166

	var to strings.Builder
	base83(&to, nx-1+(ny-1)*9, 1)
	base83(&to, quantised, 1)
	dc := factors[0]
	base83(&to, toSRGB(dc[0])<<16|toSRGB(dc[1])<<8|toSRGB(dc[2]), 4)
	for _, f := range factors[1:] {
		n := 0
		for _, v := range f {
			n = n*19 + max(0, min(18, int(math.Floor(math.Copysign(math.Sqrt(math.Abs(v/scale)), v)*9+9.5))))
		}
		base83(&to, n, 2)
	}
	return to.String()
}

// wave is how much of a cosine with i and j half waves there is in each channel.
func wave(m *image.RGBA, i, j int) (sum [3]float64) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for y := range h {
		for x := range w {
			basis := math.Cos(math.Pi*float64(i)*float64(x)/float64(w)) * math.Cos(math.Pi*float64(j)*float64(y)/float64(h))
			p := m.Pix[y*m.Stride+4*x:]
			for c := range sum {
				sum[c] += basis * toLinear(p[c])
			}
		}
	}
	scale := 2 / float64(w*h)
	if i == 0 && j == 0 {
		scale /= 2
	}
	for c := range sum {
		sum[c] *= scale
	}
	return sum
}

func toLinear(v uint8) float64 {
	f := float64(v) / 255
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}

func toSRGB(f float64) int {
	f = max(0, min(1, f))
	if f <= 0.0031308 {
		return int(f*12.92*255 + 0.5)
	}
	return int((1.055*math.Pow(f, 1/2.4)-0.055)*255 + 0.5)
}

const digits83 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"

func base83(to *strings.Builder, n, length int) {
	for i := length - 1; i >= 0; i-- {
		to.WriteByte(digits83[n/int(math.Pow(83, float64(i)))%83])
	}
}
