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

//go:embed start.html
var startHTML string

var startPage = template.Must(template.New("start").Parse(startHTML))

// startPolicy lets the page use its own style and nothing else.
var startPolicy = func() string {
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(startHTML)[1]
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// Start is the page at /: what there is to try, with requests to copy. It
// loads nothing, runs nothing, and repeats nothing of the request. The zero
// value says where the APIs are and nothing of the installation.
type Start struct {
	// Trial is what somebody is told who tries the service out, nil in production.
	Trial *Trial
}

// Trial is what there is to try.
type Trial struct {
	// URL is the address that clients use.
	URL string
	// Version is the program's.
	Version string
	// Email is whom the first request signs in.
	Email string
	// Explorer is set where there is a page to explore GraphQL with.
	Explorer bool
}

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
	h.Set("Cache-Control", "no-cache")
	if r.Method == http.MethodGet {
		_, _ = w.Write(page.Bytes()) // the client may be gone
	}
}
