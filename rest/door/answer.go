package door

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/internal/viewer"
)

// Answer is a success on its way out.
type Answer struct {
	// Status is 200 where it is 0.
	Status int
	// Body is JSON. It is not kept.
	Body []byte
	// Modified is when what is shown was last changed, where that is known.
	Modified time.Time
	// Cache is the Cache-Control for callers without credentials, [Private] if empty.
	Cache string
	// Location and Link are headers, absent where they are empty.
	Location, Link string
}

// Private is the Cache-Control of what depends on the caller: it may be kept,
// and must be asked for again.
const Private = "private, no-cache"

// Answer writes the answer, or 304 where a read finds what the client has.
// Other representations than JSON belong here: everything that answers with
// an entity passes through.
func (x *Exchange) Answer(w http.ResponseWriter, a Answer) error {
	h := w.Header()
	h["Content-Type"] = jsonType
	x.setCaching(h, a)
	tag := entityTag(a.Body)
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
	if x.fresh(tag, a.Modified) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	h["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // the client may be gone
	return nil
}

// Headers that most answers share, so that they cost nothing.
var (
	jsonType    = []string{"application/json"}
	private     = []string{Private}
	varyPrivate = []string{"Accept"}
	varyPublic  = []string{"Accept, Authorization, Cookie, X-API-Key"}
)

// setCaching says who may keep the answer. What a caller with credentials
// sees may be more than others do.
func (x *Exchange) setCaching(h http.Header, a Answer) {
	if a.Cache == "" || a.Cache == Private || viewer.From(x.Request.Context()).Authenticated() {
		h["Cache-Control"], h["Vary"] = private, vary(h, varyPrivate)
		return
	}
	h["Cache-Control"], h["Vary"] = []string{a.Cache}, vary(h, varyPublic)
}

// vary adds to what the layers around REST say.
func vary(h http.Header, more []string) []string {
	if said := h["Vary"]; len(said) > 0 {
		return append(said[:len(said):len(said)], more...)
	}
	return more
}

// entityTag is a strong validator of the body.
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	var b [24]byte
	b[0], b[23] = '"', '"'
	base64.RawURLEncoding.Encode(b[1:23], sum[:16])
	return string(b[:])
}

// fresh reports whether the client has what it asks for. If-None-Match wins
// over If-Modified-Since (RFC 9110 section 13.2.2).
func (x *Exchange) fresh(tag string, modified time.Time) bool {
	r := x.Request
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	if tags, ok := r.Header["If-None-Match"]; ok {
		return matches(tags, tag)
	}
	header := r.Header.Get("If-Modified-Since")
	if header == "" || modified.IsZero() {
		return false
	}
	since, err := http.ParseTime(header)
	return err == nil && !modified.Truncate(time.Second).After(since)
}

// matches compares weakly, as If-None-Match does.
func matches(headers []string, tag string) bool {
	for _, header := range headers {
		for one := range strings.SplitSeq(header, ",") {
			one = strings.TrimSpace(one)
			if one == "*" || strings.TrimPrefix(one, "W/") == tag {
				return true
			}
		}
	}
	return false
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
