// Package failure writes errors for the clients of a resource API: the status and the code of each
// kind of problem, the envelope of its version (package apiversion), and RFC 9457's problem
// details, as JSON or XML.
//
// It leans on package negotiate for the media types. Callers turn errors of
// databases and decoders into problems. An error that reaches a [Writer] and is no
// problem.Error is internal, and no word of it is written.
package failure

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// Writer writes errors as answers. Use [New].
type Writer struct {
	name     string
	versions *apiversion.Versions
}

// New returns a writer for the API of the name, which is the realm that callers
// sign in to (RFC 9110 section 11.5), and of the versions.
func New(name string, versions *apiversion.Versions) *Writer {
	return &Writer{name: name, versions: versions}
}

// Write answers with an error, as the version has it that the request is for.
func (f *Writer) Write(w http.ResponseWriter, r *http.Request, err error) {
	f.WriteAs(w, r, f.versions.Of(r), err)
}

// WriteAs answers with an error in the envelope of the version, or as RFC 9457
// has it where the request asks for that.
func (f *Writer) WriteAs(w http.ResponseWriter, r *http.Request, version *apiversion.Served, err error) {
	p := problem.As(err)
	if p == nil || p.Kind == problem.Internal {
		p = problem.New(problem.Internal, "an internal error occurred")
	}
	at := apiversion.Answer(p)
	h := w.Header()
	for _, name := range []string{"Etag", "Last-Modified", "Link", "Location", "Content-Length"} {
		h.Del(name) // of the answer that failed on its way
	}
	h.Set("Cache-Control", "no-store")
	h["X-Api-Version"] = version.Header
	if !slices.ContainsFunc(h["Vary"], func(one string) bool { return strings.HasPrefix(one, "Accept") }) {
		h["Vary"] = append(slices.Clip(h["Vary"]), "Accept, Accept-Encoding")
	}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(p.Seconds()))
	}
	if at.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", f.challenge(p))
	}
	form, ok := negotiate.Negotiate(r.Header["Accept"], media, version.Vendor)
	if !ok {
		form = negotiate.JSON // an error in no form that was asked for is better than none
	}
	body := version.Errors.Body(p, facts(r, p))
	if form == negotiate.Problem {
		body = newDetails(r, version, p)
	}
	text, err := json.Marshal(body)
	if err != nil {
		slog.ErrorContext(r.Context(), "write error", "err", err)
		text = []byte("{}")
	}
	if negotiate.Converts(form) {
		text = negotiate.Append(nil, form, text, nil)
	}
	h.Set("Content-Type", negotiate.ContentType(form))
	if form == negotiate.JSON {
		if vendor := negotiate.VendorType(r.Header["Accept"], version.Vendor); vendor != "" {
			h.Set("Content-Type", vendor)
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(at.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) //nolint:gosec // JSON or XML, and the client may be gone
	}
}

// media are the representations of errors.
var media = []string{negotiate.JSON, negotiate.Problem, negotiate.XML}

// challenge is how to authenticate (RFC 6750).
func (f *Writer) challenge(p *problem.Error) string {
	switch p.Kind {
	case problem.TokenExpired, problem.TokenInvalid:
		return `Bearer realm="` + f.name + `", error="invalid_token", error_description="` + strings.ReplaceAll(p.Message, `"`, `'`) + `"`
	}
	return `Bearer realm="` + f.name + `"`
}

// facts are those of the request. An internal error says no more than what the
// people who run the service need to find it.
func facts(r *http.Request, p *problem.Error) apiversion.Facts {
	all := apiversion.Facts{RequestID: requestid.From(r.Context())}
	if p.Kind != problem.Internal {
		all.Timestamp, all.Path = now(), problem.Cut(r.URL.Path)
	}
	return all
}

func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00") }
