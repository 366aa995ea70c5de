package outbound

import (
	"fmt"
	"io"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// caller makes one call: the first, or that of a redirect.
type caller struct {
	Config
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (c *caller) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && (!c.Plain || r.URL.Scheme != "http") {
		return nil, fmt.Errorf("%w: %q: %s", ErrScheme, r.URL.Scheme, c.schemes())
	}
	ctx, span := trace.SpanFromContext(r.Context()).TracerProvider().Tracer("entwine/outbound").Start(r.Context(), r.Method,
		trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("http.request.method", r.Method), attribute.String("server.address", r.URL.Hostname())))
	defer span.End()
	r = r.Clone(ctx)
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(r.Header))
	answer, err := c.next.RoundTrip(r)
	if err != nil {
		span.SetStatus(codes.Error, "no answer")
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", answer.StatusCode))
	if answer.StatusCode >= 400 {
		span.SetStatus(codes.Error, answer.Status)
	}
	answer.Body = &body{answer.Body, c.Size, c.Size}
	return answer, nil
}

func (c *caller) schemes() string {
	if c.Plain {
		return "https and http are"
	}
	return "https is"
}

// body is that of an answer, whose size is counted after it was decompressed.
type body struct {
	io.ReadCloser
	left, most int64
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, b.large()
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n - 1, b.large()
	}
	return n, err
}

func (b *body) large() error { return fmt.Errorf("%w: %d bytes can be read", ErrSize, b.most) }
