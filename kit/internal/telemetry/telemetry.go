package telemetry

import "go.opentelemetry.io/otel/trace"

// Telemetry is what observes a process: it counts what happens, records it in
// traces, does both or neither. The observers that it hands out are what
// other packages ask for. Where neither is on they are not worth calling. A nil
// Telemetry is off.
type Telemetry struct {
	// Metrics are nil where no address for them is set.
	Metrics *Metrics
	// Tracer makes spans, and is nil where no collector is set.
	Tracer trace.Tracer
}

// On reports whether anything is observed.
func (t *Telemetry) On() bool { return t != nil && (t.Metrics != nil || t.Tracer != nil) }

// traced reports whether spans are made.
func (t *Telemetry) traced() bool { return t != nil && t.Tracer != nil }
