package deployment_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// proxied is a service behind a proxy that runs as the page says.
type proxied struct {
	*trial.Service
	// base is the proxy's address, and client trusts its certificate. It asks from
	// an address that is not the proxy's.
	base   string
	client *http.Client
}

// TestProxies runs doc/operations/proxies.md: what clients do goes through nginx and
// Caddy as the page has them, on both databases.
func TestProxies(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		name   string
		launch func(t *testing.T, dir, upstream, address string) *exec.Cmd
	}{{"nginx", nginx}, {"caddy", caddy}} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			trial.Installed(t, one.name)
			for name, settings := range map[string]func() []string{
				"sqlite": func() []string { return nil },
				"postgres": func() []string {
					return []string{"ENTWINE_DATABASE_URL=" + migratetest.Schema(t).PostgresURL(t) + "&statement_timeout=60000"}
				},
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					p := behind(t, one.launch, settings()...)
					p.apis(t)
					p.events(t)
					p.socket(t)
					p.bodies(t)
					p.addresses(t)
				})
			}
		})
	}
}

// nginx has a server of the page in the least configuration that there is.
func nginx(t *testing.T, dir, upstream, address string) *exec.Cmd {
	t.Helper()
	server := trial.Replaced(t, trial.Blocks(t, "doc/operations/proxies.md", "nginx")[0], "listen 443 ", "listen "+address+" ", "http://127.0.0.1:8080", "http://"+upstream,
		"/etc/letsencrypt/live/api.example.com/fullchain.pem", filepath.Join(dir, "cert.pem"), "/etc/letsencrypt/live/api.example.com/privkey.pem", filepath.Join(dir, "key.pem"))
	return trial.Nginx(t, dir, server)
}

// caddy has the site of the page with a certificate of the test, since it gets none.
func caddy(t *testing.T, dir, upstream, address string) *exec.Cmd {
	t.Helper()
	site := trial.Replaced(t, trial.Blocks(t, "doc/operations/proxies.md", "caddyfile")[0], "api.example.com {",
		fmt.Sprintf("https://%s {\n\ttls %s %s", address, filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")), "127.0.0.1:8080", upstream)
	file := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(file, []byte("{\n\tadmin off\n\tauto_https disable_redirects\n}\n"+site), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "caddy", "run", "--adapter", "caddyfile", "--config", file)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	return cmd
}

// behind starts a service and the proxy, with what the page says of settings.
func behind(t *testing.T, launch func(t *testing.T, dir, upstream, address string) *exec.Cmd, settings ...string) *proxied {
	t.Helper()
	dir, address := t.TempDir(), trial.UnusedAddress(t)
	p := &proxied{base: "https://" + address}
	p.Service = trial.Start(t, append(settings, "ENTWINE_LOG_LEVEL=info", "ENTWINE_REQUEST_TIME=1m", "ENTWINE_PUBLIC_URL="+p.base, "ENTWINE_TRUSTED_PROXIES=127.0.0.1", "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)...)
	p.Output.Wait(t, " address=") // what it prints is the public one
	p.URL = "http://" + regexp.MustCompile(` address=(\S+)`).FindStringSubmatch(p.Output.String())[1]
	trusted := certificate(t, dir)
	cmd := launch(t, dir, strings.TrimPrefix(p.URL, "http://"), address)
	trial.Proxy(t, cmd, address)
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	p.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true, DialContext: from.DialContext}}
	t.Cleanup(p.client.CloseIdleConnections)
	return p
}

// certificate writes one for 127.0.0.1 and its key, and returns who trusts it.
func certificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	made, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})
	pool.AppendCertsFromPEM(text)
	err = errors.Join(os.WriteFile(filepath.Join(dir, "cert.pem"), text, 0o600),
		os.WriteFile(filepath.Join(dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// send asks the proxy, and leaves the body of the answer to be read.
func (p *proxied) send(t *testing.T, method, path, body string, headers ...string) *http.Response {
	t.Helper()
	res, err := p.client.Do(trial.NewRequest(t, method, p.base+path, body, headers...))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// answered fails the test unless the proxy answers so.
func (p *proxied) answered(t *testing.T, status int, text, method, path, body string, headers ...string) http.Header {
	t.Helper()
	res := p.send(t, method, path, body, headers...)
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status || !bytes.Contains(said, []byte(text)) {
		t.Fatalf("%s %s: %d %.300s, %v, want %d and %s", method, path, res.StatusCode, said, err, status, text)
	}
	if res.ProtoMajor != 2 {
		t.Errorf("%s %s is answered with %s", method, path, res.Proto)
	}
	return res.Header
}

// admin is the header of the first admin.
func (p *proxied) admin(t *testing.T) []string {
	t.Helper()
	return []string{"Authorization", "Bearer " + p.SignIn(t)}
}

// apis asks both, with the headers that have to pass.
func (p *proxied) apis(t *testing.T) {
	t.Helper()
	auth := append(p.admin(t), "Idempotency-Key", "proxied", "X-Request-Id", "QWERTYQWERTYQWERTYQWERTYQW")
	for _, replayed := range []string{"", "true"} {
		h := p.answered(t, 201, `"title":"Hello"`, "POST", "/api/v1/posts", `{"title":"Hello","content":"First.","published":true}`, auth...)
		if h.Get("Idempotency-Replayed") != replayed || h.Get("X-Request-Id") == "" {
			t.Errorf("the headers did not pass: %v", h)
		}
	}
	p.answered(t, 412, `"error"`, "PATCH", "/api/v1/posts/1", `{"title":"Hi"}`, append(auth[:2:2], "If-Match", `"999"`)...)
	tag := p.answered(t, 200, `"Hello"`, "GET", "/api/v1/posts/1", "").Get("ETag")
	p.answered(t, 304, "", "GET", "/api/v1/posts/1", "", "If-None-Match", tag)
	p.answered(t, 200, `{"data":{"posts":[{"title":"Hello"}]}`, "POST", "/graphql", `{"query":"{ posts { title } }"}`)
}

// events hears of a post while the stream goes on.
func (p *proxied) events(t *testing.T) {
	t.Helper()
	res := p.send(t, "POST", "/graphql", trial.NewPosts, "Accept", "text/event-stream")
	defer res.Body.Close()
	var heard strings.Builder
	part := make([]byte, 4096)
	for told := false; !strings.Contains(heard.String(), `"newPost":{"title":"Told"}`); {
		n, err := res.Body.Read(part)
		if heard.Write(part[:n]); err != nil {
			t.Fatalf("the stream ended: %v\n%s", err, &heard)
		}
		if !told { // it is open, for its first bytes are here
			told = true
			p.Ask(t, "POST", "/api/v1/posts", `{"title":"Told","content":"x","published":true}`, p.admin(t)...).Want(t, 201)
		}
	}
}

// socket hears of a post over a WebSocket.
func (p *proxied) socket(t *testing.T) {
	t.Helper()
	// HTTP/2 has no upgrade: a browser opens another connection, as this does.
	one := p.client.Transport.(*http.Transport).Clone()
	one.ForceAttemptHTTP2, one.TLSNextProto = false, map[string]func(string, *tls.Conn) http.RoundTripper{}
	one.TLSClientConfig.NextProtos = []string{"http/1.1"}
	ws, _, err := websocket.Dial(t.Context(), "wss"+strings.TrimPrefix(p.base, "https")+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: &http.Client{Transport: one}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ws.CloseNow() }()
	for _, turn := range [][2]string{
		{`{"type":"connection_init"}`, "connection_ack"},
		{`{"id":"1","type":"subscribe","payload":` + trial.NewPosts + `}`, ""},
		{`{"type":"ping"}`, "pong"},
	} {
		if err := ws.Write(t.Context(), websocket.MessageText, []byte(turn[0])); err != nil {
			t.Fatal(err)
		}
		if turn[1] != "" {
			hears(t.Context(), t, ws, turn[1])
		}
	}
	p.Ask(t, "POST", "/api/v1/posts", `{"title":"Heard","content":"x","published":true}`, p.admin(t)...).Want(t, 201)
	hears(t.Context(), t, ws, `"newPost":{"title":"Heard"}`)
}

func hears(ctx context.Context, t *testing.T, ws *websocket.Conn, want string) {
	t.Helper()
	if _, text, err := ws.Read(ctx); err != nil || !strings.Contains(string(text), want) {
		t.Fatalf("heard %s, %v, want %s", text, err, want)
	}
}

// bodies sends one that the service takes, and one that it does not: it is the
// service that says so, in its own form.
func (p *proxied) bodies(t *testing.T) {
	t.Helper()
	auth := p.admin(t)
	products := make([]string, 120)
	for i := range products {
		products[i] = fmt.Sprintf(`{"name":"P%d","price":1,"description":%q}`, i, strings.Repeat("x", 10_000))
	}
	p.answered(t, 201, `"P119"`, "POST", "/api/v1/products/bulk", `{"products":[`+strings.Join(products, ",")+`]}`, auth...)
	p.answered(t, 413, `"code":"PAYLOAD_TOO_LARGE"`, "POST", "/api/v1/products/bulk", `{"products":["`+strings.Repeat("x", 11<<20)+`"]}`, auth...)
}

// addresses sees that the caller is who asks the proxy, whatever they claim.
func (p *proxied) addresses(t *testing.T) {
	t.Helper()
	p.answered(t, 404, "", "GET", "/api/v1/posts/4711", "", "X-Forwarded-For", "203.0.113.9")
	p.Output.Wait(t, "path=/api/v1/posts/4711 status=404")
	for line := range strings.Lines(p.Output.String()) {
		if strings.Contains(line, "/posts/4711") && !strings.Contains(line, "from=127.0.0.2 ") {
			t.Errorf("the caller is not who asked the proxy: %s", line)
		}
	}
}
