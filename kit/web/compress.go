package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/kit/internal/compress"
)

// The edge compresses (doc/api/representations.md) texts of 1 KB and more, where
// the client accepts it. Not what may have a secret beside what the caller has
// chosen, whose length would tell of it (BREACH): answers that caches must not
// store, unless who makes them says that they have none; not streams, for which
// each event counts; and not files, of which parts can be asked for.

// worthwhile is how long an answer has to be.
const worthwhile = 1 << 10

var (
	varyEncoding = []string{"Accept-Encoding"}
	codings      = [...][]string{compress.Gzip: {"gzip"}, compress.Zstd: {"zstd"}}
)

// Compressible lets an answer with Cache-Control: no-store be compressed. Such answers
// are not compressed otherwise, since their length would tell of secrets in them
// (BREACH).
func Compressible(w http.ResponseWriter) {
	if x := exchangeOf(w); x != nil {
		x.harmless = true
	}
}

// CompressParts lets an answer be compressed whose length is not known when it begins.
// Its writer flushes each part that the client is to read at once.
func CompressParts(w http.ResponseWriter) {
	if x := exchangeOf(w); x != nil {
		x.parts = true
	}
}

// exchangeOf returns the exchange below the response writer, nil where there is none.
func exchangeOf(w http.ResponseWriter) *exchange {
	for {
		if x, ok := w.(*exchange); ok {
			return x
		}
		inner, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return nil
		}
		w = inner.Unwrap()
	}
}

// compresses reports whether the answer with the status is one to compress, and
// says of one that could be that it varies.
func (x *exchange) compresses(status int) bool {
	h := x.Header()
	if h["Content-Type"] == nil || h["Content-Encoding"] != nil || h["Accept-Ranges"] != nil ||
		status < 200 || status == http.StatusNoContent || status == http.StatusPartialContent || status == http.StatusNotModified {
		return false
	}
	if !compact(h["Content-Type"][0]) || !x.parts && !long(h["Content-Length"]) {
		return false
	}
	if status < 400 && !x.harmless && slices.Contains(h["Cache-Control"], "no-store") {
		return false
	}
	vary(h)
	return x.coding != compress.Identity
}

// long reports whether the length is one for which compressing is of use.
func long(length []string) bool {
	if len(length) != 1 {
		return false
	}
	n, err := strconv.Atoi(length[0])
	return err == nil && n >= worthwhile
}

// vary says that the answer depends on Accept-Encoding.
func vary(h http.Header) {
	said := h["Vary"]
	switch {
	case len(said) == 0:
		h["Vary"] = varyEncoding
	case !slices.ContainsFunc(said, func(one string) bool { return strings.Contains(one, varyEncoding[0]) }):
		h["Vary"] = append(slices.Clip(said), varyEncoding[0])
	}
}

// compact reports whether compressing is of use for the media type.
func compact(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	if strings.HasPrefix(media, "text/") {
		return media != "text/event-stream"
	}
	return strings.HasSuffix(media, "json") || strings.HasSuffix(media, "xml") || strings.HasSuffix(media, "yaml")
}

// packed is an answer on its way through a compressor.
type packed struct {
	status int             // what is to be sent, 0 once it is
	writer compress.Writer // nil until the first of several writes
}

var rooms = sync.Pool{New: func() any { return new([]byte) }}

// encode sets the headers of the encoded answer.
func (x *exchange) encode() {
	h := x.Header()
	h["Content-Encoding"] = codings[x.coding]
	if tag := h["Etag"]; len(tag) == 1 {
		h["Etag"] = []string{x.coding.Tag(tag[0])}
	}
}

// pack writes a part of an answer that is compressed. A body that comes as a whole
// goes out as a whole, with its length.
func (x *exchange) pack(b []byte) (int, error) {
	if x.packed.writer != nil {
		return x.packed.writer.Write(b)
	}
	x.encode()
	h := x.Header()
	if h.Get("Content-Length") == strconv.Itoa(len(b)) {
		room := rooms.Get().(*[]byte)
		text, err := x.coding.Append((*room)[:0], b)
		if err != nil {
			return 0, err // a slice takes all
		}
		defer func() {
			if *room = text; cap(text) <= 256<<10 {
				rooms.Put(room)
			}
		}()
		h["Content-Length"] = []string{strconv.Itoa(len(text))}
		x.send()
		x.packing = false
		if _, err := x.raw(text); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	x.stream()
	return x.packed.writer.Write(b)
}

// stream begins an answer that comes in parts.
func (x *exchange) stream() {
	delete(x.Header(), "Content-Length")
	x.send()
	x.packed.writer = x.coding.NewWriter(rawWriter{x})
}

// send writes the header that was held.
func (x *exchange) send() {
	status := x.packed.status
	x.packed.status = 0
	x.ResponseWriter.WriteHeader(status)
}

// push sends what the compressor has kept.
func (x *exchange) push() {
	if !x.packing {
		return
	}
	if x.packed.writer == nil {
		x.encode()
		x.stream()
	}
	_ = x.packed.writer.Flush() // the client may be gone
}

// finish ends an answer that is compressed.
func (x *exchange) finish() {
	if !x.packing {
		return
	}
	if x.packed.status != 0 { // an answer to HEAD: the length is not known
		x.encode()
		delete(x.Header(), "Content-Length")
		x.send()
	}
	if z := x.packed.writer; z != nil {
		_ = z.Close() // the client may be gone
		x.coding.Release(z)
		x.packed.writer = nil
	}
}

// rawWriter writes without compression.
type rawWriter struct{ x *exchange }

func (w rawWriter) Write(b []byte) (int, error) { return w.x.raw(b) }
