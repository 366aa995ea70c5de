package web_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/web"
)

func TestAddressesThatProxiesWrite(t *testing.T) {
	edge, _ := newEdge()
	edge.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("10.0.0.0/8")}
	var got web.Client
	h := edge.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = web.ClientOf(r.Context()) }))
	for forwarded, want := range map[string]string{
		"203.0.113.9":                      "203.0.113.9",
		"203.0.113.9:4711":                 "203.0.113.9",
		"2001:db8::1":                      "2001:db8::1",
		"[2001:db8::1]":                    "2001:db8::1",
		"[2001:db8::1]:4711":               "2001:db8::1",
		"::ffff:203.0.113.9":               "203.0.113.9",
		"6.6.6.6, 203.0.113.9:1, 10.1.1.1": "203.0.113.9",
		"203.0.113.9:1, 10.1.1.1:65535":    "203.0.113.9",
		"203.0.113.9, 10.1.1.1:65536":      "192.0.2.1", // what can't be read is not passed over
		"203.0.113.9, unknown":             "192.0.2.1",
		"203.0.113.9, [10.1.1.1:1":         "192.0.2.1",
		"203.0.113.9, ":                    "192.0.2.1",
	} {
		do(h, request("POST", "/api/v1/auth/login", "{}", "X-Forwarded-For", forwarded))
		if got.Address != want {
			t.Errorf("%q is from %s, want %s", forwarded, got.Address, want)
		}
	}
}

func TestAProxyThatIsNotTrustedIsReportedOnce(t *testing.T) {
	for peer, warns := range map[string]bool{
		"10.1.2.3:1": true, "192.168.1.1:1": true, "127.0.0.1:1": true, "[::1]:1": true, "[fd00::1]:1": true, "100.64.0.1:1": true,
		"203.0.113.9:1": false, "[2001:db8::1]:1": false, "172.32.0.1:1": false, "10.9.9.9:1": false,
	} {
		edge, log := newEdge()
		edge.Proxies = []netip.Prefix{netip.MustParsePrefix("10.9.9.9/32")}
		h := edge.Handler(whoami)
		plain := get("/")
		plain.RemoteAddr = peer
		if do(h, plain); strings.Contains(log.String(), "not trusted") {
			t.Errorf("%s without a header: %s", peer, log)
		}
		for range 3 {
			r := get("/", "X-Forwarded-For", "203.0.113.10")
			r.RemoteAddr = peer
			do(h, r)
		}
		want := 0
		if warns {
			want = 1
		}
		if got := strings.Count(log.String(), "a proxy that is not trusted"); got != want {
			t.Errorf("%s is reported %d times, want %d:\n%s", peer, got, want, log)
		}
	}
}
