// Package console serves the console: pages in a browser in which a person who signs
// in looks at rows and changes them, retries jobs, ends sign-ins and sees the schema.
//
// The pages know no entity. They read the manifest of the service and call its public
// operations as the person who signed in, so that the console permits nothing which the
// APIs refuse. Their files are in the program, and they load nothing from elsewhere.
// ui/ has their sources, build/ makes dist/ of these.
//
// The build tag noconsole leaves the pages out of a program.
package console

import (
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/internal/compress"
	"github.com/entwine-go/entwine/kit/problem"
)

// Path is where the console is. Every path below is a page of it, or a file of [assets].
const Path = "/console"

// policy lets the page run and show what is served beside it, and call this service.
// Trusted Types have the browser refuse scripts that write HTML from text.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// policy lets the page also send files to the object store.
func (p Page) policy() string {
	if p.Uploads == "" {
		return policy
	}
	return strings.Replace(policy, "connect-src 'self'", "connect-src 'self' "+p.Uploads, 1)
}

// Page has the console's facts about the service before its first request.
type Page struct {
	// Name is the service's.
	Name string
	// API is the path of a version of REST, as in "/api/v1".
	API string
	// Accounts is set where users sign in to the service.
	Accounts bool
	// Explorer is set where there is a page to explore GraphQL with.
	Explorer bool
	// Uploads is the origin of the object store to which files are sent, empty for none.
	Uploads string
	// Errors answers requests for a file that there is not, and by a method other than
	// GET and HEAD.
	Errors func(w http.ResponseWriter, r *http.Request, err error)
}

// Handler answers for [Path] and all below it. Nil: the program is built without the
// console.
func (p Page) Handler() http.Handler {
	if !Built {
		return nil
	}
	site, policy := site(p), p.policy()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		switch name, file := strings.CutPrefix(r.URL.Path, Path+assets); {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			p.Errors(w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: GET, HEAD", r.Method))
		case !file:
			site().page(r.URL.Path).serve(w, r)
		case site().files[name] != nil:
			site().files[name].serve(w, r)
		default:
			p.Errors(w, r, problem.New(problem.NotFound, "there is nothing at this path"))
		}
	})
}

// serve sends a file, compressed where the client takes that.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.media)
	h.Set("Cache-Control", f.cache)
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	if tag := r.Header.Get("If-None-Match"); compress.Plain(tag) == f.tag {
		h.Set("ETag", tag)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if c := compress.Choose(r.Header["Accept-Encoding"], compress.Gzip); c == compress.Gzip && f.gzip != nil {
		h.Set("Content-Encoding", c.String())
		h.Set("ETag", c.Tag(f.tag))
		body = f.gzip
	}
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the client may be gone
	}
}
