package develop

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"strings"
	"time"
)

// States of a round, in the words that pages get.
const (
	working = "working"
	ready   = "ready"
	failed  = "failed"
)

// status is shown on the pages of the program: package app reads it.
type status struct {
	State string    `json:"state"`
	Text  string    `json:"text,omitempty"`
	After string    `json:"after,omitempty"`
	At    time.Time `json:"at"`
}

// page shows browsers the state of the round: it is in a file, which the running
// program shows on its pages. While none runs, the page answers in its place.
type page struct {
	file   string
	socket *socket
	last   status
	server *http.Server
}

// show writes the state.
func (p *page) show(state, text, after string) {
	p.last = status{State: state, Text: text, After: after, At: time.Now().UTC()}
	encoded, err := json.Marshal(p.last)
	if err == nil {
		err = os.WriteFile(p.file+".new", encoded, 0o600)
	}
	if err == nil {
		_ = os.Rename(p.file+".new", p.file) // the terminal has it too
	}
}

// stand answers on the socket, since no program does.
func (p *page) stand() {
	if p.server != nil || p.socket == nil {
		return
	}
	l, err := p.socket.listener()
	if err != nil {
		return
	}
	text, after := p.last.Text, p.last.After
	p.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Connection", "close")
		w.Header().Set("Retry-After", "5")
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintf(w, "%s\n%s\n", text, after)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>weave dev</title>
<style>body { font: 15px/1.5 ui-monospace, monospace; margin: 3rem } pre { white-space: pre-wrap; color: #b42318 }</style>
<pre>%s</pre><p>%s</p>`, html.EscapeString(text), html.EscapeString(after))
	})}
	go func(s *http.Server) { _ = s.Serve(l) }(p.server)
}

// stepAside leaves the socket to a program.
func (p *page) stepAside() {
	if p.server == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = p.server.Shutdown(ctx)
	p.server = nil
}

// close removes the state and its page.
func (p *page) close() {
	p.stepAside()
	_ = os.Remove(p.file)
}
