package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Operations observes operations of GraphQL: it is an observe.Observer.
type Operations struct{ *Telemetry }

// Operations returns what observes operations.
func (t *Telemetry) Operations() *Operations { return &Operations{t} }

// longestName bounds the name of an operation in a span: a client chooses it.
const longestName = 64

// Begin begins the span of an operation. Its name is the document's, empty for none.
func (o *Operations) Begin(ctx context.Context, kind, name string) context.Context {
	if !o.traced() {
		return ctx
	}
	ctx, span := o.Tracer.Start(ctx, "graphql "+kind, trace.WithAttributes(attribute.String("graphql.operation.type", kind)))
	if name != "" && len(name) <= longestName {
		span.SetAttributes(attribute.String("graphql.operation.name", name))
	}
	return ctx
}

// End counts an operation and ends its span.
func (o *Operations) End(ctx context.Context, kind, outcome string, cost int, took time.Duration) {
	if m := o.Metrics; m != nil {
		m.operations.WithLabelValues(kind, outcome).Inc()
		m.operationFor.WithLabelValues(kind).Observe(took.Seconds())
		m.cost.WithLabelValues(kind).Observe(float64(cost))
	}
	if !o.traced() {
		return
	}
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(attribute.String("entwine.graphql.outcome", outcome), attribute.Int("entwine.graphql.cost", cost))
	if outcome != "ok" {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// Refused counts an operation that was never begun: a document that is
// invalid, unknown or asks for too much, or a fault.
func (o *Operations) Refused(outcome string) {
	if m := o.Metrics; m != nil {
		m.operations.WithLabelValues("unknown", outcome).Inc()
	}
}
