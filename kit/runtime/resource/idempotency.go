package resource

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/viewer"
)

// key returns the request's Idempotency-Key, empty where it has none or where
// it is ignored: for other methods than POST, for anonymous callers, and for
// operations that give or take credentials.
func (a *api) key(r *http.Request, x *door.Exchange) (string, error) {
	op := a.Operations[x.Operation]
	if r.Method != http.MethodPost || a.credentials(op.Path) {
		return "", nil
	}
	key, err := idempotency.ParseKey(r.Header[idempotency.Header])
	switch {
	case err != nil:
		return "", err
	case key == "" && slices.Contains(a.Keys.Required, x.Operation):
		return "", idempotency.Missing()
	case !viewer.From(r.Context()).Authenticated():
		return "", nil // anonymous callers can't be told apart
	}
	return key, nil
}

// once serves a request with a key: the first time, or from what was stored.
func (a *api) once(w http.ResponseWriter, r *http.Request, x *door.Exchange, s *Server, key string) {
	body, err := whole(r, x)
	if err != nil {
		a.failed(r.Context(), w, r, err)
		return
	}
	op := a.Operations[x.Operation]
	query, _ := url.ParseQuery(r.URL.RawQuery) // what is malformed has been refused
	request := idempotency.NewRequest(key, viewer.From(r.Context()), r.Method+" "+op.Path, x.Path(), query, body)
	run := func(ctx context.Context) (idempotency.Answer, error) { return record(ctx, w, r, x, s, body) }
	do := a.Keys.Keeper.Run
	if slices.Contains(a.Keys.Split, x.Operation) {
		do = a.Keys.Keeper.Split
	}
	answer, err := do(r.Context(), request, run)
	if err != nil {
		a.failed(r.Context(), w, r, err)
		return
	}
	if answer.Replayed {
		w.Header().Set("Idempotency-Replayed", "true")
		if answer.Status == http.StatusCreated && slices.Contains(a.Keys.Found, x.Operation) {
			answer.Status = http.StatusOK // doc/api/idempotency.md
		}
	}
	for name, value := range answer.Header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(answer.Body)))
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body) // the client may be gone
}

// whole returns the request's body, which a repetition is compared with and
// a handler that runs again reads again.
func whole(r *http.Request, x *door.Exchange) ([]byte, error) {
	if len(x.Body) > 0 || r.Body == nil {
		return x.Body, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, unread(err)
	}
	return body, nil
}

// record runs the handler and returns its answer, rendered, and what it
// failed with.
func record(ctx context.Context, w http.ResponseWriter, r *http.Request, x *door.Exchange, s *Server, body []byte) (idempotency.Answer, error) {
	out := &recorder{header: w.Header().Clone()}
	inner := *x
	inner.Header, inner.Failure, inner.Secret = out.header, nil, nil
	r = r.WithContext(door.With(ctx, &inner))
	inner.Request = r
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.ServeHTTP(out, r)
	answer := idempotency.Answer{Status: out.status, Body: out.body.Bytes(), Header: make(map[string]string), Secret: inner.Secret}
	for name, values := range out.header {
		if repeated(name) {
			answer.Header[name] = strings.Join(values, ", ")
		}
	}
	return answer, inner.Failure
}

// repeated reports whether a header is the answer's own, and repeated with it.
// The others are about the exchange: ids, limits, what browsers may do.
func repeated(header string) bool {
	switch header {
	case "Cache-Control", "Content-Disposition", "Content-Location", "Content-Type", "Etag",
		"Last-Modified", "Link", "Location", "Preference-Applied", "Retry-After", "Vary", "Www-Authenticate":
		return true
	}
	return false
}

// recorder is a response writer whose answer is written later, or never.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (o *recorder) Header() http.Header { return o.header }

func (o *recorder) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
}

func (o *recorder) Write(b []byte) (int, error) {
	o.WriteHeader(http.StatusOK)
	return o.body.Write(b)
}
