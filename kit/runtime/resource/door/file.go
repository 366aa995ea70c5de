package door

import (
	"context"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// File is a success that is no JSON of ours: it is written as it is read, so
// that none is in memory whole.
type File struct {
	// MediaType is what it is, Name what it is kept as.
	MediaType, Name string
	// Size is how many bytes Copy writes.
	Size int64
	// Tag is its strong validator, without the quotes: no two contents share one.
	Tag string
	// Copy writes the content. Where it can't go on, it is too late for a
	// problem: it panics with http.ErrAbortHandler, so that a part does not
	// look like the whole.
	Copy func(ctx context.Context, w io.Writer)
}

// File answers with a file, or with 304 where the client has it. It fails
// where the client does not take its media type.
func (x *Exchange) File(ctx context.Context, w http.ResponseWriter, f File) error {
	if !accepts(x.Request, f.MediaType) {
		return problem.New(problem.NotAcceptable, "%s can be had", f.MediaType)
	}
	h := w.Header()
	tag := strconv.Quote(f.Tag)
	h["Etag"] = []string{tag}
	h["Cache-Control"] = private
	if x.fresh(h, tag, time.Time{}) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", f.MediaType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	h.Set("Content-Length", strconv.FormatInt(f.Size, 10))
	w.WriteHeader(http.StatusOK)
	if x.Request.Method == http.MethodHead {
		return nil
	}
	// It may take longer than a request: it ends when it is read, or when the
	// client takes nothing for too long (see web.Stall).
	f.Copy(context.WithoutCancel(ctx), w)
	return nil
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
