package rest_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func TestTheDocumentIsPublished(t *testing.T) {
	each(t, func(w *world) {
		var inJSON, inYAML map[string]any
		a := w.do(w.nobody, "GET", "/api/v1/openapi", "").want(200)
		if err := json.Unmarshal([]byte(a.Raw), &inJSON); err != nil {
			t.Fatal(err)
		}
		for accept, media := range map[string]string{
			"*/*": "application/json", "application/openapi+json": "application/openapi+json; version=3.1",
			"application/yaml": "application/yaml", "application/openapi+yaml;version=3.1": "application/openapi+yaml; version=3.1",
		} {
			a := w.do(w.nobody, "GET", "/api/openapi", "", "Accept", accept).want(200)
			if got := a.Header.Get("Content-Type"); got != media {
				t.Errorf("%s: %s", accept, got)
			}
			w.do(w.nobody, "GET", "/api/openapi", "", "Accept", accept, "If-None-Match", a.Header.Get("ETag")).want(304)
			if strings.Contains(media, "yaml") {
				if err := yaml.Unmarshal([]byte(a.Raw), &inYAML); err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(inYAML)
				if err != nil {
					t.Fatal(err)
				}
				clear(inYAML)
				var again map[string]any
				if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, inJSON) {
					t.Errorf("%s is another document than the JSON: %v", accept, err)
				}
			}
		}
		packed := w.do(w.nobody, "GET", "/api/v1/openapi", "", "Accept-Encoding", "gzip").want(200)
		if unpack, err := gzip.NewReader(bytes.NewReader([]byte(packed.Raw))); err != nil {
			t.Error(err)
		} else if text, err := io.ReadAll(unpack); err != nil || string(text) != a.Raw {
			t.Errorf("compressed it is another one: %v", err)
		}
		w.do(w.nobody, "GET", "/api/v1/openapi", "", "Accept", "text/html").want(406)
		if got := w.do(w.nobody, "POST", "/api/v1/openapi", "{}").want(405).Header.Get("Allow"); got != "GET, HEAD, OPTIONS" {
			t.Errorf("Allow %q", got)
		}
		w.do(w.nobody, "GET", "/api/v1/openapi.json", "").want(404)
	})
}

func TestTheReferenceNeedsNoNetwork(t *testing.T) {
	each(t, func(w *world) {
		page := w.do(w.nobody, "GET", "/api/v1/docs", "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8").want(200)
		if strings.Contains(page.Raw, "//") {
			t.Errorf("the page names another host: %s", page.Raw)
		}
		policy := page.Header.Get("Content-Security-Policy")
		for _, no := range []string{"unsafe", "http", "*"} {
			if strings.Contains(policy, no) {
				t.Errorf("policy %q", policy)
			}
		}
		for path, holds := range map[string]string{"/api/v1/docs/script": "SwaggerUIBundle", "/api/v1/docs/style": ".swagger-ui"} {
			a := w.do(w.nobody, "GET", path, "", "Accept", "*/*").want(200)
			if !strings.Contains(a.Raw, holds) {
				t.Errorf("%s: %.80s", path, a.Raw)
			}
			w.do(w.nobody, "GET", path, "", "Accept", "*/*", "If-None-Match", a.Header.Get("ETag")).want(304)
		}
	})
}
