package app

import (
	"bytes"
	"context"
	_ "embed"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// developmentPath is where pages ask how weave dev goes, and find the script
// that shows it.
const developmentPath = "/-/development"

//go:embed development.js
var developmentScript []byte

// development makes every page of a site show the state of weave dev: why the
// current sources don't compile, and that a new program serves. It is for a
// developer's machine alone.
type development struct {
	file string       // what weave dev writes: JSON
	next http.Handler // answers everything else

	once  sync.Once
	ended chan struct{}
}

// ends returns the function that ends connections that stay open: those of pages
// that ask, and what streams ends, which may be nil.
func (d *development) ends(streams func(ctx context.Context)) func(ctx context.Context) {
	return func(ctx context.Context) {
		d.init()
		close(d.ended)
		if streams != nil {
			streams(ctx)
		}
	}
}

func (d *development) init() { d.once.Do(func() { d.ended = make(chan struct{}) }) }

// ServeHTTP implements http.Handler.
func (d *development) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == developmentPath+".js":
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(developmentScript))
	case r.URL.Path == developmentPath:
		d.tell(w, r)
	case r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
		r.Header.Del("Accept-Encoding")
		p := &scripted{ResponseWriter: w}
		d.next.ServeHTTP(p, r)
		p.end()
	default:
		d.next.ServeHTTP(w, r)
	}
}

// tell answers with what weave dev says, once that is not what the page has
// seen. It waits for a while at most.
func (d *development) tell(w http.ResponseWriter, r *http.Request) {
	d.init()
	seen := r.URL.Query().Get("seen")
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	patience := time.NewTimer(20 * time.Second)
	defer patience.Stop()
	for wait := true; wait; {
		text, err := os.ReadFile(d.file)
		if err == nil && !strings.Contains(string(text), `"at":"`+seen+`"`) || seen == "" {
			break
		}
		select {
		case <-ticker.C:
		case <-patience.C:
			wait = false
		case <-d.ended:
			wait = false
		case <-r.Context().Done():
			return
		}
	}
	text, err := os.ReadFile(d.file)
	if err != nil { // weave dev has ended
		text = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// scripted adds the script to an answer that is a page.
type scripted struct {
	http.ResponseWriter
	page   bool
	told   bool
	status int
	text   bytes.Buffer
	to     io.Writer // the text of a page, or the client
}

// Unwrap is for http.ResponseController.
func (s *scripted) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (s *scripted) WriteHeader(status int) {
	if s.told {
		return
	}
	s.told, s.status = true, status
	h := s.Header()
	s.page = strings.HasPrefix(h.Get("Content-Type"), "text/html") && h.Get("Content-Encoding") == ""
	if s.page {
		s.to = &s.text
		return
	}
	s.to = s.ResponseWriter
	s.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (s *scripted) Write(text []byte) (int, error) {
	s.WriteHeader(http.StatusOK)
	return s.to.Write(text)
}

// end sends the page.
func (s *scripted) end() {
	if !s.page {
		return
	}
	h := s.Header()
	h.Del("Content-Length")
	h.Del("ETag")
	if policy := h.Get("Content-Security-Policy"); policy != "" {
		h.Set("Content-Security-Policy", admit(policy))
	}
	s.ResponseWriter.WriteHeader(s.status)
	s.text.WriteString(`<script src="` + developmentPath + `.js"></script>`)
	_, _ = s.text.WriteTo(s.ResponseWriter) // the client may be gone
}

// admit is the policy with the site's own scripts and requests admitted, too.
func admit(policy string) string {
	var all []string
	need := map[string]bool{"script-src": true, "connect-src": true}
	for directive := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(directive)
		if len(words) == 0 {
			continue
		}
		if need[words[0]] {
			delete(need, words[0])
			if words[len(words)-1] == "'none'" {
				words = words[:1]
			}
			if !slices.Contains(words, "'self'") {
				words = append(words, "'self'")
			}
		}
		all = append(all, strings.Join(words, " "))
	}
	for _, name := range []string{"script-src", "connect-src"} {
		if need[name] {
			all = append(all, name+" 'self'")
		}
	}
	return strings.Join(all, "; ")
}
