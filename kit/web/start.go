package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"regexp"
)

var (
	//go:embed start.html
	startHTML string
	//go:embed start.js
	startScript template.JS
)

var startPage = template.Must(template.New("start").Parse(startHTML))

// The policies let the page use its own style and icon, and where there is
// something to try, its own script, which talks to this service.
var startPolicy, trialPolicy = func() (bare, trial string) {
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(startHTML)[1]
	bare = "default-src 'none'; style-src " + hashed(style) + "; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return bare, bare + "; script-src " + hashed(string(startScript)) + "; connect-src 'self'"
}()

// hashed is how a policy admits the text of an element.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Start is the page at /: links to try the service, with requests to copy and a
// form to sign in. It loads nothing from other origins and repeats nothing of the
// request. Without a Trial it names where the APIs are, and nothing else of the
// installation.
type Start struct {
	// Name is the service's.
	Name string
	// REST is where the paths of REST begin: "/api/v1". It is asked for each page, as
	// versions end. Nil: there is no REST.
	REST func() string
	// GraphQL is set where there is GraphQL.
	GraphQL bool
	// Trial is shown to a developer who tries the service, nil in production.
	Trial *Trial
}

// Trial has the parts of the start page.
type Trial struct {
	// URL is the address that clients use.
	URL string
	// Version is the program's.
	Version string
	// Accounts is set where users sign in, and Email is the address of the user whom
	// the first request signs in.
	Accounts bool
	Email    string
	// Requests are those to try the APIs by. Nil: none.
	Requests func() (rest, graphql string)
	// Seeds is set where the program makes rows that are like real ones.
	Seeds bool
	// Explorer is set where there is a page to explore GraphQL with.
	Explorer bool
	// Console is set where there is a console.
	Console bool
}

// API is the beginning of REST's paths, empty without REST.
func (s Start) API() string {
	if s.REST == nil {
		return ""
	}
	return s.REST()
}

// Shown are the requests, for each API one text that may be empty.
func (t Trial) Shown() (texts struct{ REST, GraphQL string }) {
	if t.Requests != nil {
		texts.REST, texts.GraphQL = t.Requests()
	}
	return texts
}

// Script is the page's.
func (Trial) Script() template.JS { return startScript }

// ServeHTTP implements http.Handler.
func (s Start) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !readOnly(w, r) {
		return
	}
	var page bytes.Buffer
	if err := startPage.Execute(&page, s); err != nil {
		panic(err) // the template does not fit Start
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", startPolicy)
	if s.Trial != nil {
		h.Set("Content-Security-Policy", trialPolicy)
	}
	h.Set("Cache-Control", "no-cache")
	if r.Method == http.MethodGet {
		_, _ = w.Write(page.Bytes()) // the client may be gone
	}
}
