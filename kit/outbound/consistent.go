package outbound

import (
	"net/http"
	"sync"
)

// consistencyHeader is the header by which an entwine service with read replicas is asked
// for rows that are no older than what its caller has seen.
const consistencyHeader = "Consistency-Token"

// Consistent has requests to one entwine service read what earlier ones have written and
// read, whichever of its processes and read replicas answer: each sends the newest
// Consistency-Token of the answers before. Next carries out the requests,
// [http.DefaultTransport] where it is nil. It is for concurrent use.
//
//	client, err := oas.NewClient(url, security, oas.WithClient(&http.Client{Transport: outbound.Consistent(nil)}))
func Consistent(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &consistent{next: next}
}

type consistent struct {
	next http.RoundTripper
	mu   sync.Mutex
	seen string
}

// RoundTrip implements http.RoundTripper.
func (c *consistent) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	seen := c.seen
	c.mu.Unlock()
	if seen != "" && r.Header.Get(consistencyHeader) == "" {
		r = r.Clone(r.Context())
		r.Header.Set(consistencyHeader, seen)
	}
	answer, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.seen = max(c.seen, answer.Header.Get(consistencyHeader)) // tokens are ordered as texts
	c.mu.Unlock()
	return answer, nil
}
