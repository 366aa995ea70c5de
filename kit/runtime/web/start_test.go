package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/runtime/web"
)

func TestTheStartPageNeedsNothingElse(t *testing.T) {
	site, _ := newSite()
	site.Start = web.Start{Trial: &web.Trial{URL: "http://api.test", Version: "v1", Email: "admin@example.com"}}
	h := site.Handler()
	w := do(h, get("/"))
	page := w.Body.String()
	if w.Code != 200 || !strings.Contains(page, "http://api.test/api/v1/auth/login") || !strings.Contains(page, "admin@example.com") {
		t.Errorf("answered %d %s", w.Code, page)
	}
	if loads := regexp.MustCompile(`<script|<link|<img|<iframe|@import|url\(| style=| on[a-z]+=`).FindString(page); loads != "" {
		t.Errorf("the page holds %q", loads)
	}
	style := page[strings.Index(page, "<style>")+7 : strings.Index(page, "</style>")]
	sum := sha256.Sum256([]byte(style))
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'") || !strings.Contains(policy, base64.StdEncoding.EncodeToString(sum[:])) {
		t.Errorf("policy %q does not admit the page's style", policy)
	}
}

func TestTheStartPageOfProductionSaysNothingOfIt(t *testing.T) {
	site, _ := newSite()
	site.Start = web.Start{}
	w := do(site.Handler(), get("/"))
	page := w.Body.String()
	if w.Code != 200 || !strings.Contains(page, "/api/v1/docs") {
		t.Errorf("answered %d %s", w.Code, page)
	}
	for _, told := range []string{"curl", "@", "entwine seed", "admin", "footer>", "/graphiql", "http"} {
		if _, body, _ := strings.Cut(page, "<body>"); strings.Contains(body, told) {
			t.Errorf("the page holds %q:\n%s", told, body)
		}
	}
}

func TestTheStartPageDoesNotRepeatTheRequest(t *testing.T) {
	site, _ := newSite()
	for _, page := range []web.Start{{}, {Trial: &web.Trial{URL: "http://localhost:8080"}}} {
		site.Start = page
		r := get("/?evil.example")
		r.Host = "evil.example"
		r.Header.Set("X-Forwarded-Host", "evil.example")
		if w := do(site.Handler(), r); w.Code != 200 || strings.Contains(w.Body.String(), "evil") {
			t.Errorf("answered %d with what was asked: %s", w.Code, w.Body)
		}
	}
}
