package web

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// bound limits the body of a request to the page: a larger body is 413, one that takes too
// long to arrive 408. Where that is found during a read, the read returns it as a problem
// error.
func (e *Edge) bound(next http.Handler, p Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			r.Body = http.NoBody // it has no meaning (RFC 9110 section 9.3.1)
		}
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		limit := p.body(e, r.URL.Path)
		x := w.(*exchange)
		deadline := http.NewResponseController(w)
		// Without the means to set a deadline (a recorder in a test) there is none.
		began, most := e.now(), cmp.Or(p.Time, e.Limit.BodyTime)
		paces := e.Uploads > 0 && isUpload(r)
		if paces {
			most = e.Limit.BodyTime
		}
		_ = deadline.SetReadDeadline(began.Add(most))
		x.body = &body{ReadCloser: r.Body, header: w.Header(), deadline: deadline, limit: limit, left: limit, began: began, time: most, until: began.Add(most), paces: paces, resumes: paces && resumes(r), now: e.now}
		r.Body = x.body
		next.ServeHTTP(w, r)
	})
}

// judgeBody judges a body by the headers alone: 413, or 415 for a compressed one. How long
// a file may be depends on what it is for: its handler says so, and reads no more.
func (e *Edge) judgeBody(w http.ResponseWriter, r *http.Request, p Page) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	limit := p.body(e, r.URL.Path)
	if e.Uploads > 0 && isUpload(r) {
		limit = math.MaxInt64
	}
	err := refuseBody(r, limit)
	if err != nil {
		w.Header().Set("Connection", "close") // rather than read what is not needed
	}
	return err
}

func refuseBody(r *http.Request, limit int64) error {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return problem.New(problem.UnsupportedMedia, "a compressed body is not accepted: send it without Content-Encoding")
	}
	if r.ContentLength > limit {
		return tooLarge(limit)
	}
	return nil
}

func tooLarge(limit int64) error {
	return problem.Wrap(&http.MaxBytesError{Limit: limit}, problem.TooLarge, "the body is larger than %d bytes", limit)
}

// Unread returns the problem of a body that could not be read. The limits of size and time
// refuse by themselves (see [Edge]). The other faults are a body that ends before its length,
// malformed chunks, and a malformed form.
func Unread(err error) error {
	if problem.As(err) != nil {
		return err
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(large.Limit)
	}
	return problem.Wrap(err, problem.Invalid, "the body ends early, or is malformed")
}

// bodyLimit returns how many bytes may be sent to a path.
func (e *Edge) bodyLimit(path string) int64 {
	switch {
	case strings.HasSuffix(path, "/bulk"):
		return e.Limit.BulkBody
	case e.isAuth(path):
		return e.Limit.AuthBody
	}
	return e.Limit.Body
}

// body is a request's body within its limits.
type body struct {
	io.ReadCloser
	header      http.Header
	deadline    *http.ResponseController
	limit, left int64
	err         error        // what every further Read returns
	whole       func() error // what is done when it has arrived, if anything

	// The deadline is until, and grows with what arrives where paces is set. Where resumes
	// is, too, it is so long after the last byte.
	began, until   time.Time
	time           time.Duration
	paces, resumes bool
	now            func() time.Time
}

// Read reads up to the limit.
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if int64(len(p)) > b.left+1 { // one more byte separates "all of it" from "too much"
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), tooLarge(b.limit)
	}
	b.left -= int64(n)
	b.paced(n)
	if err != nil {
		b.end(err)
	}
	return n, b.err
}

// end remembers why there is no more.
func (b *body) end(err error) {
	b.err = err
	switch {
	case errors.Is(err, io.EOF):
		// The deadline would end a stream that is answered for longer.
		_ = b.deadline.SetReadDeadline(time.Time{})
		if b.whole == nil {
			return
		}
		if b.err = b.whole(); b.err == nil {
			b.err = err
		}
		return
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.err = problem.Wrap(err, problem.RequestTimeout, "the body took too long to arrive")
	}
	b.header.Set("Connection", "close") // where the next request begins is unknown
}

// enter takes a place among the requests in flight for a request, as soon as
// its body is here: slow senders keep no other requests out. Streams have
// no place, because they would keep it.
func (e *Edge) enter(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
	if e.Gate == nil || isStream(r) {
		return nil
	}
	x := w.(*exchange)
	x.unusual = e.isAuth(r.URL.Path) // hashing takes long, and has a bound of its own
	if x.body == nil {
		return x.enter(ctx, e.Gate)
	}
	x.body.whole = func() error { return x.enter(ctx, e.Gate) }
	return nil
}
