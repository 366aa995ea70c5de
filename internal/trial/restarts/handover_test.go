//go:build unix

package restarts_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// restarts is how often TestRollingRestarts restarts: make faults says 20.
var (
	restarts = flag.Int("restarts", 2, "how many rolling restarts to try")
	requests = flag.Int64("requests", 0, "how many requests are sent in all of them at least: two thirds are POSTs")
)

var handsOver = regexp.MustCompile(`hands over to process (\d+)`)

// chain is a service that is restarted: one process after another, of which
// each prints to the same pipe.
type chain struct {
	url   string
	pid   int
	lines *bufio.Reader
	ended func() error
	log   *trial.Log
}

func startChain(t *testing.T, settings ...string) *chain {
	t.Helper()
	cmd := trial.Command(t, trial.Folder(t), "serve")
	cmd.Env = append(append(cmd.Env, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_RATE_LIMIT=off"), settings...)
	c := &chain{log: new(trial.Log), ended: cmd.Wait}
	cmd.Stderr = c.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.pid, c.lines = cmd.Process.Pid, bufio.NewReader(io.TeeReader(out, c.log))
	c.url = c.until(t, regexp.MustCompile(`entwine listens on (\S+)`))
	return c
}

// until reads lines until one matches, and returns what the group is.
func (c *chain) until(t *testing.T, wanted *regexp.Regexp) string {
	t.Helper()
	for {
		line, err := c.lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%v before %v:\n%s", err, wanted, c.log)
		}
		if found := wanted.FindStringSubmatch(line); found != nil {
			return found[1]
		}
	}
}

// restart has the process hand over to another, and returns when it does.
func (c *chain) restart(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(c.pid, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	c.pid, _ = strconv.Atoi(c.until(t, handsOver))
}

// stop ends the last process, and waits until all of them have ended.
func (c *chain) stop(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(c.pid, syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, c.lines) // the pipe is closed by the last that has it
	if err := c.ended(); err != nil {
		t.Errorf("the first process ended with %v\n%s", err, c.log)
	}
}

// load is requests that are sent all the time, by clients that each keep
// their connection for as long as they are allowed to.
type load struct {
	sent, failed atomic.Int64
	first        sync.Once
	why          string
	clients      sync.WaitGroup
	stop         context.CancelFunc
	more         chan struct{} // has an element once another request was sent
}

// until returns when the part of all requests has been sent that goes before a restart.
func (l *load) until(restart int) {
	for want := *requests * int64(restart) / int64(*restarts); l.sent.Load() < want; {
		<-l.more
	}
}

func sendAllTheTime(t *testing.T, url, token string, clients int) *load {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l := &load{stop: stop, more: make(chan struct{}, 1)}
	for i := range clients {
		l.clients.Go(func() {
			client := &http.Transport{} // one connection
			defer client.CloseIdleConnections()
			for n := 0; ctx.Err() == nil; n++ {
				l.send(client, url, token, i+n)
			}
		})
	}
	return l
}

// send sends a request, which counts also if it is sent while the test ends.
func (l *load) send(client *http.Transport, url, token string, n int) {
	var r *http.Request
	switch n % 3 {
	case 0:
		r, _ = http.NewRequest("GET", url+"/api/v1/posts?limit=2&expand=author", nil)
	case 1:
		// A body that can't be sent again: the transport can't hide a failure.
		body := io.MultiReader(strings.NewReader(`{"query":"{ posts { id } }"}`))
		r, _ = http.NewRequest("POST", url+"/graphql", body)
	case 2:
		body := io.MultiReader(strings.NewReader(fmt.Sprintf(`{"title":"Post %d","content":"…"}`, n)))
		r, _ = http.NewRequest("POST", url+"/api/v1/posts", body)
		r.Header.Set("Authorization", "Bearer "+token)
	}
	r.Header.Set("Content-Type", "application/json")
	l.sent.Add(1)
	select {
	case l.more <- struct{}{}:
	default:
	}
	res, err := client.RoundTrip(r)
	if err == nil {
		var text []byte
		text, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err == nil && res.StatusCode >= 300 {
			err = fmt.Errorf("%s %s: %s %.200s", r.Method, r.URL.Path, res.Status, text)
		}
	}
	if err != nil {
		l.failed.Add(1)
		l.first.Do(func() { l.why = err.Error() })
	}
}

// No request of eight clients fails while each process hands its socket over to
// the next one.
func TestRollingRestarts(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		rolling(t)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		rolling(t, "ENTWINE_DATABASE_URL="+migratetest.Schema(t).PostgresURL(t))
	})
}

func rolling(t *testing.T, settings ...string) {
	t.Helper()
	c := startChain(t, settings...)
	s := &trial.Service{URL: c.url}
	token := strings.TrimPrefix(s.SignUp(t)[1], "Bearer ")
	l := sendAllTheTime(t, c.url, token, 8)
	for i := range *restarts {
		l.until(i)
		before := l.sent.Load()
		c.restart(t)
		if l.sent.Load() == before {
			t.Error("no request was sent meanwhile")
		}
	}
	l.until(*restarts)
	l.stop()
	l.clients.Wait()
	c.stop(t)
	if n := l.failed.Load(); n > 0 {
		t.Errorf("%d of %d requests failed in %d restarts, the first with %s\n%s", n, l.sent.Load(), *restarts, l.why, c.log)
	}
	t.Logf("%d requests in %d restarts", l.sent.Load(), *restarts)
}

// A successor that does not come to serve changes nothing.
func TestNoSuccessor(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "settings")
	if err := os.WriteFile(file, []byte("ENTWINE_BCRYPT_COST=4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startChain(t, "ENTWINE_CONFIG="+file, "ENTWINE_LOG_LEVEL=error")
	if err := os.WriteFile(file, []byte("ENTWINE_NONSENSE=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(c.pid, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	c.log.Wait(t, "there is no successor")
	s := &trial.Service{URL: c.url}
	s.Ask(t, "GET", "/readyz", "").Want(t, 200)
	c.stop(t)
}
