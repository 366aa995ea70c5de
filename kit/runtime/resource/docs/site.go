package rest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/docs"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/represent"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// static is what is the same for everybody: the document, and the page that
// shows it.
type static struct {
	// contentType is the header.
	contentType string
	// load returns the content, compressed where gzipped is set. It is called once.
	load    func() []byte
	gzipped bool
	policy  string // Content-Security-Policy, where the page needs more than nothing

	once        sync.Once
	plain, pack []byte
	tag         string
}

// statics are below each of the bases. The media types of a path are offered
// in their order.
var statics = map[string][]struct {
	media string
	*static
}{
	"/openapi": {
		{represent.JSON, documentJSON("application/json")},
		{"application/openapi+json", documentJSON("application/openapi+json; version=3.1")},
		{"application/yaml", documentYAML("application/yaml")},
		{"application/openapi+yaml", documentYAML("application/openapi+yaml; version=3.1")},
	},
	"/docs": {{"text/html", &static{
		contentType: "text/html; charset=utf-8", load: func() []byte { return docs.Page }, policy: docs.Policy,
	}}},
	"/docs/script": {{"text/javascript", &static{
		contentType: "text/javascript; charset=utf-8", load: func() []byte { return docs.Script }, gzipped: true,
	}}},
	"/docs/style": {{"text/css", &static{
		contentType: "text/css; charset=utf-8", load: func() []byte { return docs.Style }, gzipped: true,
	}}},
}

func documentJSON(contentType string) *static {
	return &static{contentType: contentType, load: func() []byte { return spec.Document }}
}

func documentYAML(contentType string) *static {
	return &static{contentType: contentType, load: func() []byte {
		var document yaml.Node // JSON is YAML, and the order of members is kept
		if err := yaml.Unmarshal(spec.Document, &document); err != nil {
			panic(err) // it is generated
		}
		block(&document)
		text, err := yaml.Marshal(&document)
		if err != nil {
			panic(err)
		}
		return text
	}}
}

// block writes a node as people write YAML.
func block(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		block(child)
	}
}

// static answers a path of statics.
func (a *api) static(w http.ResponseWriter, r *http.Request, path string) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		a.failed(r.Context(), w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: GET, HEAD, OPTIONS", r.Method))
		return
	}
	var offers []string
	for _, s := range statics[path] {
		offers = append(offers, s.media)
	}
	media, ok := represent.Negotiate(r.Header["Accept"], offers)
	if !ok {
		a.failed(r.Context(), w, r, problem.New(problem.NotAcceptable, "%s can be had", strings.Join(offers, ", ")))
		return
	}
	for _, s := range statics[path] {
		if s.media == media {
			s.answer(w, r)
		}
	}
}

func (s *static) answer(w http.ResponseWriter, r *http.Request) {
	s.once.Do(s.prepare)
	h := w.Header()
	body, tag := s.plain, s.tag
	if takesGzip(r) {
		body, tag = s.pack, s.tag+"-gzip"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Cache-Control", "public, max-age=300")
	h["Vary"] = append(h["Vary"], "Accept, Accept-Encoding")
	x := &door.Exchange{Request: r}
	if x.Unchanged(h, `"`+tag+`"`) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", s.contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if s.policy != "" {
		h.Set("Content-Security-Policy", s.policy)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the client may be gone
	}
}

// prepare makes both forms: the one that the content is not in already.
func (s *static) prepare() {
	content := s.load()
	var other bytes.Buffer
	if s.gzipped {
		unpack, err := gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			_, err = io.Copy(&other, unpack)
		}
		if err != nil {
			panic(err) // it is part of the program
		}
		s.plain, s.pack = other.Bytes(), content
	} else {
		pack := gzip.NewWriter(&other)
		_, _ = pack.Write(content) // a buffer takes all
		_ = pack.Close()
		s.plain, s.pack = content, other.Bytes()
	}
	s.tag = door.Digest(s.plain)
}

// takesGzip reports whether the answer may be compressed.
func takesGzip(r *http.Request) bool {
	for _, header := range r.Header["Accept-Encoding"] {
		for one := range strings.SplitSeq(header, ",") {
			coding, params, _ := strings.Cut(one, ";")
			coding = strings.ToLower(strings.TrimSpace(coding))
			if coding == "gzip" || coding == "*" {
				q := strings.ReplaceAll(params, " ", "")
				return !strings.HasPrefix(q, "q=0") || strings.Trim(q, "q=0.") != ""
			}
		}
	}
	return false
}
