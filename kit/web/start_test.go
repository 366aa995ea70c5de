package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/web"
)

func v1() string { return "/api/v1" }

func TestTheStartPageNeedsNothingElse(t *testing.T) {
	site, _ := newSite()
	site.Start = web.Start{Name: "notes", REST: v1, Trial: &web.Trial{URL: "http://api.test", Version: "v1", Accounts: true, Console: true, Email: "admin@example.com", Requests: func() (string, string) { return "curl -s http://api.test/api/v1/notes", "" }}}
	h := site.Handler()
	w := do(h, get("/"))
	page := w.Body.String()
	if w.Code != 200 || !strings.Contains(page, "http://api.test/api/v1/auth/login") || !strings.Contains(page, "admin@example.com") ||
		!strings.Contains(page, "<h1>notes</h1>") || !strings.Contains(page, `<a href="/console">`) || !strings.Contains(page, "<pre>curl -s http://api.test/api/v1/notes</pre>") || strings.Contains(page, "Ask GraphQL") {
		t.Errorf("answered %d %s", w.Code, page)
	}
	if loads := regexp.MustCompile(`<script |<img|<iframe|@import|url\(| style=| on[a-z]+=`).FindString(page); loads != "" {
		t.Errorf("the page holds %q", loads)
	}
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	for _, name := range []string{"style", "script"} {
		_, text, _ := strings.Cut(page, "<"+name+">")
		text, _, _ = strings.Cut(text, "</"+name+">")
		sum := sha256.Sum256([]byte(text))
		if text == "" || !strings.Contains(policy, name+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("policy %q does not admit the page's %s %.40q", policy, name, text)
		}
	}
}

func TestTheStartPageOfAServiceWithoutAccountsSignsNobodyIn(t *testing.T) {
	site, _ := newSite()
	site.Start = web.Start{Name: "notes", Trial: &web.Trial{URL: "http://api.test"}}
	if page := do(site.Handler(), get("/")).Body.String(); strings.Contains(page, "<form") || strings.Contains(page, "/console") || strings.Contains(page, "seed") || !strings.Contains(page, "notes help") {
		t.Errorf("the page holds %s", page)
	}
}

func TestTheStartPageOfProductionSaysNothingOfIt(t *testing.T) {
	site, _ := newSite()
	site.Start = web.Start{REST: v1, GraphQL: true}
	w := do(site.Handler(), get("/"))
	page := w.Body.String()
	if w.Code != 200 || !strings.Contains(page, "/api/v1/docs") {
		t.Errorf("answered %d %s", w.Code, page)
	}
	if policy := w.Header().Get("Content-Security-Policy"); strings.Contains(policy, "script") || strings.Contains(policy, "connect") {
		t.Errorf("policy %q", policy)
	}
	for _, told := range []string{"curl", "@", "entwine seed", "admin", "footer>", "/graphiql", "http", "<script", "<form"} {
		if _, body, _ := strings.Cut(page, "<body>"); strings.Contains(body, told) {
			t.Errorf("the page holds %q:\n%s", told, body)
		}
	}
}

func TestTheStartPageDoesNotRepeatTheRequest(t *testing.T) {
	site, _ := newSite()
	for _, page := range []web.Start{{}, {REST: v1, Trial: &web.Trial{URL: "http://localhost:8080"}}} {
		site.Start = page
		r := get("/?evil.example")
		r.Host = "evil.example"
		r.Header.Set("X-Forwarded-Host", "evil.example")
		if w := do(site.Handler(), r); w.Code != 200 || strings.Contains(w.Body.String(), "evil") {
			t.Errorf("answered %d with what was asked: %s", w.Code, w.Body)
		}
	}
}

func TestThereIsAnIcon(t *testing.T) {
	site, _ := newSite()
	w := do(site.Handler(), get("/favicon.ico"))
	if w.Code != 200 || w.Header().Get("Content-Type") != "image/x-icon" || !strings.HasPrefix(w.Body.String(), "\x00\x00\x01\x00") {
		t.Errorf("answered %d %v", w.Code, w.Header())
	}
	if w := do(site.Handler(), request("POST", "/favicon.ico", "")); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
}
