package bench

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"
)

// The floor answers what its cases are about: otherwise it would be measured
// for less than entwine does.
func TestFloorAnswers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{dialect.Postgres, dialect.SQLite} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := newFloor(t, name, size{users: 300, posts: 100, comments: 600, products: 2500})
			for path, want := range map[string][]string{
				"/users/77":          {`{"status":"success","data":{"id":77,"name":"User 77","email":"user77@example.com","role":"user","age":null,"is_active":true,"followers_count":0`, `"created_at":"2026-01-01T00:01:17Z"`},
				"/users?role=editor": {`"data":[{"id":300,`, `{"id":110,`, `}],"pagination":{"page":1,"limit":20,"total":30}}`},
				"/posts?after=" + w.middle + "&after_id=51": {`"data":[{"id":50,"title":"Post number 50"`, `{"id":31,`, `],"pagination":{"limit":20,"has_next":true,"next":{"created_at":"2026-01-01T00:00:31Z","id":31}}}`},
				"/feed": {`{"data":{"posts":[{"id":100,"title":"Post number 100","author":{"id":101,"name":"User 101"},"comments":[{"id":599,"text":"I could not agree more, 599","author":{"id":300,"name":"User 300"}},`},
				"/products?search=LANTERN&min=2000&max=7000&tag=red": {`"description":"A lantern that fits`, `"price":35,"currency":"USD"`, `"tags":["red",`, `"total":10}}`},
				"/posts/99/comments":       {`,"text":"So do I.","post_id":99,"author_id":1,"created_at":"`},
				"/posts/99/comments?event": {`,"text":"So do I.","post_id":99,"author_id":1,"created_at":"`},
			} {
				c := call{method: "GET", path: path, status: 200}
				if strings.Contains(path, "/comments") {
					c.method, c.body, c.status = "POST", `{"text":"So do I."}`, 201
				}
				body := string(w.floor.fetch(t, c))
				for _, part := range want {
					if !strings.Contains(body, part) {
						t.Errorf("%s: %.2000s\nwant %s", path, body, part)
					}
				}
			}
		})
	}
}
