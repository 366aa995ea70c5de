package handler

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Answer is a success on its way out.
type Answer struct {
	// Status is 200 where it is 0.
	Status int
	// Body is JSON. It is not kept. By hand says that it was made in the names of
	// the first version, as the document has it.
	Body   []byte
	ByHand bool
	// Version is the row's version, 0 for rows without one and for other bodies.
	Version int64
	// Modified is when what is shown was last changed, where that is known.
	Modified time.Time
	// Cache is the Cache-Control for callers without credentials, [Private] if empty.
	Cache string
	// Location and Link are headers, absent where they are empty.
	Location, Link string
}

// Private is the Cache-Control of answers that depend on the caller: caches may
// keep them, and must revalidate them.
const Private = "private, no-cache"

// Answer writes the answer, or 304 where a read finds what the client has.
func (x *Exchange) Answer(w http.ResponseWriter, a Answer) error {
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	if a.ByHand {
		a.Body = x.translated(a.Status, a.Body)
	}
	h := w.Header()
	h["Content-Type"] = jsonType
	x.setCaching(h, a)
	tag := entityTag(a.Version, a.Body, x.Media)
	h["Etag"] = []string{tag}
	if !a.Modified.IsZero() {
		h.Set("Last-Modified", a.Modified.UTC().Format(http.TimeFormat))
	}
	if a.Location != "" {
		h.Set("Location", a.Location)
	}
	if a.Link != "" {
		h.Set("Link", a.Link)
	}
	if x.fresh(h, tag, a.Modified) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // the client may be gone
	return nil
}

// Headers that most answers share, so that they cost nothing.
var (
	jsonType   = []string{"application/json"}
	private    = []string{Private}
	varyPublic = []string{"Authorization, Cookie, X-API-Key"}
)

// setCaching says who may keep the answer. A caller with credentials may see more
// than others do.
func (x *Exchange) setCaching(h http.Header, a Answer) {
	if x.keepsSecret(h) {
		return
	}
	if a.Cache == NoStore {
		h["Cache-Control"] = noStore
		return
	}
	if a.Cache == "" || a.Cache == Private || viewer.From(x.Request.Context()).Authenticated() {
		h["Cache-Control"] = private
		return
	}
	h["Cache-Control"], h["Vary"] = []string{a.Cache}, Vary(h, varyPublic)
}

// Vary adds to the Vary of the layers around REST. The slice is not written to.
func Vary(h http.Header, more []string) []string {
	if said := h["Vary"]; len(said) > 0 {
		return append(slices.Clip(said), more...)
	}
	return more
}

// hasToken reports whether one of the header's elements is the token.
func hasToken(header, token string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if strings.EqualFold(strings.ReplaceAll(strings.TrimSpace(one), `"`, ""), token) {
			return true
		}
	}
	return false
}

// buffer holds a body until it is written.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// largest is the largest buffer that is used again.
const largest = 256 << 10

func newBuffer() *buffer {
	b := buffers.Get().(*buffer)
	b.bytes = b.bytes[:0]
	return b
}

func (b *buffer) release() {
	if cap(b.bytes) <= largest {
		buffers.Put(b)
	}
}
