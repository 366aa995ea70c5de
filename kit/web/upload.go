package web

import (
	"mime/multipart"
	"net/http"
	"slices"
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
	case http.MethodPatch, http.MethodPut: // the second reads what has arrived, which takes as long
		return isResumed(below)
	}
	return false
}

// isResumed reports whether a path below a version is that of an upload that goes on.
func isResumed(below string) bool {
	return strings.HasSuffix(below, resumedPath) && strings.Contains(below, uploadPath+"/") && strings.Count(below, "/") <= 4
}

// IsForm reports whether the body of a request is a form with files.
func IsForm(r *http.Request) bool {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(media), "multipart/form-data")
}

// FileName is the name of the file in a part of a form. Browsers escape a quote and the ends of lines in it,
// and nothing else (https://html.spec.whatwg.org/#multipart-form-data): these three are decoded.
func FileName(part *multipart.Part) string { return unescaped.Replace(part.FileName()) }

var unescaped = strings.NewReplacer("%22", `"`, "%0D", "\r", "%0A", "\n")

// TusVersion is the version of tus (https://tus.io/protocols/resumable-upload) that uploads may be of.
const TusVersion = "1.0.0"

// spokenTus says in the answer to an upload by tus that it is understood: tus wants that of refusals, too,
// which no handler has seen, and of HEAD and DELETE of an upload as of its parts.
func spokenTus(h http.Header, r *http.Request) {
	spoken := slices.Equal(r.Header["Tus-Resumable"], []string{TusVersion}) && strings.HasPrefix(r.URL.Path, restPath)
	if spoken && (isUpload(r) || isResumed(r.URL.Path[len(expose.Prefix):])) {
		h.Set("Tus-Resumable", TusVersion)
	}
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
