package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// sender sends spans over OTLP and HTTP, as protobuf. OpenTelemetry's own exporter
// does the same, and links gRPC, its gateway and their templates for a message of
// one field. https://opentelemetry.io/docs/specs/otlp/#otlphttp
type sender struct {
	to     collector
	client *http.Client
	stop   chan struct{}
	// first and most are how long a batch waits before it is sent again, and
	// all is for how long that is tried.
	first, most, all time.Duration
}

func newSender(to collector) *sender {
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSClientConfig:     to.tls,
		TLSHandshakeTimeout: to.timeout,
		ForceAttemptHTTP2:   true,
		IdleConnTimeout:     90 * time.Second,
	}
	return &sender{
		to:     to,
		client: &http.Client{Transport: transport, Timeout: to.timeout},
		stop:   make(chan struct{}),
		first:  5 * time.Second, most: 30 * time.Second, all: time.Minute,
	}
}

// Start implements otlptrace.Client. Nothing is asked of the collector.
func (*sender) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client: a request that is under way is given up.
func (s *sender) Stop(context.Context) error {
	close(s.stop)
	s.client.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. Spans that a collector refuses for now
// are sent again, later each time, or at the time of its Retry-After.
func (s *sender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// The request's only field is that of TracesData, with the same number.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if s.to.gzip {
		if body, err = compressed(body); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	until, wait := time.Now().Add(s.all), s.first
	for {
		again, err := s.send(ctx, body)
		if err == nil || again == nil {
			return err
		}
		pause := wait
		if *again >= 0 {
			pause = *again
		}
		if time.Now().Add(pause).After(until) {
			return fmt.Errorf("given up: %w", err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-s.stop:
			return err
		}
		wait = min(2*wait, s.most)
	}
}

// send sends the body once. A batch that may be sent again has a pause, which
// is negative where the collector does not say how long.
func (s *sender) send(ctx context.Context, body []byte) (again *time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.to.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range s.to.headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	if s.to.gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if answer.StatusCode/100 == 2 {
		return nil, err
	}
	err = fmt.Errorf("%s answers %s: %s", s.to.url, answer.Status, bytes.TrimSpace(text))
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		pause := retryAfter(answer.Header.Get("Retry-After"))
		return &pause, err
	}
	return nil, err
}

// retryAfter is the pause that a header names, negative if it names none.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(header)); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 3600)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(time.Until(at), 0)
	}
	return -1
}

func compressed(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}
