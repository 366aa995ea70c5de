package rest_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

func TestCreate(t *testing.T) {
	each(t, func(w *world) {
		a := w.do(w.ada, "POST", "/api/v1/posts", `{"title":"Engines","content":"Text","published":true}`).want(201)
		item := a.data()
		if item["author_id"] != float64(w.ada.UserID) || item["published"] != true || item["version"] != 1. {
			t.Errorf("created %v", item)
		}
		location := fmt.Sprintf("/api/v1/posts/%v", item["id"])
		if a.Header.Get("Location") != location {
			t.Errorf("Location %q, want %q", a.Header.Get("Location"), location)
		}
		read := w.do(w.ada, "GET", location, "").want(200)
		if read.Raw != a.Raw || read.Header.Get("ETag") != a.Header.Get("ETag") {
			t.Errorf("read back %s, was %s", read.Raw, a.Raw)
		}
		a = w.do(w.ada, "POST", "/api/posts?fields=title&expand=author", `{"title":"Notes","content":"Text"}`).want(201)
		if a.data()["content"] != nil || a.data()["author"] == nil || !strings.HasPrefix(a.Header.Get("Location"), "/api/posts/") {
			t.Errorf("shaped: %s", a.Raw)
		}
		a = w.do(w.ada, "POST", "/api/posts?nonsense=1", `{"title":"Notes","content":"Text"}`).want(400)
		if a.details()["nonsense"] == "" {
			t.Errorf("unknown parameter: %s", a.Raw)
		}
	})
}

func TestCreateBelow(t *testing.T) {
	each(t, func(w *world) {
		public, draft := w.post(w.ada, "Public", true), w.post(w.ada, "Draft", false)
		path := fmt.Sprintf("/api/v1/posts/%d/comments", public)
		a := w.do(w.bob, "POST", path, `{"text":"Fine."}`).want(201)
		if a.data()["post_id"] != float64(public) || a.data()["author_id"] != float64(w.bob.UserID) {
			t.Errorf("comment %v", a.data())
		}
		if n := len(w.log.Statements()); n != 1 {
			t.Errorf("creating a comment took %d statements: %q", n, w.log.Statements())
		}
		w.do(w.bob, "POST", path, fmt.Sprintf(`{"text":"Fine.","post_id":%d}`, public)).want(201)
		w.do(w.bob, "POST", path, fmt.Sprintf(`{"text":"Fine.","post_id":%d}`, draft)).want(400)
		for _, body := range []string{`{"text":"Fine."}`, `{"text":""}`} {
			w.do(w.bob, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", draft), body).want(404)
			w.do(w.bob, "POST", "/api/v1/posts/99999/comments", body).want(404)
		}
		a = w.do(w.ada, "GET", fmt.Sprintf("/api/v1/posts/%d/comments", draft), "").want(200)
		if len(a.list()) != 0 {
			t.Errorf("comments on a post that their author can't read: %s", a.Raw)
		}
		w.do(w.nobody, "POST", path, `{"text":"Fine."}`).want(401)
		w.do(w.nobody, "POST", path, `{}`).want(401)

		a = w.do(w.bob, "POST", "/api/v1/comments", fmt.Sprintf(`{"text":"Fine.","post_id":%d}`, draft)).want(422)
		if a.details()["post_id"] == "" {
			t.Errorf("a hidden post: %s", a.Raw)
		}
		w.do(w.bob, "POST", "/api/v1/comments", `{"text":"Fine.","post_id":99999}`).want(422)

		below := fmt.Sprintf("/api/v1/users/%d/posts", w.ada.UserID)
		w.do(w.bob, "POST", below, `{"title":"T","content":"C"}`).want(403)
		if a := w.do(w.ada, "POST", below, `{"title":"T","content":"C"}`).want(201); a.data()["author_id"] != float64(w.ada.UserID) {
			t.Errorf("post %v", a.data())
		}
		w.do(w.admin, "POST", below, `{"title":"T","content":"C"}`).want(201)
		w.do(w.admin, "POST", "/api/v1/users/99999/posts", `{"title":"T","content":"C"}`).want(404)
	})
}

func TestWhoIsTheAuthor(t *testing.T) {
	each(t, func(w *world) {
		body := func(author int64) string {
			return fmt.Sprintf(`{"title":"T","content":"C","author_id":%d}`, author)
		}
		w.do(w.bob, "POST", "/api/v1/posts", body(w.bob.UserID)).want(201)
		a := w.do(w.bob, "POST", "/api/v1/posts", body(w.ada.UserID)).want(403)
		if a.details()["author_id"] == "" {
			t.Errorf("another author: %s", a.Raw)
		}
		a = w.do(w.admin, "POST", "/api/v1/posts", body(w.ada.UserID)).want(201)
		if a.data()["author_id"] != float64(w.ada.UserID) {
			t.Errorf("named by an admin: %v", a.data())
		}
		w.do(w.admin, "POST", "/api/v1/posts", body(99999)).want(422)
	})
}

func TestBadBodies(t *testing.T) {
	each(t, func(w *world) {
		for _, c := range []struct {
			name   string
			body   string
			status int
			fields []string
		}{
			{"what is required is missing", `{}`, 400, []string{"name", "email"}},
			{"a rule is broken", `{"name":"A","email":"a@example.com"}`, 422, []string{"name"}},
			{"two rules are broken", `{"name":"A","email":"nobody"}`, 422, []string{"name", "email"}},
			{"a bound is passed", `{"name":"Ada","email":"a@example.com","age":7}`, 422, []string{"age"}},
			{"a value is of the wrong type", `{"name":5,"email":"a@example.com"}`, 400, []string{"name"}},
			{"a member is unknown", `{"name":"Ada","email":"a@example.com","colour":"red"}`, 400, []string{"colour"}},
			{"null is not allowed", `{"name":null,"email":"a@example.com"}`, 400, []string{"name"}},
			{"the value of an enum is unknown", `{"name":"Ada","email":"a@example.com","role":"king"}`, 422, []string{"role"}},
			{"everything is wrong at once", `{"name":"A","email":5,"age":"old","role":"king","colour":1}`, 400, []string{"name", "email", "age", "role", "colour"}},
			{"something is missing and a rule is broken", `{"name":"A"}`, 400, []string{"name", "email"}},
			{"an id is given", `{"id":5,"name":"Ada","email":"a@example.com"}`, 400, []string{"id"}},
			{"a number is too large", `{"name":"Ada","email":"a@example.com","age":99999999999999999999}`, 422, []string{"age"}},
			{"an integer has a fraction", `{"name":"Ada","email":"a@example.com","age":33.5}`, 400, []string{"age"}},
			{"a number is infinite", `{"name":"Ada","email":"a@example.com","salary":1e309}`, 422, []string{"salary"}},
		} {
			a := w.do(w.admin, "POST", "/api/v1/users", c.body)
			if a.Status != c.status || a.at("error", "code") != "VALIDATION_ERROR" {
				t.Errorf("%s: %d, want %d: %s", c.name, a.Status, c.status, a.Raw)
			}
			got := a.details()
			for _, field := range c.fields {
				if got[field] == "" {
					t.Errorf("%s: %s is not among the details: %s", c.name, field, a.Raw)
				}
			}
			if len(got) != len(c.fields) {
				t.Errorf("%s: details of %v, want %v", c.name, got, c.fields)
			}
		}
		if a := w.do(w.admin, "POST", "/api/v1/users", `{"name":"Ada","email":{"password":"correct horse 1"},"password":"short"}`).want(400); len(a.details()) != 2 || strings.Contains(a.Raw, "horse") {
			t.Errorf("refused with %s", a.Raw)
		}
		for price, body := range map[string]string{"-1.5": `{"name":"a","price":-1.5}`, "-2.5": `{"name":"a","price":-2.5,"x":1}`, "9007199254740993.01": `{"name":"a","price":9007199254740993.01}`} {
			if a := w.do(w.admin, "POST", "/api/v1/products", body); !strings.Contains(a.Raw, `"value":`+price) {
				t.Errorf("%s: %s", body, a.Raw)
			}
		}
		for body, status := range map[string]int{`{"items":[` + strings.Repeat("1,", 400000) + `1]}`: 422, `{` + manyMembers(60000) + `"items":5}`: 400} {
			if a := w.do(w.ada, "POST", "/api/v1/orders", body).want(status); a.details()["items"] == "" || len(a.details()) > 5000 || len(a.Raw) > 1<<20 {
				t.Errorf("%.40s: %d details in %d bytes", body, len(a.details()), len(a.Raw))
			}
		}
		// Whichever way a rule is found broken, it reads the same.
		form := w.do(w.admin, "POST", "/api/v1/users", `{"name":"A","email":"nobody","age":7,"role":"king"}`).details()
		schema := w.do(w.admin, "POST", "/api/v1/users", `{"name":"A","email":"nobody","age":7,"role":"king","x":1}`).details()
		delete(schema, "x")
		if !maps.Equal(form, schema) {
			t.Errorf("the form says %v, the document %v", form, schema)
		}
		form = w.do(w.admin, "POST", "/api/v1/products", `{"name":"","price":-1,"currency":"usd","stock":-1}`).details()
		schema = w.do(w.admin, "POST", "/api/v1/products", `{"name":"","price":-1,"currency":"usd","stock":-1,"x":1}`).details()
		delete(schema, "x")
		if !maps.Equal(form, schema) {
			t.Errorf("the form says %v, the document %v", form, schema)
		}
	})
}

func TestBodiesThatAreNotJSON(t *testing.T) {
	each(t, func(w *world) {
		for body, want := range map[string]string{
			`{`: "INVALID_JSON", `nonsense`: "INVALID_JSON", `{"name":"Ada","name":"Bob"}`: "INVALID_JSON",
			`{"name":"Ada"} {}`: "INVALID_JSON", `{"name":"A\u0000a"}`: "INVALID_JSON", "{\"name\":\"\xff\"}": "INVALID_JSON",
			strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40): "INVALID_JSON",
			`[]`: "VALIDATION_ERROR", `"text"`: "VALIDATION_ERROR", `null`: "VALIDATION_ERROR",
		} {
			a := w.do(w.admin, "POST", "/api/v1/users", body)
			if a.Status != 400 || a.at("error", "code") != want {
				t.Errorf("%q: %d %s, want 400 %s", body, a.Status, a.Raw, want)
			}
		}
		w.do(w.admin, "POST", "/api/v1/users", "").want(400)
		w.do(w.admin, "POST", "/api/v1/users", "name=Ada", "Content-Type", "application/x-www-form-urlencoded").want(415)
		w.do(w.admin, "POST", "/api/v1/users", "{}", "Content-Type", "application/merge-patch+json").want(415)
		for media, status := range map[string]int{
			"application/vnd.entwine.v1+json": 400, "application/vnd.entwine+json": 400, "application/vnd.entwine.v1+json; charset=utf-8": 400,
			"application/vnd.entwine.v9+json": 415,
		} {
			w.do(w.admin, "POST", "/api/v1/users", "{}", "Content-Type", media).want(status)
		}
		w.do(w.nobody, "POST", "/api/v1/users", "{").want(401)
		w.do(w.ada, "POST", "/api/v1/users", "{").want(403)
	})
}

func TestDuplicate(t *testing.T) {
	each(t, func(w *world) {
		a := w.do(w.admin, "POST", "/api/v1/users", `{"name":"Other Ada","email":"ADA@example.com"}`).want(409)
		if a.at("error", "code") != "DUPLICATE_RESOURCE" || a.details()["email"] == "" {
			t.Errorf("duplicate: %s", a.Raw)
		}
		path := fmt.Sprintf("/api/v1/users/%d", w.bob.UserID)
		w.do(w.bob, "PATCH", path, `{"email":"ada@example.com"}`).want(409)
		w.do(w.bob, "GET", path, "").want(200)
	})
}

func TestPatch(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID)
		before := w.do(w.ada, "GET", path, "").want(200).data()
		for _, c := range []struct {
			name   string
			who    *viewer.Viewer
			body   string
			status int
			want   map[string]any
		}{
			{"a field is named", w.ada, `{"name":"Ada King"}`, 200, map[string]any{"name": "Ada King", "version": 2., "email": "ada@example.com"}},
			{"nothing is named", w.ada, `{}`, 200, map[string]any{"name": "Ada King", "version": 2.}},
			{"the current value is named", w.ada, `{"name":"Ada King"}`, 200, map[string]any{"version": 2.}},
			{"a nullable field is set", w.ada, `{"age":36}`, 200, map[string]any{"age": 36., "version": 3.}},
			{"a nullable field is cleared", w.ada, `{"age":null}`, 200, map[string]any{"age": nil, "version": 4.}},
			{"a field cannot be null", w.ada, `{"name":null}`, 400, nil},
			{"a field is unknown", w.ada, `{"colour":"red"}`, 400, nil},
			{"a rule is broken", w.ada, `{"age":7}`, 422, nil},
			{"a role is kept", w.ada, `{"role":"user"}`, 200, map[string]any{"version": 4.}},
			{"a role is taken", w.ada, `{"role":"admin"}`, 403, nil},
			{"an admin gives a role", w.admin, `{"role":"editor"}`, 200, map[string]any{"role": "editor", "version": 5.}},
			{"a salary is guessed", w.ada, `{"salary":null}`, 403, nil},
			{"an admin sets a salary", w.admin, `{"salary":1000.5}`, 200, map[string]any{"salary": 1000.5}},
			{"an admin deactivates", w.admin, `{"is_active":false}`, 200, map[string]any{"is_active": false}},
			{"a field is read-only and current", w.ada, fmt.Sprintf(`{"id":%d,"created_at":%q,"deleted_at":null}`, w.ada.UserID, before["created_at"]), 200, map[string]any{}},
			{"a field is read-only and another", w.ada, `{"id":99}`, 400, nil},
			{"a time is read-only and another", w.ada, `{"created_at":"2020-01-01T00:00:00Z"}`, 400, nil},
			{"somebody else asks", w.bob, `{"name":"Mallory"}`, 403, nil},
			{"somebody else changes nothing", w.bob, `{}`, 403, nil},
			{"nobody asks", w.nobody, `{"name":"Mallory"}`, 401, nil},
		} {
			a := w.do(c.who, "PATCH", path, c.body)
			if a.Status != c.status {
				t.Errorf("%s: %d, want %d: %s", c.name, a.Status, c.status, a.Raw)
				continue
			}
			for name, want := range c.want {
				if got := a.data()[name]; got != want {
					t.Errorf("%s: %s is %v, want %v", c.name, name, got, want)
				}
			}
		}
		w.do(w.ada, "PATCH", path, `{"name":"Ada"}`, "Content-Type", "application/merge-patch+json").want(200)
		w.do(w.admin, "PATCH", "/api/v1/users/99999", `{"name":"Nobody"}`).want(404)
		w.do(w.admin, "PATCH", "/api/v1/users/99999", `{}`).want(404)
	})
}

func TestPut(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID)
		w.do(w.admin, "PATCH", path, `{"age":36,"salary":5,"is_active":false,"role":"editor"}`).want(200)
		a := w.do(w.ada, "PUT", path, `{"name":"Ada King"}`).want(400)
		if a.details()["email"] == "" {
			t.Errorf("without e-mail: %s", a.Raw)
		}
		// What Ada may not set, she does not reset.
		ada := viewer.Viewer{UserID: w.ada.UserID, Role: "editor"}
		item := w.do(&ada, "PUT", path, `{"name":"Ada King","email":"ada@example.com"}`).want(200).data()
		if item["age"] != nil || item["role"] != "editor" || item["is_active"] != false || item["name"] != "Ada King" {
			t.Errorf("replaced by Ada: %v", item)
		}
		item = w.do(w.admin, "PUT", path, `{"name":"Ada King","email":"ada@example.com"}`).want(200).data()
		if item["role"] != "user" || item["is_active"] != false || item["salary"] != 5. {
			t.Errorf("replaced by an admin: %v", item)
		}
		// An answer of a read can be sent back.
		read := w.do(w.admin, "GET", path, "").want(200)
		body := strings.TrimSuffix(strings.TrimPrefix(read.Raw, `{"status":"success","data":`), "}")
		same := w.do(w.admin, "PUT", path, body).want(200)
		if same.data()["version"] != read.data()["version"] {
			t.Errorf("sent back: %s, was %s", same.Raw, read.Raw)
		}
		w.do(w.admin, "PUT", path, strings.Replace(body, `"is_active":false`, `"is_active":true`, 1)).want(400)
		w.do(w.ada, "PUT", path, `{"name":"Ada","email":"ada@example.com","role":"admin"}`).want(403)
		w.do(w.bob, "PUT", path, `{"name":"Ada","email":"ada@example.com"}`).want(403)
	})
}

func TestIfMatch(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Engines", true))
		tag := w.do(w.ada, "GET", path, "").want(200).Header.Get("ETag")
		for _, c := range []struct {
			method, body, match string
			status              int
		}{
			{"PATCH", `{"title":"A"}`, `"stale"`, 412},
			{"PATCH", `{"title":"A"}`, "W/" + tag, 412},
			{"DELETE", "", `"stale"`, 412},
			{"PATCH", `{"title":"A"}`, `"stale", ` + tag, 200},
			{"PATCH", `{"title":"B"}`, tag, 412},
			{"PUT", `{"title":"B","content":"C"}`, "*", 200},
		} {
			a := w.do(w.ada, c.method, path, c.body, "If-Match", c.match)
			if a.Status != c.status {
				t.Errorf("%s %s with If-Match %s: %d, want %d: %s", c.method, c.body, c.match, a.Status, c.status, a.Raw)
			}
		}
		// The ETag of the answer to a write is valid for the next one.
		tag = w.do(w.ada, "PATCH", path, `{"title":"C"}`).want(200).Header.Get("ETag")
		for method, body := range map[string]string{"PUT": `{"title":"C","content":"D"}`, "PATCH": `{"title":"C"}`, "DELETE": ""} { // a caller without the right gets that refusal first
			w.do(w.bob, method, path, body, "If-Match", `"stale"`).want(403)
			w.do(w.bob, method, path, body, "If-Match", tag).want(403)
		}
		w.do(w.ada, "DELETE", path, "", "If-Match", tag).want(204)
		w.do(w.ada, "PATCH", "/api/v1/posts/99999", `{"title":"C"}`, "If-Match", "*").want(404)
	})
}

func TestDelete(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "Engines", true)
		path := fmt.Sprintf("/api/v1/posts/%d", id)
		draft := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Draft", false))
		w.do(w.nobody, "DELETE", path, "").want(401)
		w.do(w.bob, "DELETE", path, "").want(403)
		w.do(w.bob, "DELETE", draft, "").want(404)
		w.do(w.moderator, "DELETE", draft, "").want(404)
		if a := w.do(w.ada, "DELETE", path, "").want(204); a.Raw != "" {
			t.Errorf("a body: %s", a.Raw)
		}
		w.do(w.ada, "DELETE", path, "").want(404)
		w.do(w.ada, "GET", path, "").want(404)
		w.do(w.ada, "PATCH", path, `{"title":"New"}`).want(404)
		w.do(w.admin, "GET", path+"?include_deleted=true", "").want(200)
		w.do(w.ada, "GET", path+"?include_deleted=true", "").want(403)

		a := w.do(w.ada, "DELETE", draft, "", "Prefer", "return=representation").want(200)
		if a.data()["title"] != "Draft" || a.data()["deleted_at"] == nil || a.at("message") != "post deleted" {
			t.Errorf("representation: %s", a.Raw)
		}
		w.do(w.ada, "DELETE", path+"?hard=true", "").want(403)
		w.do(w.admin, "DELETE", path+"?hard=perhaps", "").want(400)
		w.do(w.admin, "DELETE", path+"?soft=true", "").want(400)
		w.do(w.admin, "DELETE", path+"?hard=true", "").want(204)
		w.do(w.admin, "GET", path+"?include_deleted=true", "").want(404)
		w.do(w.admin, "DELETE", path+"?hard=true", "").want(404)
	})
}

func TestDeleteTakesAlongAndBringsBack(t *testing.T) {
	each(t, func(w *world) {
		own := fmt.Sprintf("/api/v1/posts/%d", w.post(w.bob, "Deleted before", true))
		kept := fmt.Sprintf("/api/v1/posts/%d", w.post(w.bob, "Deleted with", true))
		w.do(w.bob, "DELETE", own, "").want(204)
		w.do(w.admin, "DELETE", fmt.Sprintf("/api/v1/users/%d", w.bob.UserID), "").want(204)
		w.do(w.nobody, "GET", kept, "").want(404)
		if err := w.db.InTx(viewerContext(w, w.admin), func(ctx ctxt) error {
			n, err := w.ent.User.Restore(ctx, userID(w.bob))
			if n != 1 {
				t.Errorf("restored %d", n)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		w.do(w.nobody, "GET", kept, "").want(200)
		w.do(w.nobody, "GET", own, "").want(404)
	})
}

func TestMoney(t *testing.T) {
	each(t, func(w *world) {
		for _, c := range []struct {
			price  string
			status int
			want   any
		}{
			{"19.99", 201, 19.99}, {"20", 201, 20.}, {"0", 201, 0.}, {"1.5e1", 201, 15.},
			{"19.999", 422, nil}, {"-1", 422, nil}, {`"19.99"`, 400, nil}, {"null", 400, nil}, {"1e300", 422, nil},
		} {
			a := w.do(w.admin, "POST", "/api/v1/products", `{"name":"Slide rule","price":`+c.price+`}`)
			if a.Status != c.status {
				t.Errorf("price %s: %d, want %d: %s", c.price, a.Status, c.status, a.Raw)
				continue
			}
			if c.status == 201 && a.data()["price"] != c.want {
				t.Errorf("price %s: %v", c.price, a.data()["price"])
			}
			if c.status != 201 && a.details()["price"] == "" {
				t.Errorf("price %s: %s", c.price, a.Raw)
			}
		}
		item := w.do(w.admin, "POST", "/api/v1/products", `{"name":"Yen","price":500,"currency":"JPY","tags":["a","b"],"stock":3}`).want(201).data()
		path := fmt.Sprintf("/api/v1/products/%v", item["id"])
		w.do(w.admin, "PATCH", path, `{"price":1.5}`).want(422)
		a := w.do(w.admin, "PATCH", path, `{"price":1.5,"currency":"USD","tags":[],"stock":null}`).want(200)
		if a.data()["price"] != 1.5 || fmt.Sprint(a.data()["tags"]) != "[]" || a.data()["stock"] != nil {
			t.Errorf("patched: %s", a.Raw)
		}
		// The number that clients see is what a change of the currency keeps.
		if a := w.do(w.admin, "PATCH", path, `{"currency":"JPY"}`).want(422); a.details()["price"] == "" {
			t.Errorf("1.5 in JPY: %s", a.Raw)
		}
		w.do(w.admin, "PATCH", path, `{"price":3}`).want(200)
		if a := w.do(w.admin, "PATCH", path, `{"currency":"JPY"}`).want(200); a.data()["price"] != 3. {
			t.Errorf("3 in JPY: %s", a.Raw)
		}
		if a := w.do(w.admin, "PUT", path, `{"name":"Yen","price":2.5}`).want(200); a.data()["price"] != 2.5 || a.data()["currency"] != "USD" {
			t.Errorf("replaced: %s", a.Raw)
		}
		w.do(w.admin, "PATCH", path, `{"tags":["a","a"]}`).want(422)
		w.do(w.admin, "PATCH", path, `{"tags":[1]}`).want(400)
		w.do(w.nobody, "GET", path, "").want(200)
		if a := w.do(w.nobody, "GET", path, "").want(200); !strings.HasPrefix(a.Header.Get("Cache-Control"), "public, max-age") {
			t.Errorf("Cache-Control %q", a.Header.Get("Cache-Control"))
		}
		w.do(w.ada, "POST", "/api/v1/products", `{"name":"Mine","price":1}`).want(403)
	})
}

func TestKeys(t *testing.T) {
	each(t, func(w *world) {
		a := w.do(w.admin, "POST", "/api/v1/categories", `{"name":"computing-history"}`).want(201)
		if a.Header.Get("Location") != "/api/v1/categories/computing-history" {
			t.Errorf("Location %q", a.Header.Get("Location"))
		}
		path := "/api/v1/categories/computing-history"
		w.do(w.nobody, "GET", path, "").want(200)
		w.do(w.nobody, "GET", "/api/v1/categories/Nothing!", "").want(404)
		post := w.do(w.ada, "POST", "/api/v1/posts", fmt.Sprintf(`{"title":"T","content":"C","published":true,"category_id":%v}`, a.data()["id"])).want(201)
		if list := w.do(w.nobody, "GET", path+"/posts", "").want(200).all("id"); len(list) != 1 || list[0] != post.data()["id"] {
			t.Errorf("posts of the category: %v", list)
		}
		if list := w.do(w.nobody, "GET", "/api/v1/posts?category=computing-history", "").want(200).list(); len(list) != 1 {
			t.Errorf("posts by category: %v", list)
		}
		w.do(w.ada, "POST", "/api/v1/posts", `{"title":"T","content":"C","category_id":99999}`).want(422)
		w.do(w.admin, "PATCH", path, `{"title":"History"}`).want(200)
		w.do(w.admin, "DELETE", path, "").want(204)
		w.do(w.nobody, "GET", path, "").want(404)
		w.do(w.nobody, "GET", path+"/posts", "").want(404)
		w.do(w.admin, "PATCH", path, `{}`).want(404)
	})
}

func TestProfile(t *testing.T) {
	each(t, func(w *world) {
		path := fmt.Sprintf("/api/v1/users/%d/profile", w.ada.UserID)
		w.do(w.ada, "GET", path, "").want(404)
		w.do(w.bob, "PUT", path, `{"bio":"Mine"}`).want(403)
		a := w.do(w.ada, "PUT", path, `{"bio":"Mathematician","website":"https://example.com"}`).want(201)
		if a.data()["user_id"] != float64(w.ada.UserID) || a.data()["bio"] != "Mathematician" {
			t.Errorf("made: %s", a.Raw)
		}
		if at := a.Header.Get("Location"); at != path {
			t.Errorf("Location %q, want %q", at, path)
		}
		a = w.do(w.ada, "PATCH", path, `{"website":null}`).want(200)
		if a.data()["website"] != nil || a.data()["bio"] != "Mathematician" {
			t.Errorf("patched: %s", a.Raw)
		}
		if a = w.do(w.ada, "PUT", path, `{}`).want(200); a.data()["bio"] != nil {
			t.Errorf("replaced: %s", a.Raw)
		}
		w.do(w.bob, "GET", path, "").want(200)
		w.do(w.bob, "PATCH", path, `{"bio":"Mine"}`).want(403)
		w.do(w.bob, "PATCH", path, `{}`).want(403)
		w.do(w.ada, "PATCH", path, `{"website":"nonsense"}`).want(422)
		w.do(w.ada, "PATCH", "/api/v1/users/99999/profile", `{"bio":"x"}`).want(404)
		w.do(w.nobody, "GET", path, "").want(401)
		expanded := w.do(w.bob, "GET", fmt.Sprintf("/api/v1/users/%d?expand=profile", w.ada.UserID), "").want(200)
		if _, ok := expanded.data()["profile"].(map[string]any); !ok {
			t.Errorf("expanded: %s", expanded.Raw)
		}
	})
}

// manyMembers is the beginning of an object with unknown members.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":1,`, i)
	}
	return b.String()
}
