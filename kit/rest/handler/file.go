package handler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// File is a success that is not JSON: it is copied from its reader, so that it is
// never in memory whole.
type File struct {
	// MediaType is its type, Name its name for clients that save it.
	MediaType, Name string
	// Size is how many bytes Copy writes.
	Size int64
	// Tag is its strong validator, without the quotes: no two contents share one.
	Tag string
	// Cache is that of an [Answer].
	Cache string
	// Inline has a page show it; otherwise it is to be kept.
	Inline bool
	// Modified is when it was made, zero for no Last-Modified.
	Modified time.Time
	// Open, if there is one, opens the part that is answered: so many bytes from an offset
	// on. Where it fails the request does.
	Open func(ctx context.Context, offset, length int64) (io.ReadCloser, error)
	// Copy writes the content where there is no Open, until a write fails. The bytes
	// before a requested part are passed over. Where it can't go on the connection is
	// closed, so that a part does not look like the whole.
	Copy func(ctx context.Context, w io.Writer) error
	// Broken, if it is not nil, is called with why not all of it was sent.
	Broken func(ctx context.Context, err error)
}

// File answers with a file or the part of it that is asked for, or with 304
// where the client has it. It fails where the client does not take its media type.
func (x *Exchange) File(ctx context.Context, w http.ResponseWriter, f File) error {
	if !accepts(x.Request, f.MediaType) {
		return problem.New(problem.NotAcceptable, "%s can be had", f.MediaType)
	}
	h := w.Header()
	tag := strconv.Quote(f.Tag + "-file")
	h["Etag"] = []string{tag}
	x.setCaching(h, Answer{Cache: f.Cache})
	h.Set("Accept-Ranges", "bytes")
	if !f.Modified.IsZero() {
		h.Set("Last-Modified", f.Modified.UTC().Format(http.TimeFormat))
	}
	if x.fresh(h, tag, f.Modified) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	part, partial, err := x.part(f.Size, tag)
	if err != nil {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", f.Size))
		return err
	}
	// It may take longer than a request: it ends when it is read, or when the
	// client takes nothing for too long (see web.Stall).
	ctx = context.WithoutCancel(ctx)
	if f.Open != nil && x.Request.Method != http.MethodHead {
		content, err := f.Open(ctx, part.start, part.length)
		if err != nil {
			for _, name := range []string{"Etag", "Last-Modified", "Accept-Ranges"} {
				h.Del(name) // they are about the content
			}
			return err
		}
		defer content.Close()
		f.Copy = func(_ context.Context, to io.Writer) error { return send(w, to.(*window), content) }
	}
	h.Set("Content-Type", f.MediaType)
	h.Set("Content-Disposition", f.disposition())
	h.Set("Content-Length", strconv.FormatInt(part.length, 10))
	status := http.StatusOK
	if partial {
		status = http.StatusPartialContent
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", part.start, part.start+part.length-1, f.Size))
	}
	w.WriteHeader(status)
	if x.Request.Method == http.MethodHead {
		return nil
	}
	skip := part.start
	if f.Open != nil {
		skip = 0
	}
	to := &window{w, skip, part.length}
	if err := f.Copy(ctx, to); to.left > 0 {
		if f.Broken != nil {
			f.Broken(ctx, cmp.Or(err, io.ErrUnexpectedEOF))
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

// send writes the content to an answer. A file goes from the disk to the connection where that is
// possible: after a first piece, with which all layers have begun the answer.
func send(w http.ResponseWriter, to *window, content io.Reader) error {
	b := pieces.Get().(*[piece]byte)
	defer pieces.Put(b)
	copied := func(from io.Reader) error {
		_, err := io.CopyBuffer(to, struct{ io.Reader }{from}, b[:])
		return err
	}
	disk, ok := content.(interface {
		Send(to func(*os.File, int64) (int64, error)) (int64, error)
	})
	if ok && to.left > 2*piece {
		if err := copied(io.LimitReader(content, piece)); err != nil {
			return err
		}
		written := int64(piece)
		_, err := disk.Send(func(file *os.File, n int64) (int64, error) {
			sent, err := web.SendFile(w, file, min(n, to.left), written)
			written, to.left = written+sent, to.left-sent
			return sent, err
		})
		if err != nil || to.left == 0 {
			return err
		}
	}
	return copied(content)
}

// piece is how much of a content is in memory while it is sent.
const piece = 128 << 10

var pieces = sync.Pool{New: func() any { return new([piece]byte) }}

// disposition is the Content-Disposition (RFC 6266). A name beyond ASCII is there in both
// forms: clients that do not know the second show the first.
func (f File) disposition() string {
	kind := "attachment"
	if f.Inline {
		kind = "inline"
	}
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, f.Name)
	if ascii == f.Name {
		return mime.FormatMediaType(kind, map[string]string{"filename": f.Name})
	}
	_, encoded, _ := strings.Cut(mime.FormatMediaType(kind, map[string]string{"filename": "é" + f.Name}), "''%C3%A9")
	return kind + `; filename="` + ascii + `"; filename*=UTF-8''` + encoded
}

// Content is [Exchange.File] for content in memory.
func (x *Exchange) Content(ctx context.Context, w http.ResponseWriter, media, name string, content []byte) error {
	return x.File(ctx, w, File{
		MediaType: media, Name: name, Size: int64(len(content)), Tag: Digest(content),
		Copy: func(_ context.Context, w io.Writer) error {
			_, err := w.Write(content)
			return err
		},
	})
}

// part is the part of a file that is sent.
type part struct{ start, length int64 }

// part returns the part of the file that the request asks for (RFC 9110 section
// 14.2), and whether it asks for one. Several parts at once, other units than
// bytes, and what is malformed get the whole, and so does who has a part of
// another content (If-Range).
func (x *Exchange) part(size int64, tag string) (p part, partial bool, err error) {
	whole := part{0, size}
	r := x.Request
	text, bytes := strings.CutPrefix(r.Header.Get("Range"), "bytes=")
	if condition := r.Header["If-Range"]; !bytes || r.Method != http.MethodGet || len(condition) > 0 && condition[0] != tag {
		return whole, false, nil
	}
	first, last, ok := strings.Cut(strings.TrimSpace(text), "-")
	start, starts := position(first)
	end, ends := position(last)
	switch {
	case !ok, first == "" && !ends, first != "" && !starts, first != "" && last != "" && (!ends || end < start):
		return whole, false, nil
	case first == "": // the last so many
		p.length = min(end, size)
		p.start = size - p.length
	default:
		p.start = start
		p.length = size - p.start
		if last != "" {
			p.length = min(end, size-1) - start + 1
		}
	}
	if p.length <= 0 {
		return p, false, problem.New(problem.NotSatisfiable, "the range is beyond the end: there are %d bytes", size)
	}
	return p, true, nil
}

// position reads a number of bytes: digits alone. A number that is too large for an int64 is
// the largest one: RFC 9110 section 14.1.2 takes a last position beyond the end for the end.
func position(text string) (n int64, ok bool) {
	u, err := strconv.ParseUint(text, 10, 63)
	return int64(u), err == nil || errors.Is(err, strconv.ErrRange)
}

// window writes a part of what is written to it.
type window struct {
	w          io.Writer
	skip, left int64
}

// errWhole ends a copy of which no more is needed.
var errWhole = errors.New("the part is written")

// Write implements io.Writer.
func (w *window) Write(b []byte) (int, error) {
	n := len(b)
	if skipped := min(w.skip, int64(n)); skipped > 0 {
		w.skip -= skipped
		b = b[skipped:]
	}
	b = b[:min(int64(len(b)), w.left)]
	if len(b) > 0 {
		if _, err := w.w.Write(b); err != nil {
			return 0, err
		}
		w.left -= int64(len(b))
	}
	if w.left == 0 && n > 0 {
		return n, errWhole
	}
	return n, nil
}

// accepts reports whether the request takes the media type. Its parameters
// are not compared.
func accepts(r *http.Request, mediaType string) bool {
	headers, ok := r.Header["Accept"]
	if !ok {
		return true
	}
	mediaType, _, _ = strings.Cut(mediaType, ";")
	group, _, _ := strings.Cut(mediaType, "/")
	best, taken := 0, false // the most specific range decides
	for _, header := range headers {
		for one := range strings.SplitSeq(header, ",") {
			kind, params, err := mime.ParseMediaType(one)
			if err != nil {
				continue
			}
			weight := map[string]int{"*/*": 1, group + "/*": 2, mediaType: 3}[kind]
			if weight > best {
				quality, err := strconv.ParseFloat(params["q"], 64)
				best, taken = weight, err != nil || quality > 0
			}
		}
	}
	return taken
}
