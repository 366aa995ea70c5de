package rest_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checked is a PNG with the checksum that its header has to have.
func checked(png string) string {
	b := []byte(png)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return string(b)
}

// snapshot is a JPEG as a phone makes it, held upright: its rows go from below to above,
// which EXIF says, beside the place where it was taken.
func snapshot(w, h int) string {
	m := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	for i := range m.Y {
		m.Y[i] = byte(i % m.YStride)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00GPS 48.8583 N"
	segment := append(binary.BigEndian.AppendUint16([]byte{0xFF, 0xE1}, uint16(len(exif)+2)), exif...)
	return string(slices.Concat(b.Bytes()[:2], segment, b.Bytes()[2:]))
}

func TestAPictureIsKeptUprightAndWithoutMetadata(t *testing.T) {
	each(t, func(w *world) {
		content := snapshot(80, 60)
		a := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar&name=ada.jpg", content, "Content-Type", "image/jpeg").want(201)
		a.keepsContract("POST", "/api/v1/files")
		if fmt.Sprint(a.data()["width"], a.data()["height"]) != "60 80" || len(a.data()["blur_hash"].(string)) != 28 {
			w.t.Errorf("the answer is %s", a.Raw)
		}
		got := w.send(w.ada, "GET", a.data()["url"].(string), "").want(200)
		if strings.Contains(got.Raw, "GPS") || strings.Contains(got.Raw, "Exif") {
			w.t.Error("where the picture was taken can be read")
		}
		if fmt.Sprint(a.data()["size"]) != fmt.Sprint(len(got.Raw)) {
			w.t.Errorf("%d bytes are downloaded, and the answer says %v", len(got.Raw), a.data()["size"])
		}
		m, err := jpeg.Decode(strings.NewReader(got.Raw))
		if err != nil || m.Bounds() != image.Rect(0, 0, 60, 80) {
			w.t.Fatalf("%v is downloaded: %v", m.Bounds(), err)
		}
		above, below := color.GrayModel.Convert(m.At(30, 2)).(color.Gray), color.GrayModel.Convert(m.At(30, 77)).(color.Gray)
		if above.Y > below.Y {
			w.t.Errorf("the upper end is %d and the lower %d: it is turned the wrong way", above.Y, below.Y)
		}

		// Version 2 names the members as all others.
		file := w.send(w.ada, "POST", "/api/v2/files?for=profile.avatar", content, "Content-Type", "image/jpeg").want(201).data()["file"].(map[string]any)
		if file["blurHash"] != a.data()["blur_hash"] {
			w.t.Errorf("version 2 answers %v", file)
		}
	})
}

// Those who read the row see how large its picture is and what stands for it until it is loaded, where they
// ask for that. No picture, or one elsewhere, has neither.
func TestARowShowsTheMeasuresOfItsPicture(t *testing.T) {
	each(t, func(w *world) {
		a := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", snapshot(80, 60), "Content-Type", "image/jpeg").want(201)
		path := fmt.Sprintf("/api/v1/users/%d/profile", w.ada.UserID)
		for _, c := range []struct {
			avatar              string
			width, height, hash any
		}{
			{a.data()["url"].(string), 60.0, 80.0, a.data()["blur_hash"]},
			{"https://example.com/ada.png", nil, nil, nil},
			{"", nil, nil, nil},
		} {
			w.avatar(w.ada, w.ada, c.avatar).want(200)
			got := w.do(w.bob, "GET", path+"?fields=avatar_width,avatar_height,avatar_blur_hash", "").want(200).data()
			if got["avatar_width"] != c.width || got["avatar_height"] != c.height || got["avatar_blur_hash"] != c.hash {
				w.t.Errorf("with the picture %q the row shows %v", c.avatar, got)
			}
			if got := w.do(w.bob, "GET", path, "").want(200); strings.Contains(got.Raw, "avatar_width") {
				w.t.Errorf("it is not asked for: %s", got.Raw)
			}
		}
	})
}

func TestPicturesThatAreRefused(t *testing.T) {
	each(t, func(w *world) {
		content := snapshot(80, 60)
		size := func(w, h uint32) string {
			b := []byte(picture(1))
			binary.BigEndian.PutUint32(b[16:], w)
			binary.BigEndian.PutUint32(b[20:], h)
			return string(b)
		}
		for name, c := range map[string]struct{ content, says string }{
			"it is cut":                       {content[:len(content)/2], "ends early"},
			"it is a header alone":            {content[:40], "ends early"},
			"its checksum is another":         {size(3, 3), "checksum"},
			"it has two million pixels a row": {checked(size(2_000_000, 2_000_000)), "at most 25000000 are allowed"},
			"its rows are not there":          {checked(size(5_000, 5_000)), "decoded"},
			"it is a page after its name":     {"\x89PNG\r\n\x1a\n<script>alert(1)</script>", "early"},
		} {
			a := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", c.content, "Content-Type", "image/jpeg")
			if a.Status != 422 || !strings.Contains(a.Raw, "the picture can't be used: ") || !strings.Contains(a.Raw, c.says) {
				w.t.Errorf("where %s: %d %s, want 422 that says %q", name, a.Status, a.Raw, c.says)
			}
		}
		if w.stored() != 0 {
			w.t.Errorf("%d are stored", w.stored())
		}
		if left, _ := filepath.Glob(filepath.Join(w.files.Store.Spool(), "*.part")); len(left) > 0 {
			w.t.Errorf("refused pictures leave %v", left)
		}
	})
}
