package telemetry

import (
	"go.opentelemetry.io/otel/trace"

	"github.com/entwine-go/entwine/kit/internal/trail"
)

// Telemetry observes a process: it counts events, records them in traces and keeps
// them for the console, all of these or none. The observers that it hands out are what
// other packages ask for. Where nothing is on they are not worth calling. A nil
// Telemetry is off.
type Telemetry struct {
	// Metrics are nil where no address for them is set.
	Metrics *Metrics
	// Tracer makes spans, and is nil where no collector is set.
	Tracer trace.Tracer
	// Trails keeps what happened in requests, and is nil where none is to be kept.
	Trails *trail.Keeper
	// Pulse has the requests of the last hour, where something else is observed, too. It is
	// nil where no one may look at it.
	Pulse *Pulse
}

// On reports whether anything is observed.
func (t *Telemetry) On() bool {
	return t != nil && (t.Metrics != nil || t.Tracer != nil || t.Trails != nil)
}

// traced reports whether spans are made.
func (t *Telemetry) traced() bool { return t != nil && t.Tracer != nil }
