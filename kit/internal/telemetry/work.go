package telemetry

import (
	"context"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/entwine-go/entwine/kit/internal/trail"
)

// Work observes jobs: it is a jobs.Observer.
type Work struct{ *Telemetry }

// Work returns what observes jobs.
func (t *Telemetry) Work() *Work { return &Work{t} }

const traceparent = "traceparent"

// Traceparent names the context's span, in W3C's form, for those who go on
// with its trace elsewhere and later. It is empty where there is none.
func (o *Work) Traceparent(ctx context.Context) string {
	if !o.traced() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[traceparent]
}

// Accepted notes a job in the trail of the request that it came of.
func (o *Work) Accepted(ctx context.Context, kind string, id int64) {
	if o.Trails == nil {
		return
	}
	if t := trail.From(ctx); t != nil {
		t.Accepted(kind, id)
	}
}

// Begin is called when a job is started which has been due for some time, and
// begins a span in the trace of the request that enqueued it.
func (o *Work) Begin(ctx context.Context, kind string, id int64, attempt int, parent string, waited time.Duration) context.Context {
	if m := o.Metrics; m != nil {
		m.attemptWait.WithLabelValues(kind).Observe(waited.Seconds())
	}
	if o.Trails != nil {
		ctx = o.Trails.BeginJob(ctx, "job-"+strconv.FormatInt(id, 10), id) // jobs.Key, which is of a floor above
	}
	if !o.traced() {
		return ctx
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceparent: parent})
	ctx, _ = o.Tracer.Start(ctx, "job "+kind, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes( //nolint:spancheck // End ends it
		attribute.String("entwine.job.kind", kind),
		attribute.Int64("entwine.job.id", id),
		attribute.Int("entwine.job.attempt", attempt),
	))
	return ctx
}

// End is called with the outcome of the attempt.
func (o *Work) End(ctx context.Context, kind, outcome string, took time.Duration) {
	if m := o.Metrics; m != nil {
		m.attempts.WithLabelValues(kind, outcome).Inc()
		m.attemptTime.WithLabelValues(kind).Observe(took.Seconds())
	}
	if o.Trails != nil {
		o.Trails.EndJob(ctx, kind, outcome)
	}
	if !o.traced() {
		return
	}
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(attribute.String("entwine.job.outcome", outcome))
	if outcome == "failed" || outcome == "retrying" {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}
