// Package webp has variants of pictures made as WebP, where they are declared so
// (expose.Variant.Format). A service imports it for that, in its package main:
//
//	import _ "github.com/entwine-go/entwine/kit/files/webp"
//
// The package owns which encoder that is: github.com/deepteams/webp, libwebp in Go. It leaves to package files what a variant is.
package webp

import (
	"image"
	"io"
	"sync"

	"github.com/deepteams/webp"

	"github.com/entwine-go/entwine/kit/internal/picture"
)

func init() {
	picture.EncodeWebP = func(w io.Writer, m image.Image, quality int) error {
		prepared()
		return encode(w, m, quality)
	}
}

// prepared has the encoder make its tables, once: it begins to use those that another
// goroutine is still making (github.com/deepteams/webp v1.2.0), so that two pictures which
// are the first at the same time had wrong colours.
var prepared = sync.OnceFunc(func() { _ = encode(io.Discard, image.NewNRGBA(image.Rect(0, 0, 16, 16)), 80) })

func encode(w io.Writer, m image.Image, quality int) error {
	o := webp.DefaultOptions()
	o.Quality = float32(quality)
	return webp.Encode(w, m, o)
}
