package negotiate

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Writer is a response writer that turns a JSON body into another media type. It
// holds the body until [Writer.Close]. Bodies that are not JSON pass through, and
// so do errors, which have a form of their own.
type Writer struct {
	http.ResponseWriter
	// Media is the representation that JSON is turned into.
	Media string
	// Columns are those of CSV, as [AppendCSV] takes them. Nil: as in the body.
	Columns func() []string
	// Name is the file name of a list as CSV, without ".csv".
	Name string
	// Translate, where it is not nil, makes of the body of a success the one that
	// the API's version has.
	Translate func(status int, body []byte) []byte
	// Empty, where it is not nil, is the body in the place of 204.
	Empty func() []byte
	// Fresh, where it is not nil, is shown a body with status 200 and adds to
	// its headers. Where it reports true, the answer is 304 instead.
	Fresh func(h http.Header, body []byte) bool

	body   []byte
	status int  // 0 until something is written
	passes bool // the body is not JSON
}

// WriteHeader implements http.ResponseWriter.
func (w *Writer) WriteHeader(status int) {
	if status < 200 || w.status != 0 {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.status = status
	if status == http.StatusNoContent && w.Empty != nil {
		w.status, w.body, w.Translate = http.StatusOK, w.Empty(), nil
		return
	}
	media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if w.passes = strings.TrimSpace(media) != JSON || status >= 400; w.passes {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (w *Writer) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.passes {
		return w.ResponseWriter.Write(b)
	}
	w.body = append(w.body, b...)
	return len(b), nil
}

// Close writes what was held.
func (w *Writer) Close() {
	if w.status == 0 || w.passes {
		return
	}
	h := w.Header()
	if w.Translate != nil {
		w.body = w.Translate(w.status, w.body)
	}
	if w.Fresh != nil && w.status == http.StatusOK && w.Fresh(h, w.body) {
		h.Del("Content-Type")
		h.Del("Content-Length")
		w.ResponseWriter.WriteHeader(http.StatusNotModified)
		return
	}
	text := w.body
	if Converts(w.Media) {
		var columns []string
		if w.Columns != nil {
			columns = w.Columns()
		}
		text = Append(make([]byte, 0, 2*len(w.body)), w.Media, w.body, columns)
	}
	h.Set("Content-Type", ContentType(w.Media))
	if extension := Extension(w.Media); extension != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": w.Name + extension}))
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(text) // the client may be gone
}

// Unwrap is for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
