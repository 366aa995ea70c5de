package web

import (
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// maxHeader is how large the headers of a request may be, its first line
// included. The server reads twice as much, so that what is too large can be
// answered like any other error.
const maxHeader = 32 << 10

// maxPath is how long the path of a request may be: RFC 9110 (4.1) has everybody take
// targets of 8,000 bytes, and no path of an API is nearly as long. A query, as of
// GraphQL, may fill what the headers leave.
const maxPath = 8 << 10

// judgeHead refuses a request whose path or headers are too large.
func judgeHead(r *http.Request) error {
	if size := headerSize(r); size > maxHeader {
		return errHead(len(r.RequestURI))
	}
	if len(r.RequestURI) <= maxPath {
		return nil
	}
	if path, _, _ := strings.Cut(r.RequestURI, "?"); len(path) > maxPath {
		return problem.New(problem.AddressTooLong, "the path is longer than %d bytes", maxPath)
	}
	return nil
}

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
