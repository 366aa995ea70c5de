package web

import (
	"bufio"
	"bytes"
	"maps"
	"net/http"
	"slices"
)

// ambiguous reports whether two readers may disagree on where the request ends: it
// has Content-Length beside Transfer-Encoding, or Transfer-Encoding in HTTP/1.0. Its
// connection is closed by the answer (RFC 9112, sections 6.1 and 6.3), since what
// follows may be part of it for a proxy. net/http removes these headers, so they are
// looked for in what has arrived. A request that did not arrive by itself, or whose
// headers are longer than what is kept of them, counts as ambiguous where it is chunked,
// and so does one with trailers, which net/http takes out of the headers, too.
func (c *conn) ambiguous(r *http.Request) bool {
	other := "Content-Length"
	switch {
	case c == nil || r.ProtoMajor != 1:
		return false
	case r.ProtoMinor == 0:
		other = "Transfer-Encoding"
	case len(r.TransferEncoding) == 0:
		return false
	}
	c.head.mu.Lock()
	defer c.head.mu.Unlock()
	rest := bytes.TrimLeft(c.head.begun, "\r\n")
	for line := range bytes.Lines(rest) {
		if line[len(line)-1] != '\n' {
			break
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return !isAll(r, rest)
		}
		if name, _, _ := bytes.Cut(line, []byte(":")); bytes.EqualFold(name, []byte(other)) {
			return true
		}
	}
	return true
}

// isAll reports whether kept has all headers of the request. The end of one whose beginning
// came with the request before may look like a request as well, but lacks a header.
func isAll(r *http.Request, kept []byte) bool {
	k, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(kept)))
	return err == nil && k.Method == r.Method && k.RequestURI == r.RequestURI && len(r.Trailer) == 0 && maps.EqualFunc(k.Header, r.Header, slices.Equal)
}
