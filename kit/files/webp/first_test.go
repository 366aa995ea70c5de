package webp_test

import (
	"bytes"
	"image"
	"image/color"
	"sync"
	"testing"

	_ "github.com/entwine-go/entwine/kit/files/webp"
	"github.com/entwine-go/entwine/kit/internal/picture"
)

// Pictures that are the first ones at the same time are the same.
func TestTheFirstPicturesAreAlike(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		m.Set(i%64, i/64, color.NRGBA{uint8(i), uint8(i / 16), uint8(i * 7), 255})
	}
	made := make([]bytes.Buffer, 8)
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() {
			if err := picture.EncodeWebP(&made[i], m, 80); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range made {
		if !bytes.Equal(made[i].Bytes(), made[0].Bytes()) {
			t.Errorf("picture %d has %d bytes that differ from the %d of the first", i, made[i].Len(), made[0].Len())
		}
	}
}
