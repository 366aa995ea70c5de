package faults_test

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// hoard opens connections that ask for the document, and read nothing.
func hoard(t *testing.T, s *trial.Service, connections int, header string) {
	t.Helper()
	request := "GET /api/v1/openapi HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n" + header + "\r\n"
	for range connections {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if err := c.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, strings.Repeat(request, 8)); err != nil {
			t.Fatal(err)
		}
	}
}

// Many clients of one address who ask for much and read nothing keep no other
// client out, and most of them are cut off.
func TestSlowReadersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	const clients, stalled = 80, 20
	s := trial.Start(t, "ENTWINE_RATE_LIMIT=off", "ENTWINE_STALL_TIME=1h", "ENTWINE_STALLED_CONNECTIONS=20", "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info")
	auth := s.SignUp(t)
	hoard(t, s, clients/2, "")
	hoard(t, s, clients/2, auth[0]+": "+auth[1]+"\r\n")
	for at := map[string]float64{}; at["entwine_connections_stalled"] < stalled || at["entwine_connections_blocked"] != stalled; at, _ = trial.Scrape(t, s.Output) {
		s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
		s.Ask(t, "POST", "/graphql", `{"query":"{ me { id } }"}`, auth...).Want(t, 200)
		s.Ask(t, "GET", "/readyz", "").Want(t, 200) // degraded where the machine itself is overloaded
	}
	if at, _ := trial.Scrape(t, s.Output); at["entwine_gate_in_flight"] != 0 {
		t.Errorf("%v places are kept by who does not read", at["entwine_gate_in_flight"])
	}
}
