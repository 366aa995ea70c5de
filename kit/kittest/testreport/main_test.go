package main

import (
	"strings"
	"testing"
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
	ok, err := report(strings.NewReader(stream), &out)
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
			ok, err := report(strings.NewReader(c.stream), &out)
			if ok || err != nil || !strings.Contains(out.String(), c.want) {
				t.Errorf("report: %v, %v\n%s", ok, err, &out)
			}
		})
	}
}
