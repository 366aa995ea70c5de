package files

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/internal/picture"
)

// Maker makes variants of pictures elsewhere: see package kit/files/imgproxy.
type Maker interface {
	// Make returns a variant of the picture of the media type that is stored under the key of the
	// Store, with most bytes at most.
	Make(ctx context.Context, key, mediaType string, v expose.Variant, most int64) ([]byte, error)
}

// mostMade is how many bytes a variant may have that is made elsewhere, or what its pixels need
// where that is less.
const mostMade = 16 << 20

// ordered is a draft of a variant that the Maker makes, nil where there is none, or it fails. It
// notes in made what that is. The picture is decoded and cleaned here as an uploaded one is.
func (k *Keeper) ordered(ctx context.Context, f, made *File, v expose.Variant) (*Draft, error) {
	if k.Maker == nil {
		return nil, nil
	}
	var d *Draft
	content, err := k.Maker.Make(ctx, blobKey(f.Stored), f.MediaType, v, min(mostMade, 4*mostPixels(f)))
	if err == nil {
		mediaType, _, _ := strings.Cut(mimetype.Detect(content).String(), ";")
		err = k.studio.open(ctx, bytes.NewReader(content), int64(len(content)), mediaType, mostPixels(f), func(p *picture.Picture) error {
			if p.Width > bound(v.Width, f.Width) || p.Height > bound(v.Height, f.Height) {
				return fmt.Errorf("the variant has %d × %d pixels: %s was ordered", p.Width, p.Height, v)
			}
			clean, info, err := p.Clean()
			if err != nil {
				return err
			}
			made.become(info)
			d, err = k.draft(clean)
			return err
		})
	}
	if err != nil && ctx.Err() == nil {
		k.Log.WarnContext(ctx, "variant is made by this process: it could not be had from elsewhere", "file", f.Key(), "err", err)
		return nil, nil
	}
	return d, err
}

// bound is how many pixels a side has at most: those of the original where the variant does not
// say, or says more.
func bound(of, original int) int {
	if of == 0 || original > 0 && original < of {
		return original
	}
	return of
}
