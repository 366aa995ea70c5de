package builtin

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// contained is the policy of a file's content, where a browser takes it for a page: it
// runs no script, loads nothing, and is of no origin.
const contained = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// shown reports whether a page may show a file of the media type: formats that hold no script.
func shown(mediaType string) bool {
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif":
		return true
	}
	return strings.HasPrefix(mediaType, "audio/") || strings.HasPrefix(mediaType, "video/")
}

// part is the name of the part of a form that is the file.
const part = "file"

// sent is the file that a request sends: its body, or a part of a form.
func sent(r *http.Request) (u files.Upload, err error) {
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if strings.HasPrefix(kind, "multipart/") {
		return sentForm(r, kind, params["boundary"])
	}
	u.Body, u.Length = bodyOf(r), r.ContentLength
	if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Disposition")); err == nil {
		u.Name = params["filename"]
	}
	for _, header := range []string{"Content-Digest", "Repr-Digest"} {
		if err := digests(&u.Sums, header, r.Header.Values(header)); err != nil {
			return u, err
		}
	}
	return u, nil
}

func sentForm(r *http.Request, kind, boundary string) (u files.Upload, err error) {
	if kind != "multipart/form-data" || boundary == "" {
		return u, problem.New(problem.UnsupportedMedia, "a form is multipart/form-data with a boundary")
	}
	form := &form{from: multipart.NewReader(content{r.Body}, boundary)}
	if u.Name, err = form.open(); err != nil {
		return u, unread(err)
	}
	if form.file == nil {
		return u, problem.Inputs(problem.Invalidf(part, nil, "is missing: the form has a part of this name, which is the file"))
	}
	u.Body = form
	return u, nil
}

// form reads the part that is the file, and then makes sure that there is no second one.
type form struct {
	from *multipart.Reader
	file *multipart.Part
	seen int
}

// open goes to the next part that is a file. None is left where it is nil afterwards.
func (f *form) open() (name string, err error) {
	f.file = nil
	for ; f.seen < mostParts; f.seen++ {
		p, err := f.from.NextRawPart() // what it skips is bounded by the body
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", &malformedError{err}
		}
		if p.FormName() == part {
			f.file = p
			return web.FileName(p), nil
		}
	}
	return "", nil
}

// Read implements io.Reader.
func (f *form) Read(p []byte) (int, error) {
	if f.file == nil {
		return 0, io.EOF
	}
	n, err := content{f.file}.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if _, err := f.open(); err != nil {
		return n, err
	}
	if f.file != nil {
		return n, problem.Inputs(problem.Invalidf(part, nil, "is there twice: a form has one part of this name, which is the file"))
	}
	return n, io.EOF
}

// mostParts is how many parts of a form are looked at.
const mostParts = 20

// digests reads a field of RFC 9530, a dictionary of sums in base64 between colons, into
// the sums. Those of other algorithms are not compared.
func digests(u *files.Sums, header string, values []string) error {
	for one := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, text, _ := strings.Cut(strings.TrimSpace(one), "=")
		into, size := &u.SHA256, 32
		switch name {
		case "sha-256":
		case "sha-512":
			into, size = &u.SHA512, 64
		default:
			if name != "" && strings.Count(text, ":") < 2 {
				return problem.Inputs(problem.Invalidf(header, one, "must be sums such as sha-256=:…:, each in base64 between colons"))
			}
			continue
		}
		text, _, _ = strings.Cut(text, ";")
		text, opens := strings.CutPrefix(strings.TrimSpace(text), ":")
		text, closes := strings.CutSuffix(text, ":")
		sum, err := base64.StdEncoding.DecodeString(text)
		switch {
		case !opens || !closes || err != nil || len(sum) != size:
			return problem.Inputs(problem.Invalidf(header, one, "must have %s as %d bytes in base64 between colons", name, size))
		case *into != nil && string(*into) != string(sum):
			return problem.Inputs(problem.Invalidf(header, one, "must be the sum that the other header has: the body is the whole file"))
		}
		*into = sum
	}
	return nil
}

// unread returns the reason why the content could not be received: any fault but the
// client's is an error of storing it.
func unread(err error) error {
	if _, malformed := errors.AsType[*malformedError](err); malformed || problem.As(err) != nil {
		return web.Unread(err)
	}
	return fmt.Errorf("receive a file: %w", err)
}

// content is a body whose errors are the client's, as opposed to those of storing it.
type content struct{ io.Reader }

// Read implements io.Reader.
func (c content) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &malformedError{err}
	}
	return n, err
}

// malformedError is an error of a body that a client has sent.
type malformedError struct{ error }

// Unwrap returns the error of the reader.
func (e *malformedError) Unwrap() error { return e.error }
