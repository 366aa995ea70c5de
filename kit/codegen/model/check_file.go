package model

import (
	"fmt"
	"regexp"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// mediaType is one of expose.Types, whose subtype may be any.
var mediaType = regexp.MustCompile(`^[a-z]+/(\*|[a-z0-9][a-z0-9.+-]*)$`)

// mostFile bounds the bytes of a file, to the size that one upload can send.
const mostFile = 16 << 30

// mostPicture and mostPixels bound a picture, which is in memory while it is decoded.
const (
	mostPicture = 64 << 20
	mostPixels  = 100_000_000
)

// files checks the fields that hold addresses of files.
func (c checker) files(tables map[string]*gen.Type) {
	for _, f := range c.Fields {
		switch {
		case f.File == nil:
		case f.File.Issued && (!f.ReadOnly || f.Secret || f.Type.Unique || f.Unique || f.File.Size != 0 || f.File.Image || f.File.Measured || f.File.Elsewhere || f.File.Types != nil || f.File.Variants != nil):
			c.wrong(f.Name, "expose.Issued: a field that is Computed, neither Secret nor unique, is allowed, without another option of expose.File: the service decides what it makes")
		case f.File.Issued && !slices.ContainsFunc(c.all, (*Entity).takesFiles):
			c.wrong(f.Name, "expose.Issued: no field takes uploads, and without one there are no operations of files: declare expose.File without expose.Issued for another field")
		case !hasAll(tables, "files", "blobs", "file_uploads", "file_parts", "file_usages"):
			c.wrong(f.Name, "expose.File: there are not all tables of files: write File struct{ tables.File }, Blob struct{ tables.Blob }, FileUpload struct{ tables.FileUpload }, FilePart struct{ tables.FilePart } and FileUsage struct{ tables.FileUsage } beside the other tables of the kit in schema/kit.go, then weave generate and weave migrate diff add_files")
		case tables["jobs"] == nil:
			c.wrong(f.Name, "expose.File: there is no table of jobs, one of which removes files: embed tables.Job and tables.JobChunk")
		case !f.Type.IsString() || !f.Type.Nillable || !f.Type.Optional:
			c.wrong(f.Name, "expose.File: a text that is Optional and Nillable is allowed: the file whose address it holds can be removed")
		case f.File.Issued:
		case f.Secret || f.ReadOnly || f.Type.Unique || f.Unique:
			c.wrong(f.Name, "expose.File: a field that clients set and see is allowed: neither Secret, Computed, Unique nor UniqueFold. For files that the service makes there is expose.Issued")
		case f.File.Size < 1 || f.File.Size > mostFile:
			c.wrong(f.Name, "expose.MaxSize(%d): 1 to %d bytes are allowed", f.File.Size, int64(mostFile))
		case f.File.Image && f.File.Size > mostPicture:
			c.wrong(f.Name, "expose.MaxSize(%d): pictures of 1 to %d bytes are allowed, because they are decoded in memory", f.File.Size, mostPicture)
		case f.File.Image && (f.File.Pixels < 1 || f.File.Pixels > mostPixels):
			c.wrong(f.Name, "expose.MaxPixels(%d): 1 to %d are allowed", f.File.Pixels, mostPixels)
		case !f.File.Image && f.File.Pixels != 0:
			c.wrong(f.Name, "expose.MaxPixels: it is for expose.Image, without which no picture is decoded")
		case !f.File.Image && len(f.File.Variants) > 0:
			c.wrong(f.Name, "expose.Variants: they are for expose.Image, without which no picture is decoded")
		}
		if f.File == nil {
			continue
		}
		c.variants(f)
		switch {
		case f.File.Measured && !f.File.Image:
			c.wrong(f.Name, "expose.Measured: it is for expose.Image, without which no picture is decoded")
		case f.File.Measured && (len(f.Visible) > 0 || f.Known):
			c.wrong(f.Name, "expose.Measured: a field is allowed that all see who read the row: neither expose.VisibleTo nor left out of Public")
		}
		for _, t := range f.File.Types {
			if !mediaType.MatchString(t) {
				c.wrong(f.Name, "expose.Types(%q): media types in small letters are allowed, such as image/png and image/*", t)
			}
		}
	}
}

// hasAll reports whether all tables of the names are there.
func hasAll(tables map[string]*gen.Type, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return tables[name] == nil })
}

// variantName matches names of variants.
var variantName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,49}$`)

// mostVariant is how many pixels a side of a variant may have.
const mostVariant = 8192

// variants checks the smaller pictures of a field.
func (c checker) variants(f *Field) {
	seen := map[string]bool{}
	for _, v := range f.File.Variants {
		says := ""
		switch {
		case !variantName.MatchString(v.Name):
			says = "a name of small letters, digits and _ is allowed, which begins with a letter"
		case seen[v.Name]:
			says = "it is there twice"
		case v.Width < 0 || v.Width > mostVariant || v.Height < 0 || v.Height > mostVariant:
			says = fmt.Sprintf("sides of 1 to %d pixels are allowed", mostVariant)
		case v.Fit != "" && v.Fit != expose.Inside && v.Fit != expose.Cover:
			says = fmt.Sprintf("the Fit %q is none: expose.Inside and expose.Cover are allowed", v.Fit)
		case v.Format != "" && v.Format != expose.WebP:
			says = fmt.Sprintf("the Format %q is none: expose.WebP is allowed, or none, which is the format of the original", v.Format)
		case v.Fit == expose.Cover && (v.Width == 0 || v.Height == 0):
			says = "expose.Cover needs a Width and a Height"
		case v.Width == 0 && v.Height == 0:
			says = "it needs a Width, a Height or both"
		}
		if says != "" {
			c.wrong(f.Name, "expose.Variant %q: %s", v.Name, says)
		}
		seen[v.Name] = true
	}
}

// HasFiles reports whether a field of the entity holds addresses of files.
func (e *Entity) HasFiles() bool {
	return slices.ContainsFunc(e.Fields, func(f *Field) bool { return f.File != nil })
}

// takesFiles reports whether files are uploaded for a field of the entity.
func (e *Entity) takesFiles() bool {
	return slices.ContainsFunc(e.Fields, func(f *Field) bool { return f.File != nil && !f.File.Issued })
}

// FileFields are the fields of all entities that files are uploaded for.
func (m *Model) FileFields() []*Field {
	var all []*Field
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if f.File != nil && !f.File.Issued {
				all = append(all, f)
			}
		}
	}
	return all
}

// FileTarget is the name of a field in uploads: "profile.avatar".
func (f *Field) FileTarget() string { return f.Entity.Singular + "." + f.Name }
