package telemetry

import (
	"context"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/entwine-go/entwine/kit/internal/trail"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Requests observes requests: it is a web.Observer.
type Requests struct{ *Telemetry }

// Requests returns what observes requests.
func (t *Telemetry) Requests() *Requests { return &Requests{t} }

// Begin takes over the trace that the client says the request is part of, and
// begins a span of it where span is set, and a trail.
func (o *Requests) Begin(ctx context.Context, r *http.Request, api string, span bool) context.Context {
	if o.Trails != nil && span {
		ctx = o.Trails.Begin(ctx, requestid.From(ctx), known(r.Method), r.URL.RawQuery, r.Header.Get("X-Console") != "")
	}
	if !o.traced() {
		return ctx
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	if span {
		ctx, _ = o.Tracer.Start(ctx, api, trace.WithSpanKind(trace.SpanKindServer)) //nolint:spancheck // End ends it
	}
	return ctx
}

// Streams drops the trail of a request whose answer is a stream.
func (o *Requests) Streams(ctx context.Context) {
	if o.Trails != nil {
		o.Trails.Drop(ctx)
	}
}

// End counts a request, and ends its span. Took is 0 for a stream, whose
// duration says nothing about speed.
func (o *Requests) End(ctx context.Context, api, route, method string, status int, took time.Duration) {
	method = known(method)
	if o.Trails != nil && took > 0 {
		o.Trails.End(ctx, api, route, status)
	}
	if o.Pulse != nil && took > 0 {
		o.Pulse.note(status, took)
	}
	if m := o.Metrics; m != nil {
		m.requests.WithLabelValues(api, route, method, class(status)).Inc()
		if took > 0 {
			m.requestTime.WithLabelValues(api, route).Observe(took.Seconds())
		}
	}
	if !o.traced() {
		return
	}
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetName(method + " " + route)
	span.SetAttributes(
		attribute.String("http.request.method", method),
		attribute.String("http.route", route),
		attribute.Int("http.response.status_code", status),
		attribute.String("entwine.request_id", requestid.From(ctx)),
	)
	if status >= 500 {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// As returns the viewer of a request. Where the request leaves a trail, policies that are
// asked of the viewer are noted there.
func (o *Requests) As(ctx context.Context, v *viewer.Viewer) *viewer.Viewer {
	if o.Trails == nil {
		return v
	}
	t := trail.From(ctx)
	if t == nil {
		return v
	}
	t.As(v)
	if v == nil {
		v = viewer.Anonymous()
	}
	return v.Watched(t)
}

// Charged notes what a request was charged.
func (o *Requests) Charged(ctx context.Context, n, left int, refused bool) {
	if o.Trails == nil {
		return
	}
	if t := trail.From(ctx); t != nil {
		t.Charged(n, left, refused)
	}
}

// known returns a method that is one, and otherwise _OTHER: clients can send any word.
func known(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return method
	}
	return "_OTHER"
}

// class is the class of a status.
func class(status int) string {
	switch status / 100 {
	case 1:
		return "1xx"
	case 2:
		return "2xx"
	case 3:
		return "3xx"
	case 4:
		return "4xx"
	}
	return "5xx"
}
