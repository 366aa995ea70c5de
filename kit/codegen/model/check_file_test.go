package model_test

import (
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestMistakesOfFiles(t *testing.T) {
	cover := func(options ...expose.FileOption) func() {
		return func() {
			book.fields = with(book.fields, expose.File(field.String("cover"), options...).Optional().Nillable())
		}
	}
	issued := func() {
		book.fields = with(book.fields, expose.File(field.String("cover"), expose.Issued).Optional().Nillable().Annotations(expose.Computed()))
	}
	variant := func(v expose.Variant) func() { return cover(expose.Image, expose.Variants(v)) }
	wrong(t, library, []mistake{
		{"files without tables of them", cover(), `Book.cover: expose.File: there are not all tables of files: write File struct{ tables.File }, Blob struct{ tables.Blob }, FileUpload struct{ tables.FileUpload }, FilePart struct{ tables.FilePart } and FileUsage struct{ tables.FileUsage } ` +
			`beside the other tables of the kit in schema/kit.go, then weave generate and weave migrate diff add_files`},
		{"a document that clients set", cover(expose.Issued), `Book.cover: expose.Issued: a field that is Computed, neither Secret nor unique, is allowed, without another option of expose.File: the service decides what it makes`},
		{"documents alone", issued, `Book.cover: expose.Issued: no field takes uploads, and without one there are no operations of files: declare expose.File without expose.Issued for another field`},
		{"a media type in capitals", cover(expose.Types("Image/PNG")), `Book.cover: expose.Types("Image/PNG"): media types in small letters are allowed, such as image/png and image/*`},
		{"a variant without a size", variant(expose.Variant{Name: "small"}), `Book.cover: expose.Variant "small": it needs a Width, a Height or both`},
		{"a variant without a name", variant(expose.Variant{Width: 1}), `Book.cover: expose.Variant "": a name of small letters, digits and _ is allowed, which begins with a letter`},
		{"a variant that covers a line", variant(expose.Variant{Name: "small", Width: 9, Fit: expose.Cover}), `Book.cover: expose.Variant "small": expose.Cover needs a Width and a Height`},
		{"a variant that fits otherwise", variant(expose.Variant{Name: "small", Width: 9, Fit: "fill"}), `Book.cover: expose.Variant "small": the Fit "fill" is none: expose.Inside and expose.Cover are allowed`},
		{"a variant that is too large", variant(expose.Variant{Name: "huge", Width: 9000}), `Book.cover: expose.Variant "huge": sides of 1 to 8192 pixels are allowed`},
		{"measures of no picture", cover(expose.Measured, expose.Types("text/plain")), `Book.cover: expose.Measured: it is for expose.Image, without which no picture is decoded`},
		{"two variants of one name", cover(expose.Image, expose.Variants(expose.Variant{Name: "a", Width: 1}, expose.Variant{Name: "a", Width: 2})), `Book.cover: expose.Variant "a": it is there twice`},
	})
}
