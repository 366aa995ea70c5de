package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// A refusal has one envelope, the version's, also where a key keeps it and where it
// is repeated.
func TestRefusalsWithAKeyHaveTheVersionsEnvelope(t *testing.T) {
	each(t, func(w *world) {
		draft := fmt.Sprintf("posts/%d/", w.post(w.ada, "Draft", false))
		self := fmt.Sprintf("users/%d/follow", w.bob.UserID)
		for version, mark := range map[string]string{"v1": `{"status":"error"`, "v2": `{"status":"fail"`, "v3": `{"success":false`} {
			for _, c := range []struct {
				path, body string
				status     int
			}{
				{draft + "like", "", 404}, {draft + "share", "", 404}, {self, "", 422}, {"posts/999/like", "{}", 404},
				{draft + "like", `{"colour":"red"}`, 400},
				{"users/999/follow", "", 404},
			} {
				for range 2 {
					a := w.do(w.bob, "POST", "/api/"+version+"/"+c.path, c.body, "Idempotency-Key", "k-"+strings.ReplaceAll(c.path+c.body, "\"", "")).want(c.status)
					if !strings.HasPrefix(a.Raw, mark) || strings.Contains(a.Raw, `"success"`) && version == "v2" || strings.Count(a.Raw, `"success"`) > 1 {
						t.Errorf("%s: %s, want one %s", a.asked, a.Raw, mark)
					}
				}
			}
		}
	})
}

// An operation without a body refuses one, in the place of ignoring it.
func TestWritesThatTakeNoBodyRefuseOne(t *testing.T) {
	each(t, func(w *world) {
		post := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Shown", true))
		w.do(w.admin, "POST", post+"/like", "").want(201)
		w.do(w.bob, "POST", post+"/like", "").want(201)
		for _, path := range []string{post + "/like", post, fmt.Sprintf("/api/v1/users/%d/follow", w.ada.UserID), "/api/v1/cart"} {
			a := w.do(w.admin, "DELETE", path, fmt.Sprintf(`{"user_id":%d}`, w.bob.UserID)).want(400)
			if m := a.details()["user_id"]; m != "is unknown: this request takes no body" {
				t.Errorf("%s: %s", a.asked, a.Raw)
			}
			for _, body := range []string{"[]", "null", "text", `{"a":1`} {
				w.do(w.admin, "DELETE", path, body).want(400)
			}
		}
		if n := w.do(w.admin, "GET", post+"/likes", "").want(200).at("pagination", "total"); n != 2.0 {
			t.Errorf("%v likes are left, want 2", n)
		}
		w.do(w.admin, "DELETE", post+"/like", " {} ").want(204)
		w.do(w.bob, "DELETE", post+"/like", "").want(204)
	})
}

// A version takes some names in two spellings; an answer has a member once.
func TestAMemberIsShownOnce(t *testing.T) {
	each(t, func(w *world) {
		post := w.post(w.ada, "Shown", true)
		path := fmt.Sprintf("/api/v2/posts/%d", post)
		for query, want := range map[string]string{
			"?fields=createdAt,created_at":                                                    `"createdAt"`,
			"?fields=created_at,createdAt,created_at":                                         `"createdAt"`,
			"?expand=author&fields=author.createdAt,author.created_at":                        `"createdAt"`,
			"?expand=author&fields=likesCount,likes_count,author":                             `"likesCount"`,
			"?expand=author.profile,author.profile&fields=author.created_at,author.createdAt": `"createdAt"`,
		} {
			for _, at := range []string{path + query, "/api/v2/posts" + query} {
				a := w.do(w.ada, "GET", at, "").want(200)
				if n := strings.Count(a.Raw, want); n != 1 {
					t.Errorf("%s: %s stands there %d times: %s", a.asked, want, n, a.Raw)
				}
			}
		}
		w.do(w.admin, "POST", "/api/v1/products", `{"name":"Chair","price":1,"stock":5,"category":"home"}`).want(201)
		order := w.do(w.ada, "POST", "/api/v1/orders", `{"items":[{"product_id":1,"quantity":1}]}`).want(201).data()["id"]
		a := w.do(w.ada, "GET", fmt.Sprintf("/api/v2/orders/%v?expand=items,items&fields=items.createdAt,items.created_at", order), "").want(200)
		if strings.Count(a.Raw, `"items"`) != 1 || strings.Count(a.Raw, `"createdAt"`) != 1 {
			t.Errorf("%s: %s", a.asked, a.Raw)
		}
	})
}
