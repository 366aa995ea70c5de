package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/picture"
)

// bound is how many pixels the tests allow, and memory how many bytes may be allocated for
// one file: those pixels, several times, and no more.
const (
	bound  = 1 << 20
	memory = 64 << 20
)

// allocated is how many bytes do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// take does with a file what an upload does.
func take(mediaType string, content []byte, pixels int64) error {
	p, err := picture.Parse(mediaType, content, pixels)
	if err != nil {
		return err
	}
	if _, _, err = p.Clean(); err != nil {
		return err
	}
	_, _, err = p.Render(picture.Shape{Width: 10, Height: 10, Crop: true})
	return err
}

// zeros are compressed so that they become n bytes.
func zeros(n int) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(make([]byte, n))
	_ = w.Close()
	return b.String()
}

// hostile are files that are refused, with a part of why, by what they are.
func hostile() map[string]struct{ kind, content, why string } {
	all := map[string]struct{ kind, content, why string }{}
	add := func(name, kind string, content []byte, why string) {
		all[name] = struct{ kind, content, why string }{kind, string(content), why}
	}
	j, p, g := jpegOf(corners(64, 64)), pngOf(corners(64, 64)), gifOf(64, 64, 2)
	w := webp(riff("VP8L", pixel))
	for kind, content := range map[string][]byte{"image/jpeg": j, "image/png": p, "image/gif": g, "image/webp": w} {
		add(kind+" of 65,535 pixels a side", kind, header(kind, 65_535, 65_535), "pixels")
		add(kind+" whose header alone is there", kind, content[:min(len(content), 24)], "")
		for _, part := range []int{2, 3, 10} {
			add(fmt.Sprintf("%s cut to a part of %d", kind, part), kind, content[:len(content)/part], "")
		}
		add(kind+" without its last byte", kind, content[:len(content)-1], "")
		add(kind+" of another kind", kind, []byte("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"), "does not begin")
		add(kind+" of one byte", kind, content[:1], "")
	}
	for _, side := range []int{16_383, 20_000, 1_000_000, 1 << 30} {
		add(fmt.Sprintf("png of %d pixels a side", side), "image/png", header("image/png", side, side), "pixels")
	}
	add("png without a width", "image/png", header("image/png", 0, 1), "0 × 1")
	add("jpeg without a height", "image/jpeg", header("image/jpeg", 1, 0), "1 × 0")
	add("png bomb", "image/png", slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", "\x00\x00\x4E\x20\x00\x00\x4E\x20\x08\x06\x00\x00\x00"), chunk("IDAT", zeros(64<<20)), chunk("IEND", "")), "at most")
	add("png with more than its pixels", "image/png", slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", "\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"), chunk("IDAT", zeros(64<<20)), chunk("IEND", "")), "decoded")
	add("png with a wrong checksum", "image/png", slices.Concat(p[:29], []byte{1, 2, 3, 4}, p[33:]), "checksum")
	add("png with two headers", "image/png", slices.Concat(p[:33], p[8:]), "first chunk")
	add("png whose header comes later", "image/png", slices.Concat(p[:8], chunk("tEXt", "a"), p[8:]), "first chunk")
	add("png without pixels", "image/png", slices.Concat(p[:33], chunk("IEND", "")), "decoded")
	add("png whose chunk is longer than the file", "image/png", slices.Concat(p[:33], []byte("\xFF\xFF\xFF\xFFIDAT1234")), "early")
	add("jpeg of a thousand scans", "image/jpeg", scans(1000), "scans")
	add("jpeg that is coded arithmetically", "image/jpeg", bytes.Replace(j, []byte{0xFF, 0xC0}, []byte{0xFF, 0xC9}, 1), "browsers")
	add("jpeg with two headers", "image/jpeg", slices.Concat(j[:2], segment(0xC0, "\x08\x00\x01\x00\x01\x01\x01\x11\x00"), j[2:]), "two headers")
	add("jpeg without scans", "image/jpeg", slices.Concat(j[:2], segment(0xC0, "\x08\x00\x01\x00\x01\x01\x01\x11\x00"), []byte{0xFF, 0xD9}), "no pixels")
	add("jpeg of nothing", "image/jpeg", []byte{0xFF, 0xD8, 0xFF, 0xD9}, "no pixels")
	add("jpeg whose segment is longer than the file", "image/jpeg", slices.Concat(j[:2], []byte{0xFF, 0xE1, 0xFF, 0xFF}, j[2:100]), "early")
	add("jpeg of five components", "image/jpeg", slices.Concat(j[:2], segment(0xC0, "\x08\x00\x01\x00\x01\x05"+strings.Repeat("\x01\x11\x00", 5)), j[2:]), "components")
	add("gif with a picture beyond its canvas", "image/gif", bytes.Replace(g, []byte{0x2C, 0, 0, 0, 0, 64}, []byte{0x2C, 9, 0, 0, 0, 64}, 1), "beyond")
	add("gif of nothing", "image/gif", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00\x3B"), "no pixels")
	add("gif with an unknown block", "image/gif", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00\x77"), "unknown")
	x := make([]byte, 10)
	add("webp of nothing", "image/webp", webp(riff("VP8X", x)), "no pixels")
	add("webp whose header says one pixel", "image/webp", webp(riff("VP8X", x), riff("VP8L", binary.LittleEndian.AppendUint32([]byte{0x2F}, 0x0FFFFFFF))), "another size")
	add("webp with two pictures", "image/webp", webp(riff("VP8L", pixel), riff("VP8L", pixel)), "two pictures")
	add("webp with a picture of an animation", "image/webp", webp(riff("VP8X", x), riff("ANMF", make([]byte, 16))), "animation")
	a := []byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	add("webp with a picture beyond its canvas", "image/webp", webp(riff("VP8X", a), riff("ANMF", append([]byte{9}, make([]byte, 15)...))), "beyond")
	add("webp with an empty picture", "image/webp", webp(riff("VP8X", a), riff("ANMF", make([]byte, 16))), "without pixels")
	add("webp longer than the file", "image/webp", append([]byte("RIFF\xFF\xFF\xFF\x7FWEBP"), w[12:]...), "early")
	return all
}

// scans is a progressive JPEG that goes over its pixels so often.
func scans(n int) []byte {
	b := slices.Concat([]byte{0xFF, 0xD8}, segment(0xC2, "\x08\x03\xE8\x03\xE8\x01\x01\x11\x00"))
	for range n {
		b = slices.Concat(b, segment(0xDA, "\x01\x01\x00\x00\x00\x00"), []byte{0})
	}
	return append(b, 0xFF, 0xD9)
}

func TestHostileFilesAreRefused(t *testing.T) {
	all := hostile()
	for name, f := range all {
		var err error
		used := allocated(func() { err = take(f.kind, []byte(f.content), bound) })
		var wrong *picture.Error
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, f.why) {
			t.Errorf("%s: %v, want an error with %q", name, err, f.why)
		}
		if used > memory {
			t.Errorf("%s: %d bytes are allocated, want %d at most", name, used, memory)
		}
	}
	if len(all) < 48 {
		t.Errorf("there are %d, which are not all of them", len(all))
	}
}

func TestWhatHidesInMetadataIsNeitherReadNorKept(t *testing.T) {
	j, p := jpegOf(corners(64, 64)), pngOf(corners(64, 64))
	broken := [][]byte{nil, []byte("MM"), []byte("MM\x00*\xFF\xFF\xFF\xFF"), []byte("II*\x00\x08\x00\x00\x00\xFF\xFF"), exif(9), exif(0), exif(1)[:12]}
	files := map[string][]byte{
		"page":    slices.Concat(j[:2], segment(0xFE, "<script>GPS</script>"), j[2:], []byte("<html><script>GPS</script>")),
		"archive": slices.Concat(j, []byte("PK\x03\x04GPS")),
		"profile": slices.Concat(j[:2], segment(0xE2, "ICC_PROFILE\x00\x01\x01GPS<?php"), j[2:]),
		"preview": slices.Concat(j[:2], segment(0xE0, "JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x01\x01GPS"), j[2:]),
	}
	for i, exif := range broken {
		files[fmt.Sprintf("EXIF %d", i)] = slices.Concat(j[:2], segment(0xE1, "Exif\x00\x00"+string(exif)), j[2:])
	}
	for name, content := range files {
		if clean, _ := cleaned(t, picture.JPEG, content); !bytes.HasSuffix(clean, []byte{0xFF, 0xD9}) || bytes.Contains(clean, []byte("script")) || bytes.Contains(clean, []byte("PK")) {
			t.Errorf("JPEG with a %s: it is in what is kept", name)
		}
	}
	bomb := slices.Concat(p[:33], chunk("iCCP", "a\x00\x00"+zeros(256<<20)), chunk("zTXt", "a\x00\x00"+zeros(256<<20)), p[33:])
	var clean []byte
	if used := allocated(func() { clean, _ = cleaned(t, picture.PNG, bomb) }); used > memory {
		t.Errorf("the profile of a PNG is a bomb: %d bytes are allocated", used)
	}
	if !bytes.Equal(clean, p) {
		t.Error("what is no profile is kept")
	}
}

// Each byte of small files is changed, and each prefix is taken: no decoder panics, and
// none takes more memory than the pixels of the header allow.
func TestChangedFilesAreTakenOrRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for kind, content := range map[string][]byte{
		picture.JPEG: photo(corners(9, 7), 6), picture.PNG: drawing(corners(9, 7), 6), picture.GIF: gifOf(3, 2, 2),
		picture.WebP: webp(riff("VP8X", []byte{0x3C, 0, 0, 0, 0, 0, 0, 0, 0, 0}), riff("VP8L", pixel), riff("EXIF", exif(6))),
	} {
		for i := range content {
			changed := slices.Clone(content)
			changed[i] ^= byte(1 + random.IntN(255))
			for _, file := range [][]byte{changed, content[:i]} {
				err := take(kind, file, 4096)
				var wrong *picture.Error
				if err != nil && !errors.As(err, &wrong) {
					t.Fatalf("%s with byte %d changed: %v", kind, i, err)
				}
			}
		}
	}
}

func FuzzTake(f *testing.F) {
	for _, h := range hostile() {
		if len(h.content) < 4096 {
			f.Add(h.kind, []byte(h.content))
		}
	}
	f.Add(picture.JPEG, photo(corners(9, 7), 6))
	f.Fuzz(func(t *testing.T, kind string, content []byte) {
		err := take(kind, content, bound)
		var wrong *picture.Error
		if err != nil && !errors.As(err, &wrong) {
			t.Fatal(err)
		}
	})
}
