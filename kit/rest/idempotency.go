package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// key returns the request's Idempotency-Key, empty where it has none or where
// it is ignored: for operations that take none, and for anonymous callers.
func (a *api) key(r *http.Request, x *handler.Exchange) (string, error) {
	if !a.Operations[x.Operation].Keyed {
		return "", nil
	}
	given := r.Header[idempotency.Header]
	if len(given) == 0 && slices.Contains(a.Keys.Required, x.Operation) {
		return "", idempotency.Missing()
	}
	return idempotency.KeyOf(viewer.From(r.Context()), given)
}

// once serves a request with a key: the first time by its handler, and from
// then on from what became of it.
func (a *api) once(w http.ResponseWriter, r *http.Request, x *handler.Exchange, key string) {
	body, err := whole(r)
	if err != nil {
		a.failed(r.Context(), w, r, err)
		return
	}
	op := a.Operations[x.Operation]
	query, _ := url.ParseQuery(r.URL.RawQuery) // what is malformed has been refused
	first := body                              // a repetition is one in any version
	if op.Declared {
		first = x.Version.Request(a.shapes, op, body)
	}
	request := idempotency.NewRequest(key, viewer.From(r.Context()), r.Method+" "+op.Path, x.PlainPath(op.Path), query, first)
	var out *recorder
	run := func(ctx context.Context) (o idempotency.Outcome, err error) {
		out = &recorder{header: w.Header().Clone()}
		return a.record(ctx, out, r, x, body)
	}
	outcome, err := a.Keys.Keeper.Once(r.Context(), request, slices.Contains(a.Keys.Split, x.Operation), run)
	if err == nil && outcome.Replayed {
		w.Header().Set("Idempotency-Replayed", "true")
		err = a.again(w, r, x, outcome)
	} else if err == nil { // a failure has been written, too
		if x.Translate != nil && slices.Contains(a.Keys.Bodies, x.Operation) {
			out.translate(x)
		}
		out.copyTo(w)
	}
	if err != nil {
		a.failed(r.Context(), w, r, err)
	}
}

// again answers a repetition from what became of the first request.
func (a *api) again(w http.ResponseWriter, r *http.Request, x *handler.Exchange, o idempotency.Outcome) error {
	if o.Failure != nil {
		return o.Failure
	}
	if len(o.View) > 0 && !bytes.Equal(o.View, view(r.Context(), x)) {
		o.Body = nil
	}
	if again := a.Keys.Again[x.Operation]; again != nil {
		return again(r.Context(), w, o)
	}
	shown := slices.IndexFunc(a.Keys.Resources, func(r *handler.Resource) bool { return r.Name == o.Row.Entity })
	switch {
	case shown >= 0:
		return a.Keys.Door.Again(r.Context(), w, a.Keys.Resources[shown], o, slices.Contains(a.Keys.Found, x.Operation))
	case len(o.Body) > 0 && slices.Contains(a.Keys.Bodies, x.Operation):
		if x.Translate != nil {
			o.Body, x.Translated = x.Translate(o.Status, o.Body), true
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(o.Body)))
	case o.Status != http.StatusNoContent:
		return idempotency.Forgotten() // a row that nothing here reads
	}
	w.WriteHeader(o.Status)
	_, _ = w.Write(o.Body) // the client may be gone
	return nil
}

// view stands for what the caller's rights show of a row, in this version of
// the API.
func view(ctx context.Context, x *handler.Exchange) []byte {
	v := viewer.From(ctx)
	sum := sha256.Sum256(fmt.Append(nil, x.Version.Major(), v.Role, v.Permissions))
	return sum[:8]
}

// whole returns the request's body, which a handler may read again.
func whole(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, web.Unread(err)
	}
	return body, nil
}

// claim takes the key once the generated server has read the input. Faults that
// only the document finds are answered before the error that the key is another
// request's.
func (a *api) claim(ctx context.Context) error {
	x := handler.From(ctx)
	if !a.byHand(x) {
		return nil // its handler reads the input, and takes the key itself
	}
	err := idempotency.Claim(ctx)
	if problem.KindOf(err) != problem.KeyReused || len(x.Body) == 0 {
		return err
	}
	if wrong := a.schemas.Wrong(x.Operation, a.Operations[x.Operation], x.Body, x.Version.Word); wrong != nil {
		return wrong
	}
	return err
}

// record runs the handler and returns what became of the request, and what it
// failed with.
func (a *api) record(ctx context.Context, out *recorder, r *http.Request, x *handler.Exchange, body []byte) (idempotency.Outcome, error) {
	inner := *x
	inner.Header = out.header
	r = r.WithContext(handler.With(ctx, &inner))
	if slices.Contains(a.Keys.Bodies, x.Operation) {
		inner.Translate = nil // what is kept is for any version
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	inner.Request = x.Request.WithContext(r.Context()) // whose path is the client's
	inner.Request.Body = r.Body
	a.keyed.ServeHTTP(out, a.generated(r, &inner))
	o := inner.Outcome
	o.Status = out.status
	switch {
	case inner.Failure != nil:
		o.Refused = problem.As(a.translate(ctx, r, inner.Failure))
	case slices.Contains(a.Keys.Bodies, x.Operation):
		o.Body = out.body.Bytes()
	case slices.Contains(a.Keys.Found, x.Operation):
		o.Body, o.View = out.body.Bytes(), view(ctx, x)
	}
	return o, inner.Failure
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

// translate makes of a body that was made by hand one of the exchange's version.
func (o *recorder) translate(x *handler.Exchange) {
	body := x.Translate(o.status, o.body.Bytes())
	x.Translated = true
	o.body = *bytes.NewBuffer(body)
}

// copyTo writes the answer.
func (o *recorder) copyTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), o.header)
	w.Header().Set("Content-Length", strconv.Itoa(o.body.Len()))
	w.WriteHeader(o.status)
	_, _ = w.Write(o.body.Bytes()) // the client may be gone
}
