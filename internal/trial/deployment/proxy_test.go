package deployment_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// Behind a proxy that is not known all clients are one, which the log says.
func TestAProxyThatIsNotKnown(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_RATE_LIMIT=2/1m")
	for _, c := range []struct {
		forwarded string
		status    int
	}{{"203.0.113.9", 200}, {"203.0.113.10", 200}, {"203.0.113.11", 429}} {
		s.Ask(t, "GET", "/api/v1/posts", "", "X-Forwarded-For", c.forwarded).Want(t, c.status)
	}
	s.Output.Wait(t, "ENTWINE_TRUSTED_PROXIES")
	if got := strings.Count(s.Output.String(), "ENTWINE_TRUSTED_PROXIES"); got != 1 {
		t.Errorf("the log says so %d times:\n%s", got, s.Output)
	}
}

// A proxy that is trusted may write its clients' ports, which don't tell them apart.
func TestAProxyThatWritesPorts(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_RATE_LIMIT=1/1m", "ENTWINE_TRUSTED_PROXIES=127.0.0.1")
	for _, c := range []struct {
		forwarded string
		status    int
	}{{"203.0.113.9:1111", 200}, {"203.0.113.9:2222", 429}, {"203.0.113.10:1111", 200}, {"[2001:db8::1]:1111", 200}, {"[2001:db8::2]:1111", 429}} {
		s.Ask(t, "GET", "/api/v1/posts", "", "X-Forwarded-For", c.forwarded).Want(t, c.status)
	}
}

// An address that is written in IPv6's form is the IPv4 address that it stands for.
func TestAProxyThatIsWrittenAsIPv6(t *testing.T) {
	t.Parallel()
	for _, proxies := range []string{"::ffff:127.0.0.1", "::ffff:127.0.0.0/104"} {
		t.Run(proxies, func(t *testing.T) {
			t.Parallel()
			s := trial.Start(t, "ENTWINE_RATE_LIMIT=1/1m", "ENTWINE_TRUSTED_PROXIES="+proxies)
			s.Ask(t, "GET", "/api/v1/posts", "", "X-Forwarded-For", "203.0.113.9").Want(t, 200)
			s.Ask(t, "GET", "/api/v1/posts", "", "X-Forwarded-For", "203.0.113.9").Want(t, 429)
			s.Ask(t, "GET", "/api/v1/posts", "", "X-Forwarded-For", "203.0.113.10").Want(t, 200)
		})
	}
}
