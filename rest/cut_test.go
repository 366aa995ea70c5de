package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/typedid"
)

func TestAListThatIsCutSaysSo(t *testing.T) {
	each(t, func(w *world) {
		long, short := w.post(w.ada, "Long", true), w.post(w.ada, "Short", true)
		comment := func(post int64, n int) {
			rows := make([]*ent.CommentCreate, n)
			for i := range rows {
				rows[i] = w.ent.Comment.Create().SetText("x").SetPostID(typedid.PostID(post)).SetAuthorID(userID(w.ada))
			}
			if err := w.ent.Comment.CreateBulk(rows...).Exec(w.system); err != nil {
				t.Fatal(err)
			}
		}
		comment(long, 103)
		comment(short, 100)
		path := fmt.Sprintf("/api/v1/posts/%d", long)
		one := w.do(w.ada, "GET", path+"?expand=comments,likes", "").want(200).data()
		if n := len(one["comments"].([]any)); n != 100 {
			t.Errorf("%d comments are shown", n)
		}
		if got := fmt.Sprint(one["more"]); got != fmt.Sprintf("map[comments:map[href:%s/comments total:103]]", path) {
			t.Errorf("more: %s", got)
		}
		if whole := w.do(w.ada, "GET", path+"/comments?limit=100&page=2", "").want(200); len(whole.list()) != 3 {
			t.Errorf("the rest: %s", whole.Raw)
		}
		for _, item := range w.do(w.ada, "GET", "/api/v1/posts?expand=comments&fields=id", "").want(200).list() {
			if _, cut := item["more"]; cut != (item["id"] == float64(long)) {
				t.Errorf("post %v: more %v", item["id"], item["more"])
			}
		}
		if got := w.do(w.ada, "GET", fmt.Sprintf("/api/posts/%d?expand=author.comments", long), "").want(200).data()["author"].(map[string]any)["more"]; fmt.Sprint(got) !=
			fmt.Sprintf("map[comments:map[href:/api/comments?author_id=%d total:203]]", w.ada.UserID) {
			t.Errorf("more of the author: %v", got)
		}
		w.do(w.ada, "GET", fmt.Sprintf("/api/v1/comments?author_id=%d", w.ada.UserID), "").want(200)
		if n := statements(w, "/api/v1/posts?expand=comments&title=Short"); n != 2 {
			t.Errorf("%d statements where nothing is cut, want 2", n)
		}
		if csv := w.do(w.ada, "GET", "/api/v1/posts?expand=comments&fields=id", "", "Accept", "text/csv").want(200).Raw; !strings.HasPrefix(csv, "id,comments,more\r\n") || !strings.Contains(csv, `""total"":103`) {
			t.Errorf("CSV: %.60s", csv)
		}
	})
}

func statements(w *world, path string) int {
	w.do(w.ada, "GET", path, "").want(200)
	return len(w.log.Statements())
}
