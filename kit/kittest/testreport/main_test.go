package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

const stream = `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:3: fine\n"}
{"Action":"pass","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Test":"TestY","Output":"=== RUN   TestY\n"}
{"Action":"output","Package":"a","Test":"TestY","Output":"    y_test.go:9: NOT TESTED on postgres: no initdb\n"}
{"Action":"output","Package":"a","Test":"TestY","Output":"--- SKIP: TestY (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestY"}
{"Action":"output","Package":"a","Output":"ok  \ta\n"}
{"Action":"pass","Package":"a","Elapsed":1.25}
`

func TestWhatWasSkippedIsSaidLoudly(t *testing.T) {
	var out strings.Builder
	ok, err := newRun(&out, time.Now).report(strings.NewReader(stream), nil)
	if !ok || err != nil {
		t.Fatalf("report: %v, %v", ok, err)
	}
	want := "ok    a 1.2s\n\n1 passed, 0 failed, 1 skipped\n!! NOT TESTED, 1 times: on postgres: no initdb\n"
	if out.String() != want {
		t.Errorf("reported\n%s\nwant\n%s", &out, want)
	}
}

func TestAFailureIsShownInFull(t *testing.T) {
	for name, c := range map[string]struct{ stream, want string }{
		"of a test": {`{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:3: broken\n"}
{"Action":"fail","Package":"a","Test":"TestX"}
{"Action":"fail","Package":"a"}`, "x_test.go:3: broken"},
		"of a build": {`{"Action":"build-output","ImportPath":"a","Output":"a.go:1: undefined: x\n"}
{"Action":"build-fail","ImportPath":"a"}
{"Action":"fail","Package":"a"}`, "a.go:1: undefined: x"},
		"between tests":  {`{"Action":"output","Package":"a","Output":"panic: x\n"}` + "\n" + `{"Action":"fail","Package":"a"}`, "panic: x"},
		"before a test":  {`go: no such module`, "go: no such module"},
		"beside a pass":  {stream + `{"Action":"fail","Package":"b"}`, "FAIL  b"},
		"where all is 0": {``, "0 passed"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			ok, err := newRun(&out, time.Now).report(strings.NewReader(c.stream), nil)
			if ok || err != nil || !strings.Contains(out.String(), c.want) {
				t.Errorf("report: %v, %v\n%s", ok, err, &out)
			}
		})
	}
}

func TestWhatTakesLongIsNamedWithItsUsualTime(t *testing.T) {
	usual = readUsual("# seconds\na 40\n")
	from, to := io.Pipe()
	tick := make(chan time.Time)
	go func() {
		for _, line := range []string{
			`{"Action":"start","Package":"a"}`, `{"Action":"start","Package":"b"}`,
			`{"Action":"run","Package":"a","Test":"TestX"}`, `{"Action":"run","Package":"a","Test":"TestX/one"}`, ``,
			`{"Action":"pass","Package":"b","Elapsed":0.1}`,
			`{"Action":"pass","Package":"a","Test":"TestX"}`, `{"Action":"pass","Package":"a","Elapsed":41.6}`,
		} {
			if line == "" { // all before is read once the next is asked for
				_, _ = io.WriteString(to, "\n")
				tick <- time.Time{}
				continue
			}
			_, _ = io.WriteString(to, line+"\n")
		}
		_ = to.Close()
	}()
	var out strings.Builder
	clock := time.Unix(0, 0)
	r := newRun(&out, func() time.Time { clock = clock.Add(10 * time.Second); return clock })
	if ok, err := r.report(from, tick); !ok || err != nil {
		t.Fatalf("report: %v, %v", ok, err)
	}
	want := "runs  a, usually 40 s\n      a runs TestX: 20 s of usually 40 s\n      b runs : 20 s\nok    b 0.1s\nok    a 41.6s\n1 passed, 0 failed, 0 skipped\n"
	// The empty line, which is from no test, may be before or behind the list.
	if got := strings.ReplaceAll(out.String(), "\n\n", "\n"); got != want {
		t.Errorf("reported\n%s\nwant\n%s", got, want)
	}
	if times := string(r.times()); !strings.HasSuffix(times, "\na 42\n") || strings.Contains(times, "\nb ") {
		t.Errorf("the times are\n%s", times)
	}
}
