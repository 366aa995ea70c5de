package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
)

// Where files are uploaded to, below any version of REST, and parts of them.
const (
	uploadPath  = "/files"
	resumedPath = "/upload"
)

// isUpload reports whether the request uploads a file, or a part of one. A form of GraphQL has
// files.
func isUpload(r *http.Request) bool {
	if r.URL.Path == GraphQLPath {
		return r.Method == http.MethodPost && IsForm(r)
	}
	if !strings.HasPrefix(r.URL.Path, restPath) {
		return false
	}
	below := r.URL.Path[len(expose.Prefix):] // with a version, and without
	switch r.Method {
	case http.MethodPost:
		return strings.HasSuffix(below, uploadPath) && strings.Count(below, "/") <= 2
	case http.MethodPatch:
		return strings.HasSuffix(below, resumedPath) && strings.Contains(below, uploadPath+"/") && strings.Count(below, "/") <= 4
	}
	return false
}

// IsForm reports whether the body of a request is a form with files.
func IsForm(r *http.Request) bool {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(media), "multipart/form-data")
}

// resumes reports whether what arrives of the body is kept, whenever it breaks off.
func resumes(r *http.Request) bool {
	return r.Method == http.MethodPatch || len(r.Header["Upload-Complete"])+len(r.Header["Tus-Resumable"]) > 0
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
	if b.resumes { // it may be slower, as long as something arrives
		until = b.now().Add(b.time).Truncate(time.Second)
		if last := b.began.Add(b.time + time.Duration(b.limit/pace)*time.Second); until.After(last) {
			until = last
		}
	}
	if until.After(b.until) { // at most once for as many bytes as may take a second
		b.until = until
		_ = b.deadline.SetReadDeadline(until) // as when it was set first
	}
}
