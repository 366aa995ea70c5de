package picture_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	xwebp "golang.org/x/image/webp"

	"github.com/entwine-go/entwine/kit/internal/picture"
)

// cleaned cleans a file, which has to be a picture.
func cleaned(t *testing.T, mediaType string, content []byte) ([]byte, picture.Info) {
	t.Helper()
	p, err := picture.Parse(mediaType, content, 1<<20)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	clean, info, err := p.Clean()
	if err != nil {
		t.Fatalf("Clean: %v", err)
	}
	if bytes.Contains(clean, []byte("GPS")) {
		t.Error("what is kept has metadata")
	}
	return clean, info
}

// upright are the colours of the quarters by the orientation that EXIF says, as viewers
// show the picture.
var upright = map[int]string{1: "rgby", 2: "gryb", 3: "ybgr", 4: "byrg", 5: "rbgy", 6: "bryg", 7: "ygbr", 8: "gyrb"}

// seen names the colours of the quarters.
func seen(m image.Image) (all string) {
	b := m.Bounds()
	for i := range 4 {
		x, y := b.Min.X+b.Dx()*(1+2*(i%2))/4, b.Min.Y+b.Dy()*(1+2*(i/2))/4
		c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
		switch {
		case c.R > 200 && c.G > 200 && c.B < 60:
			all += "y"
		case c.R > 200 && c.G < 60 && c.B < 60:
			all += "r"
		case c.G > 200 && c.R < 60 && c.B < 60:
			all += "g"
		case c.B > 200 && c.R < 60 && c.G < 60:
			all += "b"
		default:
			all += fmt.Sprint(c)
		}
	}
	return all
}

func TestAPictureIsTurnedAsItsMetadataSays(t *testing.T) {
	for orientation, want := range upright {
		for mediaType, content := range map[string][]byte{picture.JPEG: photo(corners(65, 33), orientation), picture.PNG: drawing(corners(65, 33), orientation)} {
			clean, info := cleaned(t, mediaType, content)
			m, kind, err := image.Decode(bytes.NewReader(clean))
			if err != nil || info.MediaType != mediaType {
				t.Fatalf("%s of orientation %d: %v, %v", mediaType, orientation, kind, err)
			}
			w, h := 65, 33
			if orientation >= 5 {
				w, h = h, w
			}
			if b := m.Bounds(); b.Dx() != w || b.Dy() != h || info.Width != w || info.Height != h {
				t.Errorf("%s of orientation %d has %v and says %d × %d, want %d × %d", mediaType, orientation, b, info.Width, info.Height, w, h)
			}
			if got := seen(m); got != want {
				t.Errorf("%s of orientation %d shows %s, want %s", mediaType, orientation, got, want)
			}
			if again, _ := cleaned(t, mediaType, clean); !bytes.Equal(again, clean) {
				t.Errorf("%s of orientation %d is cleaned twice, and differs", mediaType, orientation)
			}
		}
	}
}

func TestWhatIsUprightKeepsItsPixels(t *testing.T) {
	m := corners(40, 30)
	clean, _ := cleaned(t, picture.JPEG, photo(m, 1))
	if !bytes.Contains(clean, icc(600)) {
		t.Error("the profile is gone")
	}
	was, _ := jpeg.Decode(bytes.NewReader(jpegOf(m)))
	is, err := jpeg.Decode(bytes.NewReader(clean))
	if err != nil || !bytes.Equal(was.(*image.YCbCr).Y, is.(*image.YCbCr).Y) {
		t.Errorf("the pixels of a JPEG are others (%v)", err)
	}
	turned, _ := cleaned(t, picture.JPEG, photo(m, 6))
	if !bytes.Contains(turned, icc(600)) {
		t.Error("the profile of a picture that is turned is gone")
	}
	if clean, _ = cleaned(t, picture.PNG, drawing(m, 1)); !bytes.Equal(clean, pngOf(m)) {
		t.Error("a PNG has more than its pixels, or less")
	}
	animation := gifOf(20, 10, 3)
	with := slices.Concat(bytes.TrimSuffix(animation, []byte{0x3B}), []byte("\x21\xFE\x16"+secret+"\x00\x3B"+secret))
	if clean, _ = cleaned(t, picture.GIF, with); !bytes.Equal(clean, animation) {
		t.Error("an animation has more than its pictures, or less")
	}
}

func TestWebP(t *testing.T) {
	flags := make([]byte, 10)
	flags[0] = 0x3C // a profile, transparency, EXIF and XMP
	still := webp(riff("VP8X", flags), riff("ICCP", icc(301)), riff("VP8L", pixel), riff("EXIF", exif(1)), riff("XMP ", []byte(secret)), riff("what", []byte(secret)))
	clean, info := cleaned(t, picture.WebP, still)
	if m, err := xwebp.Decode(bytes.NewReader(clean)); err != nil || m.Bounds() != image.Rect(0, 0, 1, 1) || info.MediaType != picture.WebP {
		t.Errorf("a picture becomes %v, %v", info, err)
	}
	if !bytes.Contains(clean, icc(301)) {
		t.Error("the profile is gone")
	}

	// One that is turned is encoded anew.
	turned := webp(riff("VP8X", flags), riff("VP8L", pixel), riff("EXIF", append([]byte("Exif\x00\x00"), exif(6)...)))
	clean, info = cleaned(t, picture.WebP, turned)
	if _, err := jpeg.Decode(bytes.NewReader(clean)); err != nil || info.MediaType != picture.JPEG {
		t.Errorf("a picture that is turned becomes %v, %v", info, err)
	}

	animated := make([]byte, 10)
	animated[0] = 0x0A // an animation, with EXIF
	put24(animated[4:], 3)
	put24(animated[7:], 2)
	frame := append(make([]byte, 16), riff("VP8L", pixel)...)
	frame[0] = 1 // two pixels from the left
	animation := webp(riff("VP8X", animated), riff("ANIM", make([]byte, 6)), riff("ANMF", append(frame, riff("what", []byte(secret))...)), riff("ANMF", frame), riff("EXIF", exif(6)))
	clean, info = cleaned(t, picture.WebP, animation)
	if info.Width != 4 || info.Height != 3 || bytes.Count(clean, []byte("ANMF")) != 2 {
		t.Errorf("an animation becomes %v with %d pictures", info, bytes.Count(clean, []byte("ANMF")))
	}
	p, err := picture.Parse(picture.WebP, clean, 100)
	if err != nil {
		t.Fatal(err)
	}
	content, info, err := p.Render(picture.Shape{Width: 4})
	if m, _ := png.Decode(bytes.NewReader(content)); err != nil || m == nil || m.Bounds() != image.Rect(0, 0, 4, 3) {
		t.Errorf("the first picture of an animation is %v, %v", info, err)
	}
}

func TestABlurHashShowsTheColours(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		// As github.com/bbrks/go-blurhash has them of 32 × 24 pixels, and so on.
		{40, 30, "L~Lqdfm3espSs|[ms9J.fNsSjsWq"}, {30, 40, "T~LqdfqWeaoW[ms9fOsSjsohJDWX"}, {1, 1, "L~TI:j|c|c|c|c|c|c|c|c|c|c|c"},
	} {
		if _, info := cleaned(t, picture.PNG, pngOf(corners(c.w, c.h))); info.BlurHash != c.want {
			t.Errorf("the hash of %d × %d is %s, want %s", c.w, c.h, info.BlurHash, c.want)
		}
	}
}
