package rest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// statuses are those of the results, in order.
func (a *answer) statuses() []int {
	var body struct{ Results []struct{ Status int } }
	if err := json.Unmarshal([]byte(a.Raw), &body); err != nil {
		a.t.Fatal(err)
	}
	var all []int
	for _, r := range body.Results {
		all = append(all, r.Status)
	}
	return all
}

func TestManyUsersAtOnce(t *testing.T) {
	each(t, func(w *world) {
		a := w.do(w.admin, "POST", "/api/v1/users/bulk", `{"users":[
			{"name":"Eve","email":"eve@example.com","password":"correct horse 1"},
			{"name":"Eve","email":"EVE@example.com"},
			{"name":"x","email":"no","password":"short"},
			{"email":"nameless@example.com"},
			{"name":"Dan","email":"dan@example.com"},
			{"name":5,"email":"no","password":"short","colour":"correct horse"}, null, 1]}`).want(207)
		if got := a.statuses(); !slices.Equal(got, []int{201, 409, 422, 400, 201, 400, 400, 400}) {
			t.Fatalf("%v: %s", got, a.Raw)
		}
		if strings.Contains(a.Raw, "correct horse") || strings.Contains(a.Raw, `"short"`) || strings.Contains(a.Raw, "password_hash") {
			t.Errorf("a password is echoed: %s", a.Raw)
		}
		results := a.Body["results"].([]any)
		if dan := results[4].(map[string]any)["data"].(map[string]any); dan["name"] != "Dan" {
			t.Errorf("the last is %v", dan)
		}
		if refused := results[2].(map[string]any)["error"].(map[string]any)["details"].([]any); len(refused) != 4 {
			t.Errorf("details %v", refused)
		}
		if refused := results[5].(map[string]any)["error"].(map[string]any)["details"].([]any); len(refused) != 5 {
			t.Errorf("details %v", refused)
		}
		if n := storetest.Count(t, w.db, "credentials"); n != 1 {
			t.Errorf("%d credentials, want 1", n)
		}
		id := int(results[0].(map[string]any)["data"].(map[string]any)["id"].(float64))
		body := fmt.Sprintf(`{"ids":[%d,%d,"x",99999,-1]}`, id, id)
		if got := w.do(w.admin, "DELETE", "/api/v1/users/bulk", body).want(207).statuses(); !slices.Equal(got, []int{204, 404, 400, 404, 400}) {
			t.Errorf("deleted %v", got)
		}
		if got := w.do(w.admin, "DELETE", fmt.Sprintf("/api/v1/users/bulk?ids=%d,%d", id, w.bob.UserID), "").want(207).statuses(); !slices.Equal(got, []int{404, 204}) {
			t.Errorf("deleted %v", got)
		}
		many := strings.Repeat(`{"name":"Eve","email":"e@example.com","password":"correct horse 1"},`, 1001)
		for body, status := range map[string]int{
			`{"users":[]}`: 422, `{}`: 400, `{"users":{"password":"correct horse 1"}}`: 400, `{"users":[1],"x":1}`: 400, `{"users":[` + strings.TrimSuffix(many, ",") + `]}`: 422,
		} {
			if a := w.do(w.admin, "POST", "/api/v1/users/bulk", body).want(status); strings.Contains(a.Raw, "correct horse") {
				t.Errorf("a password is echoed: %.200s", a.Raw)
			}
		}
		for path, body := range map[string]string{"": "", "?ids=1": `{"ids":[2]}`, "?ids=x": "", "?ids=1,-1": "", "?nonsense=1": `{"ids":[2]}`} {
			w.do(w.admin, "DELETE", "/api/v1/users/bulk"+path, body).want(400)
		}
		w.do(w.nobody, "POST", "/api/v1/users/bulk", `{}`).want(401)
		w.do(w.ada, "DELETE", "/api/v1/users/bulk?ids=1", "").want(403)
	})
}

func TestAUserIsMadeWithAPassword(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		admin := r.signUp("Grace", "grace@example.com")
		r.promote("grace@example.com")
		r.pass(2e9)
		a := admin.do("POST", "/api/v1/users", `{"name":"Eve","email":"eve@example.com","password":"correct horse 2","role":"editor"}`).want(201)
		if strings.Contains(a.Raw, "correct") {
			t.Errorf("the password is echoed: %s", a.Raw)
		}
		r.visitor().do("POST", "/api/v1/auth/login", `{"email":"eve@example.com","password":"correct horse 2"}`).want(200)
		a = admin.do("POST", "/api/v1/users", `{"name":"x","email":"ann@example.com","password":"short"}`).want(422)
		if len(a.details()) != 2 || strings.Contains(a.Raw, "short\"") {
			t.Errorf("refused with %s", a.Raw)
		}
		admin.do("PATCH", "/api/v1/users/1", `{"password":"correct horse 3"}`).want(400)
	})
}

func TestSearchingForUsers(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.admin, "POST", userPath(w.bob, "/deactivate"), "").want(200)
		for _, c := range []struct{ body, names string }{
			{`{}`, "Bob Miller,Ada Lovelace,Mary Moderator,Grace Hopper"},
			{`{"filters":{"role":["user"]},"sort":{"field":"name","order":"asc"}}`, "Ada Lovelace,Bob Miller"},
			{`{"filters":{"role":["admin","moderator"]},"sort":{"field":"name","order":"desc"}}`, "Mary Moderator,Grace Hopper"},
			{`{"filters":{"is_active":false}}`, "Bob Miller"},
			{`{"filters":{"created_after":"2001-01-01","is_active":true},"sort":{"field":"name"},"page":2,"limit":1}`, "Grace Hopper"},
			{`{"sort":{"field":"name"},"page":2.0,"limit":1e0}`, "Bob Miller"},
			{`{"filters":{"created_after":"2999-01-01T00:00:00Z"}}`, ""},
		} {
			var names []string
			for _, name := range w.do(w.ada, "POST", "/api/v1/users/search", c.body).want(200).all("name") {
				names = append(names, name.(string))
			}
			if got := strings.Join(names, ","); got != c.names {
				t.Errorf("%s: %s, want %s", c.body, got, c.names)
			}
		}
		for _, c := range []struct {
			body   string
			status int
			field  string
		}{
			{`{"filters":{"nonsense":1}}`, 400, "filters.nonsense"},
			{`{"filters":{"role":["king"]}}`, 422, "filters.role[0]"},
			{`{"filters":{"created_after":"soon"}}`, 400, "filters.created_after"},
			{`{"sort":{"field":"salary"}}`, 400, "sort.field"},
			{`{"sort":{"field":"name","order":"up"}}`, 422, "sort.order"},
			{`{"limit":0}`, 400, "limit"},
			{`{"page":-1}`, 400, "page"},
			{`{"page":1.5}`, 400, "page"},
			{`{"page":1000000000000000000000000000000}`, 422, "page"},
		} {
			if a := w.do(w.ada, "POST", "/api/v1/users/search", c.body).want(c.status); a.details()[c.field] == "" {
				t.Errorf("%s: %s", c.body, a.Raw)
			}
		}
		w.do(w.nobody, "POST", "/api/v1/users/search", `{}`).want(401)
		if a := w.do(w.ada, "POST", "/api/v1/users/search?fields=name", `{"limit":1}`).want(200); len(a.list()[0]) != 1 || a.at("pagination", "total") != 4. {
			t.Errorf("shaped: %s", a.Raw)
		}
	})
}
