package files_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
)

// A program that can't make what its schema declares is refused, and the refusal says what to import.
func TestAVariantWithoutAnEncoderIsRefused(t *testing.T) {
	t.Parallel()
	field := &entity.Field{Name: "picture", File: &expose.FileRule{Image: true, Variants: []expose.Variant{{Name: "small", Width: 96}}}}
	targets := []files.Target{{Entity: &entity.Entity{Singular: "drawing"}, Field: field}}
	if err := files.Encodes(targets); err != nil {
		t.Errorf("a variant in the format of its original: %v", err)
	}
	field.File.Variants[0].Format = expose.WebP
	err := files.Encodes(targets)
	for _, want := range []string{`"small"`, "drawing.picture", `import _ "github.com/entwine-go/entwine/kit/files/webp"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a variant as WebP: %v, want an error with %s", err, want)
		}
	}
}
