package telemetry

import (
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/entwine-go/entwine/kit/internal/trail"
)

// Statements observes statements: it is a store.Observer.
type Statements struct {
	*Telemetry
	system attribute.KeyValue
}

// Statements returns what observes the statements of a database. The system
// is OpenTelemetry's name of it: postgresql, sqlite.
func (t *Telemetry) Statements(system string) *Statements {
	return &Statements{t, attribute.String("db.system.name", system)}
}

// longest bounds the text of a statement in a span.
const longest = 2048

// Statement counts a statement that has been run, makes a span of it where it is part of
// one, and notes it in the trail. Texts hold no values: those are arguments.
func (o *Statements) Statement(ctx context.Context, kind, text string, began time.Time, failure string) (rows func(int64)) {
	if o.Trails != nil {
		if t := trail.From(ctx); t != nil {
			rows = t.Statement(kind, tableOf(text), text, began, failure)
		}
	}
	if m := o.Metrics; m != nil {
		m.statements.WithLabelValues(kind).Observe(time.Since(began).Seconds())
		if failure != "" {
			m.failures.WithLabelValues(kind, failure).Inc()
		}
	}
	if !o.traced() || !trace.SpanFromContext(ctx).IsRecording() {
		return rows // background work, as of sweepers, belongs to no trace
	}
	name, table := strings.ToUpper(kind), tableOf(text)
	if table != "" {
		name += " " + table
	}
	_, span := o.Tracer.Start(ctx, name, trace.WithTimestamp(began), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		o.system,
		attribute.String("db.operation.name", kind),
		attribute.String("db.collection.name", table),
		attribute.String("db.query.text", strings.ToValidUTF8(text[:min(len(text), longest)], "")),
	))
	if failure != "" {
		span.SetAttributes(attribute.String("error.type", failure))
		span.SetStatus(codes.Error, "")
	}
	span.End()
	return rows
}

// tableOf returns the first table that a statement names, empty for none.
func tableOf(text string) string {
	named := false // the word before is one that a table follows
	for len(text) > 0 {
		end := 0
		for end < len(text) && text[end] > ' ' {
			end++
		}
		word := text[:end]
		text = text[min(end+1, len(text)):]
		if word == "" {
			continue
		}
		if named {
			if name := strings.Trim(word, "\"`,;"); isName(name) {
				return name
			}
		}
		named = leads(strings.TrimLeft(word, "("))
	}
	return ""
}

// leads reports whether a table follows the word.
func leads(word string) bool {
	switch len(word) {
	case len("FROM"):
		return strings.EqualFold(word, "FROM") || strings.EqualFold(word, "INTO") || strings.EqualFold(word, "JOIN")
	case len("UPDATE"):
		return strings.EqualFold(word, "UPDATE")
	}
	return false
}

// isName reports whether a word is the name of a table, and no parenthesis or
// keyword.
func isName(word string) bool {
	if word == "" {
		return false
	}
	for i := range len(word) {
		if c := word[i]; c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
