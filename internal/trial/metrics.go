package trial

import (
	"bufio"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// MetricsURL finds in a log where metrics are served.
var MetricsURL = regexp.MustCompile(`url=(http://\S+/metrics)`)

// Scrape reads a process's metrics: each series and its value.
func Scrape(t *testing.T, output *Log) (series map[string]float64, text string) {
	t.Helper()
	output.Wait(t, "metrics are served")
	r, err := http.NewRequestWithContext(t.Context(), "GET", MetricsURL.FindStringSubmatch(output.String())[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("metrics: %d, %v", res.StatusCode, err)
	}
	series = make(map[string]float64)
	for lines := bufio.NewScanner(strings.NewReader(string(all))); lines.Scan(); {
		if at := strings.LastIndexByte(lines.Text(), ' '); at > 0 && !strings.HasPrefix(lines.Text(), "#") {
			series[lines.Text()[:at]], _ = strconv.ParseFloat(lines.Text()[at+1:], 64)
		}
	}
	return series, string(all)
}

// Measures scrapes the process until a series has a value that is wanted.
func (s *Service) Measures(t *testing.T, series string, want func(float64) bool) {
	t.Helper()
	for {
		all, text := Scrape(t, s.Output)
		if value, ok := all[series]; ok && want(value) {
			return
		}
		if t.Context().Err() != nil {
			t.Fatalf("%s is %v:\n%s", series, all[series], text)
		}
	}
}

// Above is any value above the least.
func Above(least float64) func(float64) bool { return func(v float64) bool { return v > least } }

// Is is this value.
func Is(value float64) func(float64) bool { return func(v float64) bool { return v == value } }
