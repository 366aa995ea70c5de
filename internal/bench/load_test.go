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
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
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

// asked is a process that is asked the same thing again and again.
type asked struct {
	*process
	name    string
	call    *call
	callers []*caller
	// rounds are the costs of a request in each round, in microseconds of CPU: in all, and
	// of that in PostgreSQL.
	rounds, stored []float64
}

func (p *process) asked(name string, c *call) *asked { return &asked{process: p, name: name, call: c} }

// open connects the callers, and lets them ask a few times, so that
// statements are prepared.
func (a *asked) open(b *testing.B) {
	b.Helper()
	a.fetch(b, *a.call)
	for range callers {
		a.callers = append(a.callers, a.caller(b))
	}
	a.ask(b, callers*8)
}

// ask makes all callers ask, n times together.
func (a *asked) ask(b *testing.B, n int) {
	b.Helper()
	request := a.call.request()
	var left atomic.Int64
	left.Store(int64(n))
	var all errgroup.Group
	for _, caller := range a.callers {
		all.Go(func() error {
			for left.Add(-1) >= 0 {
				status, err := caller.ask(request, io.Discard)
				if err != nil {
					return err
				}
				if status != a.call.status {
					return fmt.Errorf("%s %s: %d", a.call.method, a.call.path, status)
				}
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		b.Fatal(err)
	}
}

// turn is how many requests one has until the next one is asked.
const turn = 500

// measure has each asked b.N times, in turns: what else the machine does, and
// the pace at which it runs, changes from one second to the next, and
// concerns all of them alike.
func measure(b *testing.B, all []*asked) {
	all = slices.DeleteFunc(slices.Clone(all), func(a *asked) bool { return a.call == nil })
	for _, a := range all {
		a.open(b)
	}
	for left := b.N; left > 0; left -= turn {
		n := min(left, turn)
		for _, a := range all {
			server, database := a.cpu(b)
			a.ask(b, n)
			serverNow, databaseNow := a.cpu(b)
			stored := float64(databaseNow-database) / 1000 / float64(n)
			a.rounds = append(a.rounds, stored+float64(serverNow-server)/1000/float64(n))
			a.stored = append(a.stored, stored)
		}
	}
	for _, a := range all {
		for _, caller := range a.callers {
			_ = caller.conn.Close()
		}
	}
}

// cost is the whole CPU of one request, in microseconds.
func (a *asked) cost() float64 { return median(a.rounds) }

// median is of the rounds, for some of them have paid for PostgreSQL's vacuum
// or a collection of garbage. Of none it is 0.
func median(rounds []float64) float64 {
	if len(rounds) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(rounds))[len(rounds)/2]
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
