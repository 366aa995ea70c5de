package web

import (
	"net/http"

	"github.com/entwine-go/entwine/kit/problem"
)

// maxHeader is how large the headers of a request may be, its first line
// included. The server reads twice as much, so that what is too large can be
// answered like any other error.
const maxHeader = 32 << 10

// errHead refuses a request whose headers are too large: for its path and query
// where they are the larger part of it.
func errHead(target int) error {
	if target > maxHeader/2 {
		return problem.New(problem.AddressTooLong, "the path and the query are too long: with the headers, %d bytes are allowed", maxHeader)
	}
	return problem.New(problem.HeadersTooLarge, "the headers are larger than %d bytes", maxHeader)
}

// headerSize returns how large the headers of a request were on their way.
func headerSize(r *http.Request) int {
	n := len(r.Method) + len(r.RequestURI) + len(r.Proto) + 4 + len("Host: ") + len(r.Host) + 2
	for name, values := range r.Header {
		for _, value := range values {
			n += len(name) + len(value) + 4
		}
	}
	return n
}
