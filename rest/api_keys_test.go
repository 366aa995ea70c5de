package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
)

const warehouse = `{"client_name":"warehouse","permissions":["read"]}`

func TestAKeyIsShownOnce(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		admin := r.signUp("Grace", "grace@example.com")
		r.promote("grace@example.com")
		r.pass(2e9)
		made := admin.do("POST", "/api/v1/api-keys?fields=id,prefix", warehouse).want(201)
		key, _ := made.data()["key"].(string)
		path := fmt.Sprintf("/api/v1/api-keys/%v", made.data()["id"])
		if !strings.HasPrefix(key, "ek_") || len(made.data()) != 3 || made.Header.Get("Location") != path || made.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("made %s with %v", made.Raw, made.Header)
		}
		data := func(key string) *answer { return r.visitor().do("GET", "/api/v1/data", "", "X-API-Key", key) }
		if got := data(key).want(200); got.at("client") != "warehouse" {
			t.Errorf("data: %s", got.Raw)
		}
		if got := admin.do("GET", path, "").want(200); got.data()["key"] != nil || got.data()["creator_id"] != 1. || got.data()["last_used_at"] == nil {
			t.Errorf("read %s", got.Raw)
		}
		admin.do("POST", path+"/rotate", "", "If-Match", `"9"`).want(412)
		rotated := admin.do("POST", path+"/rotate", "", "If-Match", made.Header.Get("Etag")).want(200)
		second, _ := rotated.data()["key"].(string)
		if !strings.HasPrefix(second, "ek_") || second == key || rotated.Header.Get("Cache-Control") != "no-store" || rotated.data()["version"] != 2. {
			t.Errorf("rotated %s with %v", rotated.Raw, rotated.Header)
		}
		r.pass(2e9)
		data(second).want(200)
		if got := data(key).want(401); got.at("error", "message") != "unknown API key" {
			t.Errorf("the old text: %s", got.Raw)
		}
		admin.do("DELETE", path, "", "If-Match", `"1"`).want(412)
		for range 2 {
			admin.do("DELETE", path, "").want(204)
		}
		r.pass(2e9)
		data(second).want(401)
		admin.do("POST", path+"/rotate", "").want(409)
		if got := admin.do("GET", path, "").want(200); got.data()["revoked_at"] == nil {
			t.Errorf("read %s", got.Raw)
		}
		admin.do("DELETE", "/api/v1/api-keys/99", "").want(404)
		admin.do("POST", "/api/v1/api-keys/99/rotate", "").want(404)
	})
}

func TestARepetitionDoesNotShowTheKey(t *testing.T) {
	each(t, func(w *world) {
		first := w.do(w.admin, "POST", "/api/v1/api-keys", warehouse, keyHeader, "k").want(201)
		again := w.do(w.admin, "POST", "/api/v1/api-keys", warehouse, keyHeader, "k").want(201)
		key, _ := first.data()["key"].(string)
		if key == "" || again.data()["key"] != nil || again.data()["id"] != first.data()["id"] || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("repeated %s", again.Raw)
		}
		if first.Header.Get("Cache-Control") != "no-store" || again.Header.Get("Location") != first.Header.Get("Location") {
			t.Errorf("repeated with %v", again.Header)
		}
		path := first.Header.Get("Location") + "/rotate"
		rotated := w.do(w.admin, "POST", path, "", keyHeader, "k").want(200)
		if again := w.do(w.admin, "POST", path, "", keyHeader, "k").want(200); rotated.data()["key"] == nil || again.data()["key"] != nil {
			t.Errorf("rotated %s, repeated %s", rotated.Raw, again.Raw)
		}
		for _, body := range storetest.Ask[[]byte](t, w.db, "SELECT body FROM idempotency_records") {
			if strings.Contains(string(body), `"key"`) || strings.Contains(string(body), key[12:]) {
				t.Errorf("stored %s", body)
			}
		}
		if n := w.ent.APIKey.Query().CountX(w.system); n != 1 {
			t.Errorf("%d keys, want 1", n)
		}
	})
}

func TestKeysThatAreNotMade(t *testing.T) {
	each(t, func(w *world) {
		past := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
		for _, c := range []struct {
			body   string
			status int
			fields []string
		}{
			{`{}`, 400, []string{"client_name", "permissions"}},
			{`{"client_name":"","permissions":[]}`, 422, []string{"client_name", "permissions"}},
			{`{"client_name":"x","permissions":["read","delete"]}`, 422, []string{"permissions"}},
			{`{"client_name":"x","permissions":["read"],"expires_at":"` + past + `"}`, 422, []string{"expires_at"}},
			{`{"client_name":"x","permissions":["read"],"expires_at":"soon"}`, 422, []string{"expires_at"}},
			{`{"client_name":"x","permissions":["read"],"prefix":"ek_mine"}`, 400, []string{"prefix"}},
		} {
			got := w.do(w.admin, "POST", "/api/v1/api-keys", c.body).want(c.status).details()
			for _, field := range c.fields {
				if got[field] == "" || len(got) != len(c.fields) {
					t.Errorf("%s: %v", c.body, got)
				}
			}
		}
		later := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		w.do(w.admin, "POST", "/api/v1/api-keys", `{"client_name":"x","permissions":["read","write"],"expires_at":"`+later+`"}`).want(201)
		w.do(w.admin, "POST", "/api/v1/api-keys", `{"client_name":"x","permissions":["read"],"expires_at":null}`).want(201)
		key := w.key("warehouse", viewer.Read, viewer.Write)
		for _, path := range []string{"POST /api/v1/api-keys", "POST /api/v1/api-keys/1/rotate", "DELETE /api/v1/api-keys/1"} {
			method, path, _ := strings.Cut(path, " ")
			w.do(w.nobody, method, path, "").want(401)
			w.do(w.moderator, method, path, "").want(403)
			w.do(key, method, path, "").want(403)
		}
	})
}

func TestData(t *testing.T) {
	each(t, func(w *world) {
		w.post(w.ada, "Published", true)
		w.post(w.ada, "Draft", false)
		w.ent.Post.UpdateOneID(typedid.PostID(w.post(w.bob, "Archived", true))).SetArchivedAt(time.Now()).ExecX(w.system)
		w.ent.Category.Create().SetName("history").SaveX(w.system)
		for _, p := range []*ent.ProductCreate{w.ent.Product.Create().SetName("Rule"), w.ent.Product.Create().SetName("Pen")} {
			p.SetPrice(100).SaveX(w.system)
		}
		key := w.key("warehouse", viewer.Read, viewer.Write)
		got := w.do(key, "GET", "/api/v1/data", "").want(200)
		const want = `{"status":"success","client":"warehouse","permissions":["read","write"],"data":{"users":4,"posts":1,"products":2,"categories":1}}`
		if got.Raw != want {
			t.Errorf("answered %s, want %s", got.Raw, want)
		}
		if n := len(w.log.Statements()); n != 1 {
			t.Errorf("%d statements, want 1", n)
		}
		w.do(key, "GET", "/api/data", "", "If-None-Match", got.Header.Get("Etag")).want(304)
		if refused := w.do(w.nobody, "GET", "/api/v1/data", "").want(401); refused.at("error", "message") != "token required" {
			t.Errorf("answered %s", refused.Raw)
		}
		if refused := w.do(w.admin, "GET", "/api/v1/data", "").want(401); refused.at("error", "message") != "an API key is needed, in X-API-Key" {
			t.Errorf("a user is told %s", refused.Raw)
		}
		w.do(w.key("writer", viewer.Write), "GET", "/api/v1/data", "").want(403)
	})
}

// A key is pinned to a version that is offered, and is unpinned by null alone.
func TestAKeyIsPinnedToAVersionThereIs(t *testing.T) {
	each(t, func(w *world) {
		for _, version := range []string{`"v9"`, `"v4"`} {
			body := `{"client_name":"depot","permissions":["read"],"api_version":` + version + `}`
			if m := w.do(w.admin, "POST", "/api/v1/api-keys", body).want(422).details()["api_version"]; m != "is not a version of this API; allowed: v1, v2, v3" {
				t.Errorf("%s: %s", body, m)
			}
		}
		made := w.do(w.admin, "POST", "/api/v1/api-keys", `{"client_name":"depot","permissions":["read"],"api_version":"v2"}`).want(201)
		if made.data()["api_version"] != "v2" {
			t.Fatalf("made: %s", made.Raw)
		}
		path := made.Header.Get("Location")
		for _, c := range []struct {
			body   string
			status int
			pinned any
		}{
			{`{"api_version":"v9"}`, 422, "v2"}, {`{"api_version":"2"}`, 422, "v2"}, {`{"api_version":7}`, 400, "v2"},
			{`{}`, 400, "v2"}, {``, 400, "v2"}, {`{"api_version":"v3"}`, 200, "v3"},
			{`{"api_version":null}`, 200, nil}, {`{"api_version":"v1"}`, 200, "v1"},
		} {
			w.do(w.admin, "POST", path+"/pin", c.body).want(c.status)
			if got := w.do(w.admin, "GET", path, "").want(200).data()["api_version"]; got != c.pinned {
				t.Errorf("after %s it is pinned to %v, want %v", c.body, got, c.pinned)
			}
		}
	})
}
