// Package graphiql serves GraphiQL: a page to explore GraphQL with, to sign
// in, to run operations and to subscribe. Everything that it is made of is in
// the program; it loads nothing from elsewhere.
package graphiql

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"sync"

	"github.com/entwine-go/entwine/kit/internal/compress"
	"github.com/entwine-go/entwine/kit/problem"
)

// Path is where the page is, and below it what it is made of: the page itself
// says so.
const Path = "/graphiql"

//go:embed page.html page.css page.js assets/*.gz
var files embed.FS

// policy lets the page run what is served beside it and talk to this service,
// and nothing else. GraphiQL's editor sets styles as it goes.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// part is a file in the form that is sent.
type part struct {
	media, tag string
	plain      []byte // nil where it is kept compressed only
	compressed []byte
}

// Page has the page's facts about the service.
type Page struct {
	// Name is the service's, and Accounts is set where users sign in to it.
	Name     string
	Accounts bool
	// Example is the editor's first text: operations of the service's schema.
	Example string
	// Errors answers requests that the page does not: for a path where there is nothing,
	// and by a method other than GET and HEAD.
	Errors func(w http.ResponseWriter, r *http.Request, err error)
}

// Handler answers for the page and for all below it. The first to ask has the
// files loaded: a megabyte that few processes need.
func (p Page) Handler() http.Handler {
	parts := sync.OnceValue(func() map[string]*part {
		all := map[string]*part{Path: p.load()}
		for _, name := range []string{"page.css", "page.js", "react.js", "react-dom.js", "graphql-ws.js", "graphiql.js", "graphiql.css"} {
			all[Path+"/"+name] = load(name)
		}
		return all
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found := parts()[r.URL.Path]
		switch {
		case found == nil:
			p.Errors(w, r, problem.New(problem.NotFound, "there is nothing at this path"))
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			p.Errors(w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: GET, HEAD", r.Method))
		default:
			found.serve(w, r)
		}
	})
}

// load returns the page itself. It panics where a program has another template.
func (p Page) load() *part {
	var b bytes.Buffer
	if err := template.Must(template.ParseFS(files, "page.html")).Execute(&b, p); err != nil {
		panic(err)
	}
	page := &part{media: "text/html; charset=utf-8", plain: b.Bytes()}
	page.mark()
	return page
}

// load reads a file of the program. It panics where there is none.
func load(name string) *part {
	p := &part{media: mime.TypeByExtension(path.Ext(name))}
	var err error
	if p.plain, err = files.ReadFile(name); err != nil {
		if p.compressed, err = files.ReadFile("assets/" + name + ".gz"); err != nil {
			panic(err)
		}
	}
	p.mark()
	return p
}

func (p *part) mark() {
	sum := sha256.Sum256(append(slices.Clip(p.plain), p.compressed...))
	p.tag = `"` + hex.EncodeToString(sum[:8]) + `"`
}

func (p *part) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", p.media)
	h.Set("Content-Security-Policy", policy)
	h.Set("ETag", p.tag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	if tag := r.Header.Get("If-None-Match"); compress.Plain(tag) == p.tag {
		h.Set("ETag", tag)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := p.plain
	if body == nil {
		body = p.compressed
		if c := compress.Choose(r.Header["Accept-Encoding"], compress.Gzip); c == compress.Gzip {
			h.Set("Content-Encoding", c.String())
			h.Set("ETag", c.Tag(p.tag))
		} else {
			body = p.unpacked()
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the client may be gone
	}
}

// unpacked is for the rare client that takes nothing compressed.
func (p *part) unpacked() []byte {
	r, err := gzip.NewReader(bytes.NewReader(p.compressed))
	if err != nil {
		panic(err) // the file in the program is no gzip
	}
	body, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return body
}
