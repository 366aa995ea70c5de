package rest_test

import (
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

// A row shows what its reader can do to it: alone, or where it is asked for.
func TestARowShowsWhatCanBeDone(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		w.do(w.ada, "POST", "/api/v1/posts", `{"title":"A","content":"a"}`).want(201).
			has(`"actions":[{"name":"publish","method":"POST","href":"/api/v1/posts/1/publish"},{"name":"archive","method":"POST","href":"/api/v1/posts/1/archive"}]`)
		w.do(w.ada, "POST", "/api/v1/posts/1/publish", "").want(200).has(`"actions":[{"name":"archive",`)
		w.do(w.bob, "GET", "/api/v1/posts/1", "").want(200).has(`"actions":[]`)
		w.do(nil, "GET", "/api/v1/posts/1", "").want(200).has(`"actions":[]`)
		if list := w.do(w.ada, "GET", "/api/v1/posts?expand=author", "").want(200); list.list()[0]["actions"] != nil {
			t.Errorf("a list shows actions: %s", list.Raw)
		}
		w.do(w.ada, "GET", "/api/v1/posts?fields=id,actions", "").want(200).has(`{"id":1,"actions":[{"name":"archive",`)
		user := fmt.Sprintf("/api/v1/users/%d", userID(w.bob))
		w.do(w.ada, "GET", user, "").want(200).has(`"actions":[]`)
		w.do(w.admin, "GET", user, "").want(200).has(`"actions":[{"name":"deactivate",`)
		self := fmt.Sprintf("/api/v1/users/%d", userID(w.admin))
		w.do(w.admin, "GET", self, "").want(200).has(`"actions":[]`) // the last admin stays
		w.do(w.admin, "POST", self+"/deactivate", "").want(409)
		w.user("Second Admin", viewer.Admin)
		w.do(w.admin, "GET", self, "").want(200).has(`"actions":[{"name":"deactivate",`)
		w.do(w.admin, "POST", "/api/v1/api-keys", `{"client_name":"a","permissions":["read"]}`).want(201).has(`"actions":[{"name":"rotate",`).has(`{"name":"revoke",`)
		w.do(w.admin, "DELETE", "/api/v1/api-keys/1", "").want(204)
		w.do(w.admin, "GET", "/api/v1/api-keys/1", "").want(200).has(`"actions":[]`)
		w.do(w.admin, "DELETE", user, "").want(204)
		w.do(w.admin, "GET", user+"?include_deleted=true", "").want(200).has(`"actions":[{"name":"restore","method":"POST","href":"` + user + `/restore"}]`)
	})
}
