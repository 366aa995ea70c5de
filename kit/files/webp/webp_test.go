package webp_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"testing"

	decoder "golang.org/x/image/webp"

	_ "github.com/entwine-go/entwine/kit/files/webp"
	"github.com/entwine-go/entwine/kit/internal/picture"
)

// waves is a picture of slow changes, whose right half has the opacity.
func waves(w, h int, opacity uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{uint8(128 + 100*math.Sin(float64(x)/30)), uint8(128 + 100*math.Cos(float64(y)/40)), uint8(x + y), 255}
			if x > w/2 {
				c.A = opacity
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

// profiled is a JPEG with a colour profile, of 200 bytes.
func profiled(t *testing.T, m image.Image) (content, profile []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	profile = make([]byte, 200)
	profile[3] = 200
	copy(profile[16:], "RGB XYZ ")
	copy(profile[36:], "acsp")
	segment := append([]byte{0xFF, 0xE2, 0, 216}, "ICC_PROFILE\x00\x01\x01"...)
	return append(append(append([]byte{}, b.Bytes()[:2]...), append(segment, profile...)...), b.Bytes()[2:]...), profile
}

func TestAVariantIsWebP(t *testing.T) {
	t.Parallel()
	original, profile := profiled(t, waves(601, 403, 255))
	for _, s := range []picture.Shape{{WebP: true}, {Width: 300, WebP: true}, {Width: 97, Height: 97, Crop: true, WebP: true}, {Width: 1, WebP: true}} {
		p, err := picture.Parse(picture.JPEG, original, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		content, info, err := p.Render(s)
		if err != nil || info.MediaType != picture.WebP {
			t.Fatalf("%+v is %s (%v)", s, info.MediaType, err)
		}
		m, err := decoder.Decode(bytes.NewReader(content))
		if err != nil || m.Bounds().Dx() != info.Width || m.Bounds().Dy() != info.Height {
			t.Errorf("%+v is not decoded to %d × %d (%v)", s, info.Width, info.Height, err)
		}
		if !bytes.Contains(content, profile) {
			t.Errorf("%+v has lost its colour profile", s)
		}
		again, err := picture.Parse(picture.WebP, content, 1e6) // what the service takes itself
		if err == nil {
			_, _, err = again.Clean()
		}
		if err != nil {
			t.Errorf("%+v is refused as an upload: %v", s, err)
		}
		p, _ = picture.Parse(picture.JPEG, original, 1e6)
		s.WebP = false
		if plain, _, err := p.Render(s); err != nil || info.Width > 1 && len(content) > len(plain) {
			t.Errorf("%+v has %d bytes as WebP, and %d as JPEG (%v)", s, len(content), len(plain), err)
		}
	}
}

// A picture with transparent pixels keeps them.
func TestATransparentVariantIsPNG(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, waves(300, 200, 100)); err != nil {
		t.Fatal(err)
	}
	p, err := picture.Parse(picture.PNG, b.Bytes(), 1e6)
	if err != nil {
		t.Fatal(err)
	}
	if _, info, err := p.Render(picture.Shape{Width: 100, WebP: true}); err != nil || info.MediaType != picture.PNG {
		t.Errorf("it is %s (%v)", info.MediaType, err)
	}
}
