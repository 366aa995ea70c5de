package files

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/internal/picture"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// makingTime is how long a variant may take to be made, with the time that it waits for
// others.
const makingTime = time.Minute

// Declared is the variant with the name that the file's field declares. The error is of
// the kind Invalid and lists those that there are.
func (k *Keeper) Declared(f *File, name string) (expose.Variant, error) {
	var names []string
	if t, known := k.of(f); known && t.Field.File.Cleans(f.MediaType) {
		if v, ok := t.Field.File.Variant(name); ok {
			return v, nil
		}
		for _, v := range t.Field.File.Variants {
			names = append(names, v.Name)
		}
	}
	if names == nil {
		return expose.Variant{}, problem.Inputs(problem.Invalidf("variant", name, "must be left out: the file has no variants"))
	}
	return expose.Variant{}, problem.Inputs(problem.Invalidf("variant", name, "must be one of %s", strings.Join(names, ", ")))
}

// Encodes fails where a field declares a variant in a format that the program has no encoder of.
func Encodes(targets []Target) error {
	for _, t := range targets {
		for _, v := range t.Field.File.Variants {
			if v.Format == expose.WebP && picture.EncodeWebP == nil {
				return fmt.Errorf(`the variant %q of %s has the Format expose.WebP, of which the program has no encoder: import _ "github.com/entwine-go/entwine/kit/files/webp" in its package main`, v.Name, t.Name())
			}
		}
	}
	return nil
}

// Variant returns a smaller picture of a file that the viewer can read: see
// expose.Variants. It is made where it is not there yet. Several requests of a process
// wait for one that makes it. Processes may make it at once: one of them is kept. The
// error is of the kind Invalid where the field declares no variant of the name.
func (k *Keeper) Variant(ctx context.Context, f *File, name string) (*File, error) {
	v, err := k.Declared(f, name)
	if err != nil {
		return nil, err
	}
	if fits(f, v) {
		return f, nil
	}
	made, err := k.variant(ctx, f, v)
	if made != nil || err != nil {
		return made, err
	}
	return waited(ctx, &k.making, f.Key()+" "+v.String(), func() (*File, error) {
		ctx, cancel := context.WithTimeout(system(context.WithoutCancel(ctx)), makingTime)
		defer cancel()
		return k.make(ctx, f, v)
	})
}

// fits reports whether the file is the variant by itself. A file from before its field
// took pictures has no size.
func fits(f *File, v expose.Variant) bool {
	if v.Format == expose.WebP && f.MediaType != picture.WebP {
		return false
	}
	return v.Fit != expose.Cover && f.Width > 0 && (v.Width == 0 || f.Width <= v.Width) && (v.Height == 0 || f.Height <= v.Height)
}

var variantText = statement.Of(fileColumns + `WHERE f.original_id = $1 AND f.variant = $2 AND f.released_at IS NULL`)

// variant is the row of a variant, nil where it was not made yet.
func (k *Keeper) variant(ctx context.Context, f *File, v expose.Variant) (*File, error) {
	made := new(File)
	found, err := variantText.Row(ctx, k.DB, made.columns(), f.ID, v.String())
	if err != nil {
		return nil, fmt.Errorf("find a variant: %w", err)
	}
	if !found {
		return nil, nil
	}
	return made, nil
}

// make makes a variant, and keeps it.
func (k *Keeper) make(ctx context.Context, f *File, v expose.Variant) (*File, error) {
	made := *f
	d, err := k.ordered(ctx, f, &made, v)
	if d == nil && err == nil {
		d, err = k.rendered(ctx, f, &made, v)
	}
	if err != nil {
		return nil, err
	}
	defer d.Discard()
	err = k.keep(ctx, d, &made, func(ctx context.Context, made *File, stored string) error {
		return k.recordVariant(ctx, f, made, v, stored)
	})
	if err != nil {
		return nil, err
	}
	return &made, nil
}

// rendered is a draft of a variant that this process makes. It notes in made what that is.
func (k *Keeper) rendered(ctx context.Context, f, made *File, v expose.Variant) (d *Draft, err error) {
	original, err := k.Open(ctx, f, 0, -1)
	if err != nil {
		return nil, err
	}
	defer original.Close()
	err = k.studio.open(ctx, original, f.Size, f.MediaType, mostPixels(f), func(p *picture.Picture) error {
		content, info, err := p.Render(picture.Shape{Width: v.Width, Height: v.Height, Crop: v.Fit == expose.Cover, WebP: v.Format == expose.WebP})
		if err != nil {
			return err
		}
		made.become(info)
		d, err = k.draft(content)
		return err
	})
	return d, err
}

// mostPixels is how many pixels an original may have: it was judged when it was uploaded.
func mostPixels(f *File) int64 {
	return max(int64(f.Width)*int64(f.Height), expose.DefaultPixels)
}

var (
	// An original that goes gets no variant any more.
	originalText = statement.Of(`SELECT 1 FROM files WHERE id = $1 AND released_at IS NULL FOR UPDATE`)
	// Where another process has made it, or it was about to be removed, that one stays.
	madeText = statement.Of(`INSERT INTO files (address, entity, field, name, media_type, blob_id, width, height, original_id, variant, created_at)
		VALUES ($1, '', '', $2, $3, $4, $5, $6, $7, $8, now())
		ON CONFLICT (original_id, variant) DO UPDATE SET released_at = NULL
		RETURNING blob_id`)
	unusedText = statement.Of(`DELETE FROM blobs WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM files WHERE files.blob_id = blobs.id)`)
)

// recordVariant makes the rows of a variant. Its bytes are of the owner of the original.
// Its address is no field's.
func (k *Keeper) recordVariant(ctx context.Context, f, made *File, v expose.Variant, stored string) error {
	return k.DB.InTx(ctx, func(ctx context.Context) error {
		var one int
		found, err := originalText.Row(ctx, k.DB, []any{&one}, f.ID)
		if err != nil {
			return fmt.Errorf("lock the original of a variant: %w", err)
		}
		if !found {
			return NotFound()
		}
		var blob, kept int64
		if _, err := blobText.Row(ctx, k.DB, []any{&blob, &made.Stored}, f.owner(), made.SHA256, stored, made.Size, orNull(f.Tenant)); err != nil {
			return fmt.Errorf("record a variant: %w", err)
		}
		_, err = madeText.Row(ctx, k.DB, []any{&kept}, expose.FilePath+newKey(), made.Name, made.MediaType, blob, made.Width, made.Height, f.ID, v.String())
		if err != nil {
			return fmt.Errorf("record a variant: %w", err)
		}
		switch {
		case kept == blob && made.Stored == stored:
			// It counts among the owner's bytes, and is made whatever their quota is: others ask for it.
			if err := k.adjust(ctx, k.holders(f.owner(), f.Tenant), made.Size); err != nil {
				return err
			}
		case kept != blob:
			if _, err := unusedText.Exec(ctx, k.DB, blob); err != nil {
				return fmt.Errorf("record a variant: %w", err)
			}
		}
		other, err := k.variant(ctx, f, v)
		if err != nil {
			return err
		}
		*made = *other
		return nil
	})
}
