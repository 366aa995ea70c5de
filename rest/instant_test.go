package rest_test

import (
	"fmt"
	"testing"
)

// The times that one change of a row sets are one instant: clients compare them.
func TestOneInstantOfAChange(t *testing.T) {
	each(t, func(w *world) {
		same := func(what string, row *answer, names ...string) {
			w.t.Helper()
			for _, name := range names {
				if one, other := row.at("data", name), row.at("data", "updated_at"); one == nil || one != other {
					t.Errorf("%s: %s is %v, updated_at %v", what, name, one, other)
				}
			}
		}
		for range 20 { // the clock goes on by a microsecond in few of them
			made := w.do(w.ada, "POST", "/api/v1/posts", `{"title":"A","content":"B","published":true}`).want(201)
			same("created", made, "created_at", "published_at")
			path := fmt.Sprintf("/api/v1/posts/%d", int64(made.at("data", "id").(float64)))
			same("archived", w.do(w.ada, "POST", path+"/archive", "").want(200), "archived_at")
			w.do(w.ada, "DELETE", path, "").want(204)
			same("deleted", w.do(w.admin, "GET", path+"?include_deleted=true", "").want(200), "deleted_at")
			draft := w.post(w.ada, "Draft", false)
			same("published", w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/publish", draft), "").want(200), "published_at")
		}
	})
}
