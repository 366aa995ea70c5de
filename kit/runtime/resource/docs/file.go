package docs

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/entwine-go/entwine/kit/runtime/coding"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
)

// file is content that is the same for every caller.
type file struct {
	// contentType is the header.
	contentType string
	// load returns the content, compressed where gzipped is set. It is called once.
	load    func() []byte
	gzipped bool
	policy  string // Content-Security-Policy, where the page needs more than nothing

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
	x := &door.Exchange{Request: r}
	if x.Unchanged(h, f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if c := coding.Choose(r.Header["Accept-Encoding"], coding.Gzip); c == coding.Gzip {
		body = f.pack
		h.Set("Content-Encoding", c.String())
		h.Set("Etag", c.Tag(f.tag))
	}
	h.Set("Content-Type", f.contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the client may be gone
	}
}

// prepare makes both forms: the one that the content is not in already.
func (f *file) prepare() {
	content := f.load()
	var other bytes.Buffer
	if f.gzipped {
		unpack, err := gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			_, err = io.Copy(&other, unpack) //nolint:gosec // it is part of the program
		}
		if err != nil {
			panic(err) // it is part of the program
		}
		f.plain, f.pack = other.Bytes(), content
	} else {
		pack := gzip.NewWriter(&other)
		_, _ = pack.Write(content) // a buffer takes all
		_ = pack.Close()
		f.plain, f.pack = content, other.Bytes()
	}
	f.tag = `"` + door.Digest(f.plain) + `"`
}
