package expose

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"entgo.io/ent/schema"
)

// FilePath is where the addresses of files begin: "/api/files/" and the file's id. It
// has no version of REST in it, so that a stored address stays valid in all of them.
const FilePath = Prefix + "/files/"

// DefaultFileSize is how many bytes a file has at most where [MaxSize] says nothing:
// 10 MiB.
const DefaultFileSize = 10 << 20

// FileRule says which files a field takes. Schemas do not fill it in: see [File].
type FileRule struct {
	// Size is how many bytes a file has at most.
	Size int64 `json:"size"`
	// Types are the media types that are taken: "image/png", "image/*". None: all.
	Types []string `json:"types,omitempty"`
	// Elsewhere is set where the field also takes addresses of other servers.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Image is set where pictures are decoded, turned upright and freed of metadata, and
	// Pixels is how many they have at most.
	Image  bool  `json:"image,omitempty"`
	Pixels int64 `json:"pixels,omitempty"`
	// Variants are the smaller pictures that can be asked for.
	Variants []Variant `json:"variants,omitempty"`
	// Measured is set where rows show how large the picture is, and what stands for it.
	Measured bool `json:"measured,omitempty"`
	// Issued is set where the service makes the files, and no one uploads any.
	Issued bool `json:"issued,omitempty"`
}

// FileOption is an option of [File].
type FileOption func(*FileRule)

// MaxSize bounds a file to so many bytes.
func MaxSize(bytes int64) FileOption { return func(r *FileRule) { r.Size = bytes } }

// Types lists the media types that a file may have: "application/pdf", "image/*". The
// content decides which one a file has, not its name.
func Types(types ...string) FileOption {
	return func(r *FileRule) { r.Types = append(r.Types, types...) }
}

// imageTypes are the formats of pictures that every browser shows and that hold no script.
var imageTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// Image takes PNG, JPEG, GIF and WebP. A picture is stored upright and without metadata,
// such as its place. Other files, and pictures with more than [MaxPixels], are refused.
func Image(r *FileRule) {
	r.Types = append(r.Types, imageTypes...)
	r.Image = true
}

// DefaultPixels bounds the pixels of a picture where [MaxPixels] does not: 25 million,
// enough for cameras of phones.
const DefaultPixels = 25_000_000

// MaxPixels bounds the pixels of an [Image], its width times its height.
func MaxPixels(n int64) FileOption { return func(r *FileRule) { r.Pixels = n } }

// Measured has rows show, beside the address of an [Image], how many pixels wide and high it is and its
// BlurHash, on request: avatar_width, avatar_height and avatar_blur_hash of the field avatar. All are
// null where there is no picture, or one elsewhere.
func Measured(r *FileRule) { r.Measured = true }

// Elsewhere has the field also take an http or https address of another server.
func Elsewhere(r *FileRule) { r.Elsewhere = true }

// Issued has the service itself make the files of a field that is Computed, such as
// documents: see files.Keeper.Issue. No upload is for it.
func Issued(r *FileRule) { r.Issued = true }

// Variant is a smaller picture that is made of an [Image], the first time that it is asked
// for by its name. It is never larger than the original.
type Variant struct {
	// Name is its name in addresses: small letters, digits and _.
	Name string `json:"name"`
	// Width and Height bound it. With [Inside] one of them may be 0, for no bound.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	// Fit is Inside where it is empty.
	Fit Fit `json:"fit,omitempty"`
	// Format is that of the original where it is empty, or JPEG or PNG of one that can't be written.
	Format Format `json:"format,omitempty"`
}

// Format is the format of a [Variant].
type Format string

// WebP is smaller than JPEG. The program imports its encoder: _ "github.com/entwine-go/entwine/kit/files/webp".
const WebP Format = "webp"

// Fit says how a [Variant] fits its bounds.
type Fit string

const (
	// Inside has all of the picture inside the bounds. It is the default.
	Inside Fit = "inside"
	// Cover fills the bounds, and cuts off the rest on both sides.
	Cover Fit = "cover"
)

// String is how the variant is made, whatever it is called.
func (v Variant) String() string {
	fit := v.Fit
	if fit == "" {
		fit = Inside
	}
	if v.Format != "" {
		return fmt.Sprintf("%d×%d, %s, %s", v.Width, v.Height, fit, v.Format)
	}
	return fmt.Sprintf("%d×%d, %s", v.Width, v.Height, fit)
}

// Variants declares smaller pictures of an [Image].
//
//	expose.Variants(expose.Variant{Name: "small", Width: 96, Height: 96, Fit: expose.Cover})
func Variants(all ...Variant) FileOption {
	return func(r *FileRule) { r.Variants = append(r.Variants, all...) }
}

// Variant is the variant with the name, and false where there is none.
func (r *FileRule) Variant(name string) (Variant, bool) {
	i := slices.IndexFunc(r.Variants, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return Variant{}, false
	}
	return r.Variants[i], true
}

// File makes a nullable text the address of a file that was uploaded for it: see
// doc/schema/files.md.
//
//	expose.File(field.String("avatar"), expose.Image, expose.MaxSize(2<<20)).Optional().Nillable()
//
// A client uploads the file, and sets the field to its address. Callers who read the
// field in the row download the file. A file goes once its row does, or the field has
// another address.
func File[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B, options ...FileOption) B {
	rule := &FileRule{Size: DefaultFileSize}
	for _, option := range options {
		option(rule)
	}
	if rule.Issued {
		rule.Size = 0 // the service bounds what it makes
	}
	if rule.Image && rule.Pixels == 0 {
		rule.Pixels = DefaultPixels
	}
	maximum := longestURL
	b.Validate(rule.check)
	return b.Annotations(Field{File: rule, Format: "uri-reference", MaxLength: &maximum})
}

// check returns an error unless the text is an address that the field takes.
func (r *FileRule) check(s string) error {
	switch {
	case IsFile(s), r.Elsewhere && validURL(s):
		return nil
	case r.Elsewhere:
		return fmt.Errorf("must be the address of an uploaded file, %s…, or an http or https address of at most %d characters", FilePath, longestURL)
	}
	return fmt.Errorf("must be the address of an uploaded file: %s…", FilePath)
}

// Takes reports whether the rule allows a media type, which has no parameters.
func (r *FileRule) Takes(mediaType string) bool {
	group, _, _ := strings.Cut(mediaType, "/")
	return len(r.Types) == 0 || slices.Contains(r.Types, mediaType) || slices.Contains(r.Types, group+"/*")
}

// Cleans reports whether files of a media type that the field takes are decoded as
// pictures, and freed of metadata.
func (r *FileRule) Cleans(mediaType string) bool {
	return r.Image && slices.Contains(imageTypes, mediaType)
}

// FileIDLength is how many characters the id of a file has: small letters and digits.
const FileIDLength = 26

// IsFile reports whether a text has the form of a file's address.
func IsFile(s string) bool {
	id, ok := strings.CutPrefix(s, FilePath)
	return ok && len(id) == FileIDLength && !strings.ContainsFunc(id, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '2' || c > '7')
	})
}

// longestURL is how many characters an address has at most.
const longestURL = 2000

// validURL reports whether a text is an absolute http or https address of one line.
func validURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && len(s) <= longestURL && ValidLine(s) == nil
}
