package rest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each of many changes is judged, refused and answered as the change of one row is, and those
// that are refused keep none of the others from being made.
func TestManyProductsAreChangedAtOnce(t *testing.T) {
	each(t, func(w *world) {
		made := w.do(w.admin, "POST", bulkPath, `{"products":[{"name":"Slide rule","price":1},{"name":"Abacus","price":2},{"name":"Pen","price":3}]}`).want(201)
		ids := made.all("id")
		body := fmt.Sprintf(`{"products":[{"id":%v,"price":19.99,"tags":["leaf"]},{"id":%v,"price":-1,"name":""},{"id":99999,"price":1},{"price":1},{"id":%v,"version":7,"price":4},{"id":%[3]v},null]}`, ids[0], ids[1], ids[2])
		a := w.do(w.admin, "PATCH", bulkPath, body).want(207)
		if got := a.statuses(); !slices.Equal(got, []int{200, 422, 404, 400, 412, 200, 400}) {
			t.Fatalf("%v: %s", got, a.Raw)
		}
		results := a.Body["results"].([]any)
		if first := results[0].(map[string]any)["data"].(map[string]any); first["price"] != 19.99 || first["name"] != "Slide rule" {
			t.Errorf("the first is %v", first)
		}
		for i, want := range map[int]string{1: "name price", 3: "id", 6: "body"} {
			var fields []string
			for _, d := range results[i].(map[string]any)["error"].(map[string]any)["details"].([]any) {
				fields = append(fields, d.(map[string]any)["field"].(string))
			}
			slices.Sort(fields)
			if got := strings.Join(fields, " "); got != want {
				t.Errorf("item %d: %q is wrong, want %q", i, got, want)
			}
		}
		for i, want := range []string{"19.99", "2", "3"} {
			if got := fmt.Sprint(w.do(w.nobody, "GET", fmt.Sprintf("/api/v1/products/%v", ids[i]), "").want(200).data()["price"]); got != want {
				t.Errorf("product %d costs %s, want %s", i, got, want)
			}
		}
		if v2 := w.do(w.admin, "PATCH", "/api/v2/products/bulk", fmt.Sprintf(`{"products":[{"id":%v,"inStock":true}]}`, ids[0])).want(207); !strings.Contains(v2.Raw, `"inStock":true`) {
			t.Errorf("in v2: %s", v2.Raw)
		}
		for body, status := range map[string]int{`{}`: 400, `{"products":[]}`: 422, `{"products":{}}`: 400, `{"ids":[1]}`: 400} {
			w.do(w.admin, "PATCH", bulkPath, body).want(status)
		}
		for path, headers := range map[string][]string{bulkPath + "?nope=1": nil, bulkPath: {"If-Match", `"1"`}} {
			for _, method := range []string{"PATCH", "POST"} {
				w.do(w.admin, method, path, fmt.Sprintf(`{"products":[{"id":%v,"price":5}]}`, ids[0]), headers...).want(400)
			}
		}
		w.do(w.admin, "PATCH", bulkPath, fmt.Sprintf(`{"products":[{"id":%v,"version":1,"price":6}]}`, ids[2])).want(207).has(`"status":200`)
		// Mistakes are reported as for one row: a wrong number, a missing id, and a version.
		w.do(w.admin, "PATCH", bulkPath, fmt.Sprintf(`{"products":[{"id":%v,"version":2.0,"price":7},{"price":1},{"id":%[1]v,"stock":1.5},{"id":%[1]v,"version":2,"price":8}]}`, ids[2])).want(207).
			has(`{"status":200,`).has(`"field":"id","message":"is required"}`).has(`"field":"stock","message":"must be a whole number or null","value":1.5}`).has(`{"status":412,`)
		if got := w.do(w.admin, "PATCH", bulkPath, `{"products":[{"id":0,"price":7}]}`).want(207).statuses(); !slices.Equal(got, []int{400}) {
			t.Errorf("an id of 0: %v", got)
		}
		w.do(w.nobody, "PATCH", bulkPath, `{"products":[{"id":1}]}`).want(401)
		w.do(w.ada, "PATCH", bulkPath, `{"products":[{"id":1}]}`).want(403)
	})
}

// An action of many posts asks of each what the action of one asks: its author publishes it.
func TestManyPostsArePublishedAtOnce(t *testing.T) {
	each(t, func(w *world) {
		mine, his, public := w.post(w.ada, "Mine", false), w.post(w.bob, "His", false), w.post(w.ada, "Public", true)
		body := fmt.Sprintf(`{"ids":[%d,%d,%d,99999,"x",%d]}`, mine, his, public, mine)
		a := w.do(w.ada, "POST", "/api/v1/posts/bulk/publish", body, "Idempotency-Key", "once").want(207)
		if got := a.statuses(); !slices.Equal(got, []int{200, 404, 409, 404, 400, 409}) {
			t.Fatalf("%v: %s", got, a.Raw)
		}
		again := w.do(w.ada, "POST", "/api/v1/posts/bulk/publish", body, "Idempotency-Key", "once").want(207)
		if again.Raw != a.Raw || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("the repetition: %s", again.Raw)
		}
		w.do(w.nobody, "GET", fmt.Sprintf("/api/v1/posts/%d", mine), "").want(200)
		w.do(w.nobody, "GET", fmt.Sprintf("/api/v1/posts/%d", his), "").want(404)
		if got := w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/bulk/archive?ids=%d,%d", mine, public), "").want(207).statuses(); !slices.Equal(got, []int{200, 200}) {
			t.Errorf("archived %v", got)
		}
		if got := w.do(w.ada, "DELETE", "/api/v1/posts/bulk", fmt.Sprintf(`{"ids":[%d,%d]}`, mine, his)).want(207).statuses(); !slices.Equal(got, []int{204, 404}) {
			t.Errorf("deleted %v", got)
		}
		w.do(w.ada, "POST", "/api/v1/posts/bulk/publish", `{"ids":[1],"title":"x"}`).want(400)
		w.do(w.ada, "POST", "/api/v1/posts/bulk/publish?nope=1", `{"ids":[1]}`).want(400)
		w.do(w.nobody, "POST", "/api/v1/posts/bulk/publish", `{"ids":[1]}`).want(401)
		for query, want := range map[string]string{"hrd=true": "allowed: ids, hard", "hard=maybe": "must be true or false", "hard=true&hard=true": "is given 2 times", "hard=": "must be true or false"} {
			w.do(w.admin, "DELETE", "/api/v1/posts/bulk?ids=1&"+query, "").want(400).has(want)
		}
		w.do(w.admin, "DELETE", "/api/v1/posts/bulk?ids=99999999999999999999", "").want(400).has("must fit in 64 bits")
		w.do(w.admin, "DELETE", "/api/v1/posts/bulk?ids=1", "", "If-Match", `"1"`).want(400)
	})
}

// Requests about many rows show the fields that they ask for, as those about one row do, and
// so do their repetitions.
func TestManyRowsShowTheFieldsThatAreAskedFor(t *testing.T) {
	each(t, func(w *world) {
		data := func(a *answer) (shown []string) {
			rows, _ := a.Body["data"].([]any)
			if list, ok := a.Body["results"].([]any); ok {
				for _, one := range list {
					rows = append(rows, one.(map[string]any)["data"])
				}
			}
			for _, row := range rows {
				text, _ := json.Marshal(row)
				shown = append(shown, string(text))
			}
			return shown
		}
		same := func(a *answer, want ...string) {
			t.Helper()
			if got := data(a); !slices.Equal(got, want) {
				t.Errorf("shown are %q, want %q", got, want)
			}
		}
		same(w.do(w.admin, "POST", bulkPath+"?fields=name", `{"products":[{"name":"Slide rule","price":1},{"name":"Abacus","price":2}]}`, "Idempotency-Key", "all").want(201), `{"name":"Slide rule"}`, `{"name":"Abacus"}`)
		again := w.do(w.admin, "POST", bulkPath+"?fields=name", `{"products":[{"name":"Slide rule","price":1},{"name":"Abacus","price":2}]}`, "Idempotency-Key", "all").want(201)
		same(again, `{"name":"Slide rule"}`, `{"name":"Abacus"}`)
		id := w.do(w.nobody, "GET", "/api/v1/products?search=abacus&fields=id", "").want(200).all("id")[0]
		same(w.do(w.admin, "PATCH", bulkPath+"?fields=price,name", fmt.Sprintf(`{"products":[{"id":%v,"price":3}]}`, id)).want(207), `{"name":"Abacus","price":3}`)
		same(w.do(w.admin, "PATCH", bulkPath+"?fields=price_with&price_with.percent=100", fmt.Sprintf(`{"products":[{"id":%v,"price":3}]}`, id)).want(207), `{"price_with":6}`)
		same(w.do(w.admin, "POST", "/api/v1/users/bulk?fields=email,is_active", `{"users":[{"name":"Cy","email":"cy@example.com"}]}`).want(207), `{"email":"cy@example.com","is_active":true}`)
		same(w.do(w.admin, "POST", "/api/v2/users/bulk?fields=isActive", `{"users":[{"name":"Di","email":"di@example.com"}]}`).want(207), `{"isActive":true}`)

		post := w.post(w.ada, "Mine", false)
		body := fmt.Sprintf(`{"ids":[%d]}`, post)
		act := func(query string) *answer {
			return w.do(w.ada, "POST", "/api/v1/posts/bulk/publish?"+query, body, "Idempotency-Key", query)
		}
		published := act("fields=id,actions").want(207).
			has(fmt.Sprintf(`"data":{"id":%d,"actions":[`, post)).has(`"name":"archive"`)
		if again := act("fields=id,actions").want(207); again.Raw != published.Raw || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("the repetition: %s", again.Raw)
		}
		act("fields=id,nope").want(400).has(`has no field \"nope\"; allowed: id, `)
		act("expand=author").want(400).has("is not a parameter of this request; allowed: fields, ids")
		act("fields=id&fields=title").want(400).has("is given 2 times")
		act("ids=1&ids=2").want(400).has("is given 2 times")
		w.do(w.ada, "DELETE", "/api/v1/posts/bulk?fields=id", body).want(400).has("allowed: ids, hard")
	})
}
