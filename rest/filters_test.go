package rest_test

import (
	"strings"
	"testing"
)

func TestAnEmptyFilterSaysWhatIsWrong(t *testing.T) {
	each(t, func(w *world) {
		roles := "user, admin, editor, developer, senior_developer, lead_developer, moderator"
		for query, want := range map[string]string{
			"/users?role=":        "is empty: must be one of " + roles,
			"/users?role[in]=":    "is empty: one value is needed, or several with commas between them; allowed: " + roles,
			"/users?id[in]=":      "is empty: one value is needed, or several with commas between them",
			"/users?id[in]=1,,2":  "has nothing at place 2 of the list: one value is needed between two commas",
			"/users?created_at=":  "is empty: must be a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31",
			"/products?tags=":     "is empty: one value is needed, or several with commas between them",
			"/products?tags[in]=": "is empty: one value is needed, or several with commas between them",
		} {
			name, _, _ := strings.Cut(query[strings.Index(query, "?")+1:], "=")
			if got := w.do(w.admin, "GET", "/api/v1"+query, "").want(400).details()[name]; got != want {
				t.Errorf("GET %s: %q, want %q", query, got, want)
			}
		}
		w.do(w.admin, "GET", "/api/v1/users?name=", "").want(200) // an empty text is a text
	})
}

// A value of a list can have a comma, and lists of texts have one form on both
// databases, in JSON and in the cells of CSV.
func TestATagWithACommaIsFound(t *testing.T) {
	each(t, func(w *world) {
		for name, tags := range map[string]string{"Lamp": `["red, warm","b"]`, "Chair": `["red"," warm"]`, "Desk": `["a\\b","say \"x, y\""]`} {
			w.do(w.admin, "POST", "/api/v1/products", `{"name":"`+name+`","price":1,"tags":`+tags+`}`).want(201)
		}
		for query, want := range map[string]string{
			`tags=red%5C,%20warm`: "Lamp", `tags=red%5C%2C%20warm,none`: "Lamp", `tags[in]=red%5C,%20warm`: "Lamp",
			`tags=red,%20warm`: "Chair", `tags=red%2C%20warm`: "Chair", `tags=a%5C%5Cb`: "Desk", `tags=a%5Cb`: "Desk", `tags=b`: "Lamp", `tags=red`: "Chair",
		} {
			all := w.do(nil, "GET", "/api/v1/products?fields=name&"+query, "").want(200).list()
			if len(all) != 1 || all[0]["name"] != want {
				t.Errorf("%s: %v, want %s", query, all, want)
			}
		}
		if got, want := w.do(nil, "GET", "/api/v1/products?fields=name,tags&sort=name&limit=all", "", "Accept", "text/csv").want(200).Raw,
			"name,tags\r\nChair,\"[\"\"red\"\",\"\" warm\"\"]\"\r\nDesk,\"[\"\"a\\\\b\"\",\"\"say \\\"\"x, y\\\"\"\"\"]\"\r\nLamp,\"[\"\"red, warm\"\",\"\"b\"\"]\"\r\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if a := w.do(nil, "GET", "/api/v1/products?fields=tags&name=Lamp", "").want(200); !strings.Contains(a.Raw, `"tags":["red, warm","b"]`) {
			t.Error(a.Raw)
		}
	})
}
