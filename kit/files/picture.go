package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/entwine-go/entwine/kit/internal/picture"
	"github.com/entwine-go/entwine/kit/problem"
)

// pictureMemory is how many bytes of pixels a process decodes at once. A picture that
// needs more by itself is refused.
const pictureMemory = 256 << 20

// studio is where pictures are decoded. It bounds how many are in memory, and how much
// their pixels need, whatever is uploaded.
type studio struct {
	once   sync.Once
	places chan struct{}
	memory *semaphore.Weighted
}

// enter waits for a place. The caller calls leave.
func (s *studio) enter(ctx context.Context) (leave func(), err error) {
	s.once.Do(func() {
		s.places = make(chan struct{}, runtime.GOMAXPROCS(0))
		s.memory = semaphore.NewWeighted(pictureMemory)
	})
	select {
	case s.places <- struct{}{}:
		return func() { <-s.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// open reads a picture and takes it apart, and has do decode it once there is memory.
func (s *studio) open(ctx context.Context, r io.Reader, size int64, mediaType string, pixels int64, do func(*picture.Picture) error) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	content := make([]byte, size)
	if _, err := io.ReadFull(r, content); err != nil {
		return fmt.Errorf("read a picture: %w", err)
	}
	p, err := picture.Parse(mediaType, content, pixels)
	if err != nil {
		return unusable(err)
	}
	if p.Memory > pictureMemory {
		return problem.New(problem.Unprocessable, "the picture can't be used: %d × %d pixels of its kind need %d MB to be decoded, and %d are allowed",
			p.Width, p.Height, p.Memory>>20, pictureMemory>>20)
	}
	if err := s.memory.Acquire(ctx, p.Memory); err != nil {
		return err
	}
	defer s.memory.Release(p.Memory)
	return unusable(do(p))
}

// unusable makes an answer to the client of what is wrong with a picture.
func unusable(err error) error {
	if wrong, ok := errors.AsType[*picture.Error](err); ok {
		return problem.Wrap(err, problem.Unprocessable, "the picture can't be used: %s", wrong.Reason)
	}
	return err
}

// clean makes a draft of what is kept of a picture: upright and without metadata. It
// notes in f what that is. The caller discards the draft.
func (k *Keeper) clean(ctx context.Context, d *Draft, f *File, t Target) (clean *Draft, err error) {
	content := d.content(ctx)
	defer content.Close()
	err = k.studio.open(ctx, content, d.size, f.MediaType, t.Field.File.Pixels, func(p *picture.Picture) error {
		content, info, err := p.Clean()
		if err != nil {
			return err
		}
		f.become(info)
		clean, err = k.draft(content)
		return err
	})
	return clean, err
}

// draft is a draft of what is in memory.
func (k *Keeper) draft(content []byte) (*Draft, error) {
	d, err := k.Draft()
	if err != nil {
		return nil, err
	}
	if _, err := d.Write(content); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

// become notes what a picture is that was made of the file.
func (f *File) become(info picture.Info) {
	if info.MediaType != f.MediaType {
		f.Name = strings.TrimSuffix(f.Name, path.Ext(f.Name)) + endings[info.MediaType]
	}
	f.MediaType, f.Width, f.Height, f.BlurHash = info.MediaType, info.Width, info.Height, info.BlurHash
}

// endings are those of names of the media types that pictures are encoded to.
var endings = map[string]string{picture.JPEG: ".jpg", picture.PNG: ".png"}
