package rest_test

import (
	"fmt"
	"testing"
)

func TestACategoryGoesByItsName(t *testing.T) {
	each(t, func(w *world) {
		made := w.do(w.admin, "POST", "/api/v1/categories", `{"name":"engines"}`).want(201).at("data", "id")
		mine := fmt.Sprintf("/api/v1/users/%d/posts", w.ada.UserID)
		post := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Filed", true))
		for _, c := range []struct {
			method, path, body string
			status             int
			category           any
		}{
			{"POST", "/api/v1/posts", `{"title":"T","content":"c","category":"engines"}`, 201, made},
			{"POST", mine, `{"title":"T","content":"c","category":"engines"}`, 201, made},
			{"POST", "/api/v1/posts", `{"title":"T","content":"c","category":null}`, 201, nil},
			{"PATCH", post, `{"category":"engines"}`, 200, made},
			{"PATCH", post, `{"title":"Still filed"}`, 200, made},
			{"PATCH", post, `{"category":null}`, 200, nil},
			{"PUT", post, `{"title":"T","content":"c","category":"engines"}`, 200, made},
			{"PUT", post, `{"title":"T","content":"c"}`, 200, nil},
		} {
			if a := w.do(w.ada, c.method, c.path, c.body).want(c.status); a.at("data", "category_id") != c.category {
				t.Errorf("%s %s %s: %s", c.method, c.path, c.body, a.Raw)
			}
		}
		a := w.do(w.ada, "POST", "/api/v1/posts", `{"title":"","content":"c","category":"nowhere"}`).want(422)
		if got, want := fmt.Sprint(a.at("error", "details")), `[map[field:title message:must be 1 to 200 characters, not 0 value:] map[field:category message:names no category value:nowhere]]`; got != want {
			t.Errorf("an absent category: %s, want %s", got, want)
		}
		w.do(w.ada, "PATCH", post, `{"category":"engines","category_id":1}`).want(400)
		w.do(w.bob, "PATCH", post, `{"category":"engines"}`).want(403)
		w.do(w.nobody, "PATCH", post, `{"category":"engines"}`).want(401)
	})
}

func TestACommentNamesItsAuthor(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/posts/%d/comments", w.post(w.ada, "Shown", true))
		body := func(author int64) string { return fmt.Sprintf(`{"text":"Hm.","author":%d}`, author) }
		if a := w.do(w.bob, "POST", path, body(w.bob.UserID)).want(201); a.at("data", "author_id") != float64(w.bob.UserID) {
			t.Errorf("the caller: %s", a.Raw)
		}
		if a := w.do(w.admin, "POST", path, body(w.bob.UserID)).want(201); a.at("data", "author_id") != float64(w.bob.UserID) {
			t.Errorf("named by an admin: %s", a.Raw)
		}
		w.do(w.bob, "POST", path, body(w.ada.UserID)).want(403)
		if a := w.do(w.admin, "POST", path, body(9999)).want(422); fmt.Sprint(a.at("error", "details")) != "[map[field:author message:names no user value:9999]]" {
			t.Errorf("an absent author: %s", a.Raw)
		}
		w.do(w.bob, "POST", path, fmt.Sprintf(`{"text":"Hm.","author":%d,"author_id":%[1]d}`, w.bob.UserID)).want(400)
	})
}
