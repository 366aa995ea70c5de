package builtin

import (
	"crypto/sha1" //nolint:gosec // its size: tus has clients send such sums
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/web"
)

// protocol is how a client uploads a file in several requests. The two differ in headers
// alone.
type protocol int

const (
	// whole is an upload in one request.
	whole protocol = iota
	// draft is "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload).
	draft
	// tus is https://tus.io/protocols/resumable-upload, version 1.0.0.
	tus
)

const (
	// resumptionSupported is the status 104 of the draft, with where an upload goes on.
	resumptionSupported = 104

	tusExtension = "creation,creation-with-upload,creation-defer-length,expiration,termination,checksum"

	// checksumMismatch is the status of tus for a part that has another sum than it says.
	checksumMismatch = 460

	// The media types of a piece, as each protocol calls it.
	draftMedia = "application/partial-upload"
	tusMedia   = "application/offset+octet-stream"
)

// protocolOf is how a request uploads. Its answer says that tus is understood.
func protocolOf(h http.Header, r *http.Request) (protocol, error) {
	version, some := r.Header["Tus-Resumable"]
	switch {
	case some && slices.Equal(version, []string{web.TusVersion}):
		h.Set("Tus-Resumable", web.TusVersion)
		return tus, nil
	case some:
		h.Set("Tus-Version", web.TusVersion)
		return tus, problem.New(problem.PreconditionFailed, "version %s of tus is spoken here: Tus-Resumable says %s", web.TusVersion, strings.Join(version, ", "))
	case r.Method != http.MethodPost || len(r.Header["Upload-Complete"]) > 0:
		return draft, nil
	}
	return whole, nil
}

// begins reads the request that begins an upload. Its length is -1 where it is not said.
func (by protocol) begins(r *http.Request) (u files.Upload, length int64, err error) {
	if err := digests(&u.Sums, "Repr-Digest", r.Header.Values("Repr-Digest")); err != nil {
		return u, 0, err
	}
	if by == tus {
		if r.Header.Get("Upload-Concat") != "" { // else all parts would have been sent before it is refused
			return u, 0, missing("Upload-Concat", "must be left out: a file is sent in one upload, without the parallelUploads of tus-js-client")
		}
		if u.Name, err = nameIn(r.Header.Get("Upload-Metadata")); err != nil {
			return u, 0, err
		}
		if length, err = number(r, "Upload-Length"); err == nil && length < 0 && r.Header.Get("Upload-Defer-Length") != "1" {
			err = missing("Upload-Length", "is missing: it says how many bytes the file has, or Upload-Defer-Length: 1 that this is not known yet")
		}
		return u, length, err
	}
	if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Disposition")); err == nil {
		u.Name = params["filename"]
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); strings.HasPrefix(kind, "multipart/") {
		return u, 0, problem.New(problem.UnsupportedMedia, "a form can't be sent in several requests: the body is the file")
	}
	last, err := completes(r)
	if err != nil {
		return u, 0, err
	}
	length, err = lengthOf(r, 0, last)
	return u, length, err
}

// first is the piece that the request sends which begins an upload. It has no Body where
// there is none.
func (by protocol) first(r *http.Request) (piece files.Piece, err error) {
	if piece, err = by.sentPiece(r); err != nil {
		return piece, err
	}
	if by == tus {
		if piece.Last = true; r.ContentLength == 0 || r.Header.Get("Content-Type") != tusMedia {
			piece.Body = nil
		}
		return piece, nil
	}
	if piece.Last, err = completes(r); !piece.Last && (r.Body == nil || r.Body == http.NoBody) {
		piece.Body = nil
	}
	return piece, err
}

// sentPiece is the body as a piece, with what the headers of RFC 9530 and of tus say of it.
func (by protocol) sentPiece(r *http.Request) (piece files.Piece, err error) {
	piece.Body, piece.Size = bodyOf(r), r.ContentLength
	if text := r.Header.Get("Upload-Checksum"); by == tus && text != "" {
		if err := checksum(&piece.Sums, text); err != nil {
			return piece, err
		}
	}
	if err = digests(&piece.Sums, "Content-Digest", r.Header.Values("Content-Digest")); err == nil {
		err = digests(&piece.Whole, "Repr-Digest", r.Header.Values("Repr-Digest"))
	}
	return piece, err
}

// tusSums are the algorithms of Upload-Checksum, with where sums of them go.
var tusSums = []struct {
	name string
	size int
	of   func(*files.Sums) *[]byte
}{
	{"sha1", sha1.Size, func(s *files.Sums) *[]byte { return &s.SHA1 }},
	{"sha256", sha256.Size, func(s *files.Sums) *[]byte { return &s.SHA256 }},
	{"sha512", sha512.Size, func(s *files.Sums) *[]byte { return &s.SHA512 }},
}

// checksum reads Upload-Checksum of tus: an algorithm and the sum of the body in base64.
func checksum(into *files.Sums, text string) error {
	name, encoded, _ := strings.Cut(text, " ")
	var names []string
	for _, a := range tusSums {
		names = append(names, a.name)
		if a.name != name {
			continue
		}
		sum, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
		if err != nil || len(sum) != a.size {
			return missing("Upload-Checksum", fmt.Sprintf("must have %s as %d bytes in base64", name, a.size))
		}
		*a.of(into) = sum
		return nil
	}
	return missing("Upload-Checksum", "must have a sum by one of "+strings.Join(names, ", "))
}

// continues reads the request that adds to an upload.
func (by protocol) continues(r *http.Request, p *files.Partial) (piece files.Piece, length int64, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	media := draftMedia
	if by == tus {
		media = tusMedia
	}
	if kind != media {
		return piece, 0, problem.New(problem.UnsupportedMedia, "a part of an upload is %s, not %q", media, kind)
	}
	offset, err := number(r, "Upload-Offset")
	if err != nil {
		return piece, 0, err
	}
	if offset < 0 {
		return piece, 0, missing("Upload-Offset", "is missing: it says how many bytes of the file come before the body")
	}
	if err := p.Goes(offset); err != nil { // before lengths, which follow from it
		return piece, 0, err
	}
	if piece, err = by.sentPiece(r); err != nil {
		return piece, 0, err
	}
	piece.Offset = offset
	if by == tus {
		length, err = number(r, "Upload-Length")
		piece.Last = p.Length >= 0 || length >= 0
		return piece, length, err
	}
	if piece.Last, err = completes(r); err != nil {
		return piece, 0, err
	}
	length, err = lengthOf(r, piece.Offset, piece.Last)
	return piece, length, err
}

// bodyOf is the body, whose errors are the client's.
func bodyOf(r *http.Request) content {
	if r.Body == nil {
		return content{http.NoBody}
	}
	return content{r.Body}
}

// completes reads Upload-Complete: whether the file ends with the body.
func completes(r *http.Request) (bool, error) {
	switch text := r.Header.Get("Upload-Complete"); text {
	case "?0", "?1":
		return text == "?1", nil
	default:
		return false, missing("Upload-Complete", "must be ?1 where the file ends with the body, and ?0 where more follows")
	}
}

// lengthOf is how many bytes the file has by what the request says of it.
func lengthOf(r *http.Request, offset int64, last bool) (int64, error) {
	length, err := number(r, "Upload-Length")
	if err != nil || !last || r.ContentLength < 0 {
		return length, err
	}
	if whole := offset + r.ContentLength; length < 0 || length == whole {
		return whole, nil
	}
	return 0, missing("Upload-Length", fmt.Sprintf("must be %d: Upload-Complete says that the body is the rest of the file", offset+r.ContentLength))
}

// number reads a header that is a number of bytes, -1 where it is not there.
func number(r *http.Request, header string) (int64, error) {
	text := r.Header.Get(header)
	if text == "" {
		return -1, nil
	}
	n, err := strconv.ParseUint(text, 10, 62)
	if err != nil {
		return 0, problem.Inputs(problem.Invalidf(header, text, "must be a number of bytes"))
	}
	return int64(n), nil
}

func missing(header, says string) error {
	return problem.Inputs(problem.Invalidf(header, nil, "%s", says))
}

// nameIn is the name of a file in Upload-Metadata of tus: pairs of a key and a value in
// base64. Clients call it filename, and Uppy name.
func nameIn(metadata string) (name string, err error) {
	for pair := range strings.SplitSeq(metadata, ",") {
		key, text, _ := strings.Cut(strings.TrimSpace(pair), " ")
		if key != "filename" && (key != "name" || name != "") {
			continue
		}
		value, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return "", missing("Upload-Metadata", "must have "+key+" in base64")
		}
		name = string(value)
	}
	return name, nil
}

// Choices are values of parameters that are names: the fields of uploads.
func (a *API) Choices() map[string]map[string][]string {
	if a.Files == nil {
		return nil
	}
	var names []string
	for _, t := range a.Files.Targets {
		if !t.Field.File.Issued {
			names = append(names, t.Name())
		}
	}
	return map[string]map[string][]string{"uploadFile": {"for": names}, "requestUpload": {"for": names}}
}

// Options are further header fields of OPTIONS beside the methods of a path, by the
// operationId of one of them.
func (a *API) Options() map[string]func(http.Header, *handler.Exchange) {
	if !a.hasFiles {
		return nil
	}
	says := func(h http.Header, x *handler.Exchange) {
		h.Set("Tus-Resumable", web.TusVersion)
		h.Set("Tus-Version", web.TusVersion)
		h.Set("Tus-Extension", tusExtension)
		h.Set("Tus-Checksum-Algorithm", "sha1,sha256,sha512")
		h.Set("Accept-Patch", draftMedia+", "+tusMedia)
		if a.Files == nil {
			return
		}
		size := a.Files.Largest()
		if t, known := a.Files.Target(x.Request.URL.Query().Get("for")); known {
			size = t.Field.File.Size
		}
		most := strconv.FormatInt(size, 10)
		h.Set("Tus-Max-Size", most)
		h.Set("Upload-Limit", "max-size="+most)
	}
	return map[string]func(http.Header, *handler.Exchange){"uploadFile": says, "continueUpload": says}
}
