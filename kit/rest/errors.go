package rest

import (
	"context"
	"errors"
	"net/http"

	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/validate"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/web"
)

// judgement has the faults that the document finds in an input, in the names of
// the request's version. It does not unwrap: its details are not converted to
// other names again.
type judgement struct{ found error }

// Error implements error.
func (j judgement) Error() string { return j.found.Error() }

// failed is where all errors end: the generated server's, the handlers', our own.
func (a *api) failed(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, idempotency.ErrAgain) {
		return // the repetition is answered from the outcome: see once
	}
	if x := handler.From(ctx); x != nil {
		x.Failure = err
	}
	told := problem.As(err) != nil
	err = a.translate(ctx, r, err)
	version, asked := a.Versions.Of, r
	if x := handler.From(ctx); x != nil {
		asked = x.Request // the generated server has another path
		version = func(*http.Request) *apiversion.Served { return x.Version }
		err = a.schemas.Echoed(a.Operations[x.Operation], x.Body, err)
		if told {
			err = a.retold(x, err)
		}
		if r.Method == http.MethodPatch && problem.KindOf(err) == problem.UnsupportedMedia {
			a.accepts(w.Header(), http.MethodPatch, x.Operation)
		}
	}
	if problem.Fault(err) {
		a.Log.ErrorContext(ctx, "request failed", "operation", operation(ctx), "err", err)
	}
	a.failures.WriteAs(w, asked, version(r), err)
}

// operation is the operationId of the request, for the log.
func operation(ctx context.Context) string {
	if x := handler.From(ctx); x != nil {
		return x.Operation
	}
	return ""
}

// translate turns what ogen, the context and the database say into what a
// client may read, where it may.
func (a *api) translate(ctx context.Context, r *http.Request, err error) error {
	if errors.Is(err, read.ErrCursor) { // which doesn't know what the cursor is called here
		return problem.Inputs(problem.Invalidf("cursor", r.URL.Query().Get("cursor"), "%s", read.ErrCursor.Message))
	}
	if j, ok := errors.AsType[judgement](err); ok {
		return j.found
	}
	if problem.As(err) != nil {
		return err
	}
	if p := problem.As(context.Cause(ctx)); ctx.Err() != nil && p != nil {
		return problem.Wrap(errors.Join(p.Err, err), p.Kind, "%s", p.Message)
	}
	var (
		params *ogenerrors.DecodeParamsError
		body   *ogenerrors.DecodeRequestError
		media  *validate.InvalidContentTypeError
	)
	switch {
	case errors.As(err, &params):
		x := handler.From(ctx)
		op := a.Operations[x.Operation]
		return a.schemas.Params(op, x.Request, x.PlainPath(op.Path), x.Version.Word, params)
	case errors.As(err, &media):
		return a.errMedia(media.ContentType)
	case errors.As(err, &body):
		x := handler.From(ctx)
		return a.schemas.Body(x.Operation, a.Operations[x.Operation], x.Body, x.Version.Word, body)
	}
	return web.Closed(ctx, store.Problem(err))
}
