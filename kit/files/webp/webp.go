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

	"github.com/deepteams/webp"

	"github.com/entwine-go/entwine/kit/internal/picture"
)

func init() {
	picture.EncodeWebP = func(w io.Writer, m image.Image, quality int) error {
		o := webp.DefaultOptions()
		o.Quality = float32(quality)
		return webp.Encode(w, m, o)
	}
}
