package web

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"regexp"
	"strings"
)

//go:embed missing.html
var missingHTML string

var missingPage = template.Must(template.New("missing").Parse(missingHTML))

// missingPolicy lets the page use its own style, and nothing else.
var missingPolicy = "default-src 'none'; style-src " + hashed(regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(missingHTML)[1]) +
	"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// AsksForPage reports whether a person has opened the path in a browser: it names
// HTML among what it takes, which programs do not.
func AsksForPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// ServeMissing answers a browser at a path where there is nothing with a page, which
// names where REST begins unless that is empty. It reports false, and has done nothing,
// for any other client.
func ServeMissing(w http.ResponseWriter, r *http.Request, rest string) bool {
	if !AsksForPage(r) {
		return false
	}
	var page bytes.Buffer
	if err := missingPage.Execute(&page, rest); err != nil {
		panic(err) // the template does not fit a text
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", missingPolicy)
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept")
	w.WriteHeader(http.StatusNotFound)
	if r.Method == http.MethodGet {
		_, _ = w.Write(page.Bytes()) // the client may be gone
	}
	return true
}
