package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Wanted reports whether an environment (os.Environ) names a collector of
// traces, in OpenTelemetry's own variables.
func Wanted(environ []string) bool {
	wanted := false
	for _, pair := range environ {
		switch name, value, _ := strings.Cut(pair, "="); name {
		case "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT":
			wanted = wanted || value != ""
		case "OTEL_SDK_DISABLED":
			if strings.EqualFold(value, "true") {
				return false
			}
		case "OTEL_TRACES_EXPORTER":
			if value != "" && value != "otlp" {
				return false
			}
		}
	}
	return wanted
}

// Traces sends spans to a collector, as the environment's OTEL_ variables say:
// where to, which of them, in whose name.
type Traces struct{ provider *sdk.TracerProvider }

// OpenTraces returns traces over OTLP and HTTP. The collector need not answer
// now: spans that it does not take are dropped, and requests never wait. The
// resource says what the program is, and nothing of the machine or of how it
// was started, which may hold secrets.
func OpenTraces(ctx context.Context, name, version string, log *slog.Logger) (*Traces, error) {
	to, err := collectorOf(os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("open the exporter of traces: %w", err)
	}
	exporter, err := otlptrace.New(ctx, newSender(to))
	if err != nil {
		return nil, fmt.Errorf("open the exporter of traces: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", name), attribute.String("service.version", version)),
		resource.WithFromEnv(), // the last word
	)
	if err != nil {
		return nil, fmt.Errorf("describe the source of traces: %w", err)
	}
	otel.SetErrorHandler(&complaints{log: log})
	return &Traces{sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))}, nil
}

// Tracer returns what makes spans.
func (t *Traces) Tracer() trace.Tracer {
	return t.provider.Tracer("github.com/entwine-go/entwine")
}

// Close sends what has not been sent, for as long as ctx allows.
func (t *Traces) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// complaints logs what OpenTelemetry complains of, once in a while: a
// collector that is away is away for every batch.
type complaints struct {
	log  *slog.Logger
	last atomic.Int64 // nanoseconds since 1970
}

// Handle implements otel.ErrorHandler.
func (c *complaints) Handle(err error) {
	now := time.Now().UnixNano()
	if last := c.last.Load(); now-last > int64(time.Minute) && c.last.CompareAndSwap(last, now) {
		c.log.Warn("traces are not sent", "err", err)
	}
}
