package picture_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
)

// corners is a picture whose quarters are red, green, blue and yellow, from the left
// above to the right below, so that it shows how it was turned.
func corners(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, quarters[2*(2*y/h)+2*x/w])
		}
	}
	return m
}

var quarters = []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func jpegOf(m image.Image) []byte {
	var b bytes.Buffer
	must(jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}))
	return b.Bytes()
}

func pngOf(m image.Image) []byte {
	var b bytes.Buffer
	must(png.Encode(&b, m))
	return b.Bytes()
}

// gifOf is an animation of so many pictures.
func gifOf(w, h, pictures int) []byte {
	all := &gif.GIF{}
	for range pictures {
		m := image.NewPaletted(image.Rect(0, 0, w, h), palette.WebSafe)
		all.Image, all.Delay = append(all.Image, m), append(all.Delay, 10)
	}
	var b bytes.Buffer
	must(gif.EncodeAll(&b, all))
	return b.Bytes()
}

// secret is in metadata of each kind: it is nowhere in what is kept.
const secret = "GPS 48.8583 N 2.2945 E"

// exif is a file of TIFF with an orientation and a secret.
func exif(orientation int) []byte {
	b := []byte("MM\x00*\x00\x00\x00\x08\x00\x02")
	b = append(b, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, byte(orientation), 0, 0)
	b = append(b, 0x01, 0x0E, 0, 2, 0, 0, 0, byte(len(secret)), 0, 0, 0, 38, 0, 0, 0, 0)
	return append(b, secret...)
}

// icc has the form of a color profile.
func icc(size int) []byte {
	b := make([]byte, size)
	binary.BigEndian.PutUint32(b, uint32(size))
	copy(b[16:], "RGB ")
	copy(b[36:], "acsp")
	for i := 128; i < size; i++ {
		b[i] = byte(i * i)
	}
	return b
}

// segment is one of JPEG.
func segment(marker byte, data string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xFF, marker}, uint16(len(data)+2)), data...)
}

// photo is a JPEG as phones make it: with EXIF, XMP, a comment, a profile, and a second
// picture after its end.
func photo(m image.Image, orientation int) []byte {
	b := jpegOf(m)
	return slices.Concat(b[:2],
		segment(0xE1, "Exif\x00\x00"+string(exif(orientation))), segment(0xE1, "http://ns.adobe.com/xap/1.0/\x00"+secret),
		segment(0xE2, "ICC_PROFILE\x00\x01\x01"+string(icc(600))), segment(0xE2, "MPF\x00"+secret), segment(0xED, "Photoshop 3.0\x00"+secret), segment(0xFE, secret),
		b[2:], []byte(secret), b)
}

// chunk is one of PNG.
func chunk(kind, data string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// drawing is a PNG with all metadata that there is.
func drawing(m image.Image, orientation int) []byte {
	b := pngOf(m)
	return slices.Concat(b[:33], chunk("tEXt", "Comment\x00"+secret), chunk("iTXt", "XML:com.adobe.xmp\x00\x00\x00\x00\x00"+secret), chunk("eXIf", string(exif(orientation))),
		chunk("prVt", secret), chunk("tIME", "\x07\xE8\x01\x02\x03\x04\x05"), b[33:], []byte(secret))
}

// header is the beginning of a JPEG, of a PNG, of a GIF and of a WebP of so many pixels.
func header(kind string, w, h int) []byte {
	switch kind {
	case "image/jpeg":
		return slices.Concat([]byte{0xFF, 0xD8}, segment(0xC0, string([]byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 1, 1, 0x11, 0})), segment(0xDA, "\x01\x01\x00\x00\x3F\x00"), []byte{0xFF, 0xD9})
	case "image/png":
		size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
		return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", string(size)+"\x08\x02\x00\x00\x00"), chunk("IDAT", ""), chunk("IEND", ""))
	case "image/gif":
		return slices.Concat([]byte{'G', 'I', 'F', '8', '9', 'a', byte(w), byte(w >> 8), byte(h), byte(h >> 8), 0, 0, 0},
			[]byte{0x2C, 0, 0, 0, 0, byte(w), byte(w >> 8), byte(h), byte(h >> 8), 0, 2, 1, 0x44, 0, 0x3B})
	}
	data := make([]byte, 10)
	put24(data[4:], w-1)
	put24(data[7:], h-1)
	return webp(riff("VP8X", data), riff("VP8L", append([]byte{0x2F}, binary.LittleEndian.AppendUint32(nil, uint32(w-1)&0x3FFF|uint32(h-1)&0x3FFF<<14)...)))
}

func put24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }

func riff(kind string, data []byte) []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(data))), data...)
	if len(data)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

func webp(chunks ...[]byte) []byte {
	all := slices.Concat(chunks...)
	return slices.Concat(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(all)+4)), []byte("WEBP"), all)
}

// pixel is the content of VP8L of one pixel.
var pixel = []byte{0x2F, 0, 0, 0, 0x10, 0x07, 0x10, 0xFD, 0x8F, 0xFE, 0x07, 0x22, 0xA2, 0xFF, 0x01}
