package rest

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
	"github.com/entwine-go/entwine/rest/oas/server"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// split are the operations that call the outside and take an
// [idempotency.Ticket], by operationId. All others run in one transaction
// with their record.
var split = map[string]bool{"payOrder": true, "refundOrder": true, "createPayment": true, "refundPayment": true}

// key returns the request's Idempotency-Key: it means something for each POST
// of a known caller but those that give or take credentials.
func (a *api) key(r *http.Request, x *door.Exchange) (string, error) {
	op := spec.Operations[x.Operation]
	if r.Method != http.MethodPost || strings.HasPrefix(op.Path, "/auth/") {
		return "", nil
	}
	key, err := idempotency.ParseKey(r.Header[idempotency.Header])
	switch {
	case err != nil:
		return "", err
	case key == "" && slices.Contains(a.keyRequired, x.Operation):
		return "", idempotency.Missing()
	case !viewer.From(r.Context()).Authenticated():
		return "", nil // nobody could tell one anonymous caller from another
	}
	return key, nil
}

// once serves a request with a key: the first time, or from what was stored.
func (a *api) once(w http.ResponseWriter, r *http.Request, x *door.Exchange, s *server.Server, key string) {
	body, err := whole(r, x)
	if err != nil {
		a.failed(r.Context(), w, r, err)
		return
	}
	op := spec.Operations[x.Operation]
	path := strings.TrimPrefix(r.URL.Path, x.Base)
	query, _ := url.ParseQuery(r.URL.RawQuery) // what is malformed has been refused
	request := idempotency.NewRequest(key, viewer.From(r.Context()), r.Method+" "+op.Path, path, query, body)
	run := func(ctx context.Context) (idempotency.Answer, error) { return record(ctx, w, r, x, s, body) }
	do := a.keeper.Run
	if split[x.Operation] {
		do = a.keeper.Split
	}
	answer, err := do(r.Context(), request, run)
	if err != nil {
		a.failed(r.Context(), w, r, err)
		return
	}
	if answer.Replayed {
		w.Header().Set("Idempotency-Replayed", "true")
		if op.Path == "/payments" && answer.Status == http.StatusCreated {
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
func record(ctx context.Context, w http.ResponseWriter, r *http.Request, x *door.Exchange, s *server.Server, body []byte) (idempotency.Answer, error) {
	out := &recorder{header: w.Header().Clone()}
	inner := *x
	inner.Header, inner.Failure, inner.Secret = out.header, nil, nil
	r = r.WithContext(door.With(ctx, &inner))
	inner.Request = r
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.ServeHTTP(out, r)
	answer := idempotency.Answer{Status: out.status, Body: out.body.Bytes(), Header: make(map[string]string), Secret: inner.Secret}
	for name, values := range out.header {
		if repeated[name] {
			answer.Header[name] = strings.Join(values, ", ")
		}
	}
	return answer, inner.Failure
}

// repeated are the headers that are the answer's own, and repeated with it.
// The others are about the exchange: ids, limits, what browsers may do.
var repeated = map[string]bool{
	"Cache-Control": true, "Content-Disposition": true, "Content-Location": true, "Content-Type": true, "Etag": true,
	"Last-Modified": true, "Link": true, "Location": true, "Preference-Applied": true, "Retry-After": true, "Vary": true,
	"Www-Authenticate": true,
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
