package docs

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"sync"

	"github.com/entwine-go/entwine/kit/internal/compress"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// file is content that is the same for every caller.
type file struct {
	// contentType is the header.
	contentType string
	// load returns the content. It is called once.
	load   func() []byte
	policy string // Content-Security-Policy, where the page needs more than nothing

	once        sync.Once
	plain, pack []byte
	tag         string
}

// answer writes the file, or 304 where the client has it.
func (f *file) answer(w http.ResponseWriter, r *http.Request) {
	f.once.Do(f.prepare)
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=300")
	h["Vary"] = append(h["Vary"], "Accept, Accept-Encoding")
	if f.policy != "" { // of a 304, too: a browser applies it to what it has
		h.Set("Content-Security-Policy", f.policy)
	}
	x := &handler.Exchange{Request: r}
	if x.Unchanged(h, f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if c := compress.Choose(r.Header["Accept-Encoding"], compress.Gzip); c == compress.Gzip {
		body = f.pack
		h.Set("Content-Encoding", c.String())
		h.Set("Etag", c.Tag(f.tag))
	}
	h.Set("Content-Type", f.contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the client may be gone
	}
}

// prepare makes both forms.
func (f *file) prepare() {
	f.plain = f.load()
	var packed bytes.Buffer
	pack := gzip.NewWriter(&packed)
	_, _ = pack.Write(f.plain) // a buffer takes all
	_ = pack.Close()
	f.pack = packed.Bytes()
	f.tag = `"` + handler.Digest(f.plain) + `"`
}
