package rest

import (
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// vendorWriter answers with JSON under the name of the API's own that the request
// asks for: application/vnd.entwine.v1+json.
type vendorWriter struct {
	http.ResponseWriter
	media string
}

// named is w, or a writer that gives JSON the name that the request likes better.
func named(w http.ResponseWriter, r *http.Request, vendor []string) http.ResponseWriter {
	accept := r.Header["Accept"]
	if len(accept) == 0 || len(accept) == 1 && !strings.Contains(strings.ToLower(accept[0]), "vnd.") {
		return w
	}
	if media := negotiate.VendorType(accept, vendor); media != "" {
		return vendorWriter{w, media}
	}
	return w
}

// WriteHeader implements http.ResponseWriter.
func (w vendorWriter) WriteHeader(status int) {
	w.name()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w vendorWriter) Write(b []byte) (int, error) {
	w.name() // where WriteHeader was not called
	return w.ResponseWriter.Write(b)
}

// name gives the answer its name, unless it is a file, which has a type of its own.
func (w vendorWriter) name() {
	h := w.Header()
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	if media == negotiate.JSON && h.Get("Content-Disposition") == "" {
		h["Content-Type"] = []string{w.media}
	}
}

// Unwrap is for http.ResponseController.
func (w vendorWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
