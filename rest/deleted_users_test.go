package rest_test

import (
	"fmt"
	"testing"
)

// A deleted user takes along what belongs to them, a restored one brings back
// exactly that, and one who is removed leaves nothing.
func TestWhatBelongsToADeletedUser(t *testing.T) {
	each(t, func(w *world) {
		user := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID)
		kept, early, others := w.post(w.ada, "Kept", true), w.post(w.ada, "Deleted before", true), w.post(w.bob, "Bob's", true)
		path := func(id int64) string { return fmt.Sprintf("/api/v1/posts/%d", id) }
		comment := fmt.Sprintf("/api/v1/comments/%v", w.do(w.ada, "POST", path(others)+"/comments", `{"text":"Mine."}`).want(201).at("data", "id"))
		w.do(w.ada, "DELETE", path(early), "").want(204)

		reads := func(post, said int) {
			t.Helper()
			w.do(w.bob, "GET", path(kept), "").want(post)
			w.do(w.bob, "GET", comment, "").want(said)
			w.do(w.bob, "GET", path(early), "").want(404)
			w.do(w.bob, "GET", path(others), "").want(200)
		}
		reads(200, 200)
		w.do(w.admin, "DELETE", user, "").want(204)
		reads(404, 404)
		w.do(w.admin, "GET", path(kept)+"?include_deleted=true", "").want(200)
		w.do(w.admin, "POST", user+"/restore", "").want(200)
		reads(200, 200)
		w.do(w.admin, "DELETE", user+"?hard=true", "").want(204)
		reads(404, 404)
		w.do(w.admin, "GET", path(kept)+"?include_deleted=true", "").want(404)
		w.do(w.admin, "GET", path(early)+"?include_deleted=true", "").want(404)
	})
}
