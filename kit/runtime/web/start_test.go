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
	site.Start = web.Start{Version: "v1", Email: "admin@example.com"}
	h := site.Handler()
	w := do(h, get("http://api.test/"))
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

func TestTheStartPageEscapesItsHost(t *testing.T) {
	site, _ := newSite()
	site.Start = web.Start{}
	r := get("/")
	r.Host = `x"><script>alert(1)</script>`
	if page := do(site.Handler(), r).Body.String(); strings.Contains(page, "<script>") {
		t.Error("a host is written into the page as it is")
	}
}
