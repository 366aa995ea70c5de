package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// callers is how many connections ask at a time, one request after the other each.
const callers = 32

// call is one request.
type call struct {
	method, path, body string
	token              string
	status             int
}

// request returns the bytes of the call.
func (c call) request() []byte {
	b := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: bench\r\nContent-Length: %d\r\n", c.method, c.path, len(c.body))
	if c.body != "" {
		b = append(b, "Content-Type: application/json\r\n"...)
	}
	if c.token != "" {
		b = append(b, "Authorization: Bearer "+c.token+"\r\n"...)
	}
	return append(append(b, "\r\n"...), c.body...)
}

// caller is a connection that asks. It does less than http.Client, for the
// machine is shared with what is measured.
type caller struct {
	conn    net.Conn
	answers *bufio.Reader
}

func (p *process) caller(b testing.TB) *caller {
	b.Helper()
	conn, err := new(net.Dialer).DialContext(b.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	return &caller{conn: conn, answers: bufio.NewReader(conn)}
}

// ask sends the request and returns the status of the answer. The body is
// written to w.
func (c *caller) ask(request []byte, w io.Writer) (int, error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, err
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(w, answer.Body)
	return answer.StatusCode, err
}

// fetch returns the body of the answer to a call, which must be the one that
// is expected.
func (p *process) fetch(b testing.TB, c call) []byte {
	b.Helper()
	caller := p.caller(b)
	defer caller.conn.Close()
	var body bytes.Buffer
	status, err := caller.ask(c.request(), &body)
	if err != nil {
		b.Fatal(err)
	}
	if status != c.status || bytes.Contains(body.Bytes(), []byte(`"errors":`)) {
		b.Fatalf("%s %s: %d\n%s", c.method, c.path, status, body.Bytes())
	}
	return body.Bytes()
}

// measure returns the whole CPU of one request, in microseconds, while all
// callers ask.
func (p *process) measure(b *testing.B, c call) float64 {
	p.fetch(b, c)
	request := c.request()
	b.SetParallelism(max(1, callers/runtime.GOMAXPROCS(0)))
	ask := func(pb turns) {
		caller := p.caller(b)
		defer caller.conn.Close()
		for pb.Next() {
			status, err := caller.ask(request, io.Discard)
			if err == nil && status != c.status {
				err = fmt.Errorf("%s %s: %d", c.method, c.path, status)
			}
			if err != nil {
				b.Error(err)
				return
			}
		}
	}
	warmUp(ask)
	before := p.cpu(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) { ask(pb) })
	b.StopTimer()
	cpu := float64(p.cpu(b)-before) / 1000 / float64(b.N)
	b.ReportMetric(cpu, "cpu-µs/op")
	return cpu
}

// turns says whether to ask once more, as [testing.PB] does.
type turns interface{ Next() bool }

// atMost is so many turns.
type atMost int

func (n *atMost) Next() bool {
	*n--
	return *n >= 0
}

// warmUp lets all callers ask a few times, so that connections are open and
// statements prepared.
func warmUp(ask func(turns)) {
	var callersDone sync.WaitGroup
	for range callers {
		callersDone.Go(func() {
			n := atMost(8)
			ask(&n)
		})
	}
	callersDone.Wait()
}

// same fails where both did not answer the same rows, for then their costs
// can't be compared.
func same(b *testing.B, floor, entwine []byte) {
	b.Helper()
	var rows [2]struct {
		Data       any
		Pagination struct{ Total int }
	}
	for i, body := range [][]byte{floor, entwine} {
		if err := json.Unmarshal(body, &rows[i]); err != nil {
			b.Fatalf("%v\n%s", err, body)
		}
	}
	if !reflect.DeepEqual(rows[0], rows[1]) {
		b.Fatalf("the floor answers\n%s\nand entwine\n%s", floor, entwine)
	}
}
