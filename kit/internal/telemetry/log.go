// Package telemetry shows operators the work of a process: by its log, by metrics that Prometheus
// reads, and by traces that OpenTelemetry collects. Every line of a request carries the request's
// id and that of its trace. Attributes with the name of a secret are never written, and durations
// are written in microseconds, as their names say.
//
// It implements what others ask for to be observed (web, gql, store, jobs), none
// of which knows how. Labels and attributes are constant or bounded: no path,
// query, header, variable or argument is in a label or an attribute.
package telemetry

import (
	"context"
	"io"
	"log/slog"

	"go.opentelemetry.io/otel/trace"

	"github.com/entwine-go/entwine/kit/requestid"
)

// RequestID is the name under which a line has its request's id. A caller that
// adds it to a line spares the logger the search.
const RequestID = "request_id"

// NewLogger returns a logger that writes lines of JSON or of key=value to w.
func NewLogger(w io.Writer, level slog.Leveler, json bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if json {
		return slog.New(handler{slog.NewJSONHandler(w, options)})
	}
	return slog.New(handler{slog.NewTextHandler(w, options)})
}

// handler redacts, gives durations their unit, and adds the request's id.
type handler struct{ next slog.Handler }

// Enabled reports whether the level is logged.
func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle writes the record.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	change, named := false, false
	r.Attrs(func(a slog.Attr) bool {
		change = change || unclean(a)
		named = named || a.Key == RequestID
		return true
	})
	if change {
		other := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
		r.Attrs(func(a slog.Attr) bool { other.AddAttrs(clean(a)); return true })
		r = other
	}
	if !named {
		if id := requestid.From(ctx); id != "" {
			r.AddAttrs(slog.String(RequestID, id))
		}
	}
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		r.AddAttrs(slog.String("trace_id", span.TraceID().String()))
	}
	return h.next.Handle(ctx, r)
}

// WithAttrs returns a handler that adds the attributes to every record.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	all := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		all[i] = clean(a)
	}
	return handler{h.next.WithAttrs(all)}
}

// WithGroup returns a handler that puts what follows into a group.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.next.WithGroup(name)} }
