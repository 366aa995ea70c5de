package announce

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/internal/compress"
)

// Writer is a response writer that adds a notice to the answer. A JSON object that
// gets a _meta is held until [Writer.Close]; all else passes through.
type Writer struct {
	http.ResponseWriter
	// Document is set where a success is a document, whose format has no _meta: it gets
	// the header fields alone.
	Document bool

	notice *Notice
	mark   string // in tags, of what _meta says
	body   []byte
	status int // 0 until something is written
	holds  bool
}

// NewWriter returns a writer for the notice, to which things may be added until
// the answer begins.
func NewWriter(w http.ResponseWriter, n *Notice) *Writer {
	out := &Writer{ResponseWriter: w, notice: n}
	if n.meta != nil {
		sum := sha256.Sum256(n.meta)
		out.mark = "-m" + hex.EncodeToString(sum[:3])
	}
	return out
}

// Notice returns the notice of the answer.
func (w *Writer) Notice() *Notice { return w.notice }

// WriteHeader implements http.ResponseWriter.
func (w *Writer) WriteHeader(status int) {
	if status < 200 || w.status != 0 {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.status = status
	h := w.Header()
	w.notice.write(h)
	if w.mark != "" && (!w.Document || status >= 400) && marked(h, status) {
		h["Etag"] = w.marked(h["Etag"])
		w.holds = status != http.StatusNotModified
	}
	if !w.holds {
		w.ResponseWriter.WriteHeader(status)
	}
}

// marked reports whether the answer has, or stands for, a body with _meta: JSON
// that is no file.
func marked(h http.Header, status int) bool {
	if status == http.StatusNotModified {
		return !converted(h.Get("Etag"))
	}
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return (media == "application/json" || strings.HasSuffix(media, "+json")) && h.Get("Content-Disposition") == ""
}

// marked puts the mark into a tag: what _meta says is part of the body that the
// tag is of (RFC 9110 section 8.8.3).
func (w *Writer) marked(tags []string) []string {
	if len(tags) != 1 {
		return tags
	}
	plain := compress.Plain(tags[0])
	bare, ok := strings.CutSuffix(plain, `"`)
	if !ok {
		return tags
	}
	return []string{bare + w.mark + tags[0][len(bare):]}
}

// Request returns the headers of a request, with the mark removed from its tags.
// One without a mark is of a body without this _meta, and matches none: but to a
// write, which compares versions of the row.
func (w *Writer) Request(h http.Header) http.Header {
	if w.mark == "" || h["If-None-Match"] == nil && h["If-Match"] == nil {
		return h
	}
	h = h.Clone()
	for i, tags := range h["If-Match"] {
		h["If-Match"][i] = strings.ReplaceAll(tags, w.mark, "")
	}
	for i, tags := range h["If-None-Match"] {
		switch {
		case strings.Contains(tags, w.mark):
			h["If-None-Match"][i] = strings.ReplaceAll(tags, w.mark, "")
		case strings.TrimSpace(tags) != "*" && !converted(tags):
			h["If-None-Match"][i] = `"-"`
		}
	}
	return h
}

// converted reports whether a tag is of a representation that has no _meta: package
// handler ends tags of files and of other media types so.
func converted(tag string) bool {
	return strings.Contains(tag, "-xml") || strings.Contains(tag, "-csv") || strings.Contains(tag, "-ndjson") || strings.Contains(tag, "-file")
}

// Write implements http.ResponseWriter.
func (w *Writer) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.holds {
		w.body = append(w.body, b...)
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// Close writes what was held.
func (w *Writer) Close() {
	if !w.holds {
		return
	}
	h := w.Header()
	if length, err := strconv.Atoi(h.Get("Content-Length")); err == nil && len(w.body) == 0 && length > 0 { // HEAD
		h.Set("Content-Length", strconv.Itoa(length+len(w.notice.meta)+1))
	} else {
		w.body = with(w.body, w.notice.meta)
		h.Set("Content-Length", strconv.Itoa(len(w.body)))
	}
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(w.body) // the client may be gone
}

// with puts a member at the end of a JSON object. Other JSON stays unchanged.
func with(body, member []byte) []byte {
	text := bytes.TrimRight(body, " \t\r\n")
	inside, ok := bytes.CutSuffix(text, []byte("}"))
	if !ok || !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		return body
	}
	out := make([]byte, 0, len(body)+len(member)+2)
	out = append(out, inside...)
	if !bytes.HasSuffix(bytes.TrimRight(inside, " \t\r\n"), []byte("{")) {
		out = append(out, ',')
	}
	return append(append(out, member...), '}')
}

// Unwrap is for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
