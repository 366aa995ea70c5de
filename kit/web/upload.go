package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
)

// uploadPath is where files are uploaded to, below any version of REST.
const uploadPath = "/files"

// isUpload reports whether the request uploads a file.
func isUpload(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, restPath) && strings.HasSuffix(r.URL.Path, uploadPath) &&
		strings.Count(r.URL.Path[len(expose.Prefix):], "/") <= 2 // with a version, and without
}

const (
	// pace is how many bytes of a file have to arrive in a second, on the average, once a
	// body may have taken as long as any other.
	pace = 16 << 10
	// formRoom is how much a form has beside the file.
	formRoom = 64 << 10
)

// uploads are the limits of requests that upload a file: of the largest there are.
func (e *Edge) uploads() Page {
	return Page{
		Body: e.Uploads + formRoom,
		Time: e.Limit.BodyTime + e.Limit.RequestTime + time.Duration(e.Uploads/pace)*time.Second,
	}
}

// paced moves the deadline of a body on by what has arrived of it.
func (b *body) paced(n int) {
	if !b.paces || n == 0 {
		return
	}
	until := b.began.Add(b.time + time.Duration((b.limit-b.left)/pace)*time.Second)
	if until.After(b.until) { // at most once for as many bytes as may take a second
		b.until = until
		_ = b.deadline.SetReadDeadline(until) // as when it was set first
	}
}
