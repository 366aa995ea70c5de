package telemetry

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// collector is where spans are sent to, and how.
type collector struct {
	url     string
	headers map[string]string
	gzip    bool
	timeout time.Duration
	tls     *tls.Config
}

// collectorOf reads OpenTelemetry's variables for exporters, of which those for
// traces are the last word.
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/
func collectorOf(getenv func(string) string) (c collector, err error) {
	value := func(name string) string {
		if v := strings.TrimSpace(getenv("OTEL_EXPORTER_OTLP_TRACES_" + name)); v != "" {
			return v
		}
		return strings.TrimSpace(getenv("OTEL_EXPORTER_OTLP_" + name))
	}
	c.url = strings.TrimSpace(getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")) // verbatim
	if c.url == "" {
		base := strings.TrimRight(strings.TrimSpace(getenv("OTEL_EXPORTER_OTLP_ENDPOINT")), "/")
		if base == "" {
			base = "https://localhost:4318"
		}
		c.url = base + "/v1/traces"
	}
	if u, err := url.Parse(c.url); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return c, fmt.Errorf("the address of the collector, %q, must begin with http:// or https://", c.url)
	}
	c.gzip = value("COMPRESSION") == "gzip"
	c.timeout = 10 * time.Second
	if text := value("TIMEOUT"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms <= 0 {
			return c, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT, %q, must be a number of milliseconds", text)
		}
		c.timeout = time.Duration(ms) * time.Millisecond
	}
	if c.headers, err = headersOf(value("HEADERS")); err != nil {
		return c, err
	}
	c.tls, err = certificates(value("CERTIFICATE"), value("CLIENT_CERTIFICATE"), value("CLIENT_KEY"))
	return c, err
}

// headersOf reads name=value,name=value, with values as in URLs.
func headersOf(list string) (map[string]string, error) {
	headers := map[string]string{}
	for pair := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, escaped, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(escaped)
		if name = strings.TrimSpace(name); !found || name == "" || err != nil {
			// The value may be a credential, so it is not repeated.
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS must be name=value,name=value, and %q is not", name)
		}
		headers[name] = strings.TrimSpace(value)
	}
	return headers, nil
}

// certificates are the trusted authorities and the own certificate, nil where no
// file is named.
func certificates(authority, certificate, key string) (*tls.Config, error) {
	if authority == "" && certificate == "" {
		return nil, nil //nolint:nilnil // the transport's own
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		text, err := os.ReadFile(authority)
		if err != nil {
			return nil, err
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("there is no certificate in %s", authority)
		}
	}
	if certificate != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
