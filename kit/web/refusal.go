package web

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
)

// net/http answers by itself what it can't read as a request, such as a path
// with a malformed escape: no handler sees it. A [conn] recognises these answers
// as they are written, and puts the service's own error in their place.

// plainEnd is how the head of such an answer ends. A handler's answer has more
// header fields, in another order.
const plainEnd = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// refused returns what net/http refuses a request for, of which the head is known:
// nil if b is no such answer.
func refused(b []byte, h *head) error {
	const protocol = "HTTP/1.1 "
	if bytes.HasPrefix(b, []byte(protocol+"417 ")) { // an empty answer, with headers of its own
		return problem.New(problem.Invalid, "the request can't be met: Expect must be 100-continue or absent")
	}
	line, _, ok := bytes.Cut(b, []byte(plainEnd))
	if !ok || !bytes.HasPrefix(line, []byte(protocol)) || bytes.ContainsAny(line, "\r\n") {
		return nil
	}
	code, text, _ := bytes.Cut(line[len(protocol):], []byte(" "))
	_, why, said := bytes.Cut(text, []byte(": "))
	switch status, _ := strconv.Atoi(string(code)); {
	case status == http.StatusRequestHeaderFieldsTooLarge:
		return errHead(h.line)
	case status == http.StatusNotImplemented:
		return problem.New(problem.Invalid, "the request is malformed: Transfer-Encoding must be chunked, once, or absent")
	case status != http.StatusBadRequest && status != http.StatusHTTPVersionNotSupported:
		return nil
	case said:
		return problem.New(problem.Invalid, "the request is malformed: %s", why)
	}
	return problem.New(problem.Invalid, "the request is malformed: its first line or a header can't be read; in a path, a percent sign stands before two hexadecimal digits")
}

// Refusal returns the whole answer, from the status line on, to a connection whose
// request could not be read: err is that of net/http. It has the form of the API, and
// of its version, that the beginning of the request asks for. A browser at a malformed
// path gets the page that it gets at every path where there is nothing.
func (e *Edge) Refusal(begun []byte, err error) []byte {
	id := requestid.New()
	r, malformed := begins(begun)
	r = r.WithContext(requestid.With(context.Background(), id))
	w := &answer{header: http.Header{"X-Request-Id": {id}, "Connection": {"close"}}, status: http.StatusOK}
	e.setProtection(w.header, r)
	if !malformed || !ServeMissing(w, r, "") {
		e.Errors(w, r, err)
	}
	e.Log.InfoContext(r.Context(), "request refused", "err", err)
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 " + strconv.Itoa(w.status) + " " + http.StatusText(w.status) + "\r\n")
	_ = w.header.Write(&b) // a buffer takes it
	b.WriteString("\r\n")
	b.Write(w.body.Bytes())
	return b.Bytes()
}

// answer is a response writer that keeps what is written.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// judged is called with each change of a connection's state. From when the last answer
// was sent to when the next request is answered, all it writes are refusals.
func judged(c net.Conn, state http.ConnState) {
	if own, ok := c.(*conn); ok && state != http.StateClosed && state != http.StateHijacked {
		own.unread.Store(true)
		own.act(state == http.StateActive)
	}
}
