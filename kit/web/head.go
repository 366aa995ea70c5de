package web

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// head is the beginning of a request on its way, which decides how to answer one that
// net/http can't read. The zero value is of a connection that has sent nothing.
type head struct {
	mu    sync.Mutex
	begun []byte // the first bytes, at most keptHead
	line  int    // how long the first line is, as far as it has arrived
	ended bool   // the first line has
}

// keptHead is how much of a request is kept: its path, and the first headers.
const keptHead = 2 << 10

func (h *head) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun, h.line, h.ended = h.begun[:0], 0, false
}

// forget gives back the memory of a connection that has no further request.
func (h *head) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun = nil
}

func (h *head) add(b []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun = append(h.begun, b[:min(len(b), keptHead-len(h.begun))]...)
	if h.ended {
		return
	}
	i := bytes.IndexByte(b, '\n')
	if h.ended = i >= 0; h.ended {
		b = b[:i]
	}
	h.line += len(b)
}

// begins is the request that begins so, as far as its version can be read from it, and
// whether its path is malformed.
func begins(begun []byte) (r *http.Request, malformed bool) {
	r = &http.Request{Method: http.MethodGet, URL: &url.URL{}, Header: http.Header{}}
	lines := strings.Split(string(begun), "\r\n")
	if _, after, ok := strings.Cut(lines[0], " "); ok && strings.HasPrefix(after, "/") {
		target, _, _ := strings.Cut(after, " ")
		path, query, _ := strings.Cut(target, "?")
		r.URL.Path, r.URL.RawQuery = strings.ToValidUTF8(path, ""), query
		r.Method, _, _ = strings.Cut(lines[0], " ")
		_, err := url.ParseRequestURI(path)
		malformed = err != nil && len(lines) > 1
	}
	for _, line := range lines[1:max(1, len(lines)-1)] { // of the last one more may follow
		name, value, _ := strings.Cut(line, ":")
		switch name, value = http.CanonicalHeaderKey(name), strings.TrimSpace(value); name {
		case "Host":
			r.Host = value
		case "Accept", "Content-Type", "X-Api-Version", "Api-Version":
			r.Header.Add(name, value)
		}
	}
	return r, malformed
}
