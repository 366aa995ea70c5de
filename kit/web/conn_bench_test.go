//go:build unix

package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/web"
)

// BenchmarkAnswer sends answers of several sizes over a connection. Its CPU is
// that of both sides.
func BenchmarkAnswer(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := startWriting(b, l, new(web.Stall))
	for _, size := range []int{1_000, 6_000, 30_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			c, err := net.Dial("tcp", s.at)
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			answers := bufio.NewReaderSize(c, 64<<10)
			request := fmt.Appendf(nil, "GET /api/%d HTTP/1.1\r\nHost: x\r\n\r\n", size)
			before := cpu()
			for b.Loop() {
				if _, err := c.Write(request); err != nil {
					b.Fatal(err)
				}
				answer, err := http.ReadResponse(answers, nil)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, answer.Body); err != nil || n != int64(size) {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

// cpu is the CPU time of this process, in nanoseconds.
func cpu() int64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return used.Utime.Nano() + used.Stime.Nano()
}
