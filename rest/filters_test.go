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
