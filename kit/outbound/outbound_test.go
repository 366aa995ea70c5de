package outbound_test

import (
	"compress/gzip"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/entwine-go/entwine/kit/outbound"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// An address that only the process can reach is refused with the reason, and nothing is sent.
func TestWhatIsNotPublicIsNotCalled(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it is called") }))
	defer server.Close()
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := outbound.New(outbound.Config{Plain: true})
	for _, host := range []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254",
		"198.18.0.1", "224.0.0.1", "255.255.255.255", "2130706433", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::7f00:1]", "[2001:db8::1]",
	} {
		response, err := client.Get("http://" + host + ":" + at.Port())
		if err == nil {
			response.Body.Close()
		}
		if !errors.Is(err, outbound.ErrAddress) && !strings.Contains(host, "2130706433") || err == nil {
			t.Errorf("%s: %v, want %v", host, err, outbound.ErrAddress)
		}
	}
	if _, err := outbound.New(outbound.Config{Private: loopback}).Get(server.URL); !errors.Is(err, outbound.ErrScheme) {
		t.Errorf("by http: %v, want %v", err, outbound.ErrScheme)
	}
}

// An address that is allowed may lead to one that is not.
func TestRedirectsAreJudged(t *testing.T) {
	t.Parallel()
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "secret "+r.Header.Get("X-Api-Key")+r.Header.Get("Authorization"))
	}))
	t.Cleanup(inner.Close)
	port := inner.URL[strings.LastIndex(inner.URL, ":"):]
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.URL.Query().Get("to")+port, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(outer.Close)
	first := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	for name, test := range map[string]struct {
		c    outbound.Config
		to   string
		want error
		says string
	}{
		"none is followed":            {outbound.Config{Private: first}, "127.0.0.1", outbound.ErrRedirect, ""},
		"to where it may not":         {outbound.Config{Private: first, Redirects: 3}, "127.0.0.2", outbound.ErrAddress, ""},
		"to another host, bare":       {outbound.Config{Private: first, Redirects: 3}, "127.0.0.1", nil, "secret "},
		"an operator's own addresses": {outbound.Config{Trusted: true, Redirects: 1}, "127.0.0.1", nil, "secret "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.c.Plain = true
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, outer.URL+"?to="+test.to, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Api-Key", "k1")
			r.Header.Set("Authorization", "Bearer t1")
			response, err := outbound.New(test.c).Do(r)
			if !errors.Is(err, test.want) {
				t.Fatalf("%v, want %v", err, test.want)
			}
			if err != nil {
				return
			}
			defer response.Body.Close()
			if text, err := io.ReadAll(response.Body); err != nil || string(text) != test.says {
				t.Errorf("%q, %v, want %q", text, err, test.says)
			}
		})
	}
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			select {
			case <-r.Context().Done():
			case <-release:
			}
		case "/packed": // a megabyte in a kilobyte
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(make([]byte, 1<<20))
			_ = z.Close()
		default:
			_, _ = io.WriteString(w, strings.Repeat("x", 1000)+r.Header.Get("Traceparent"))
		}
	}))
	defer server.Close()
	defer close(release)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	read := func(c outbound.Config, path string) (string, error) {
		c.Private = loopback
		client := outbound.New(c)
		outbound.Trust(client, roots)
		ctx := trace.ContextWithRemoteSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}}))
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(r)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		return string(text), err
	}
	if text, err := read(outbound.Config{}, "/"); err != nil || !strings.Contains(text, "x00-01000000") {
		t.Errorf("an answer of 1,000 bytes with the trace: %q, %v", text, err)
	}
	if text, err := read(outbound.Config{Size: 999}, "/"); !errors.Is(err, outbound.ErrSize) || len(text) != 999 {
		t.Errorf("of 999 bytes %d are read, %v", len(text), err)
	}
	if _, err := read(outbound.Config{Size: 1 << 16}, "/packed"); !errors.Is(err, outbound.ErrSize) {
		t.Errorf("a bomb: %v, want %v", err, outbound.ErrSize)
	}
	var late interface{ Timeout() bool }
	if _, err := read(outbound.Config{Time: 50 * time.Millisecond}, "/slow"); !errors.As(err, &late) || !late.Timeout() {
		t.Errorf("a server that does not answer: %v", err)
	}
}
