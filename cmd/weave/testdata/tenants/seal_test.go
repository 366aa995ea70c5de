package main

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Rows of tenants whose ids are no integers are apart, too.
func TestTenantsWithOtherIDsAreApart(t *testing.T) {
	each(t, func(w *world) {
		var first struct{ Token string }
		if err := json.Unmarshal([]byte(w.wants("Ada", "GET", "/api/v1/changes?entity=seals", "", 200)), &first); err != nil {
			w.Fatal(err)
		}
		made := func(who, name string) string {
			var answer struct{ Data struct{ ID string } }
			if err := json.Unmarshal([]byte(w.wants(who, "POST", "/api/v1/seals", fmt.Sprintf(`{"name":%q}`, name), 201)), &answer); err != nil || answer.Data.ID == "" {
				w.Fatalf("a seal of %s: %v", who, err)
			}
			return "/api/v1/seals/" + answer.Data.ID
		}
		ours, theirs := made("Ada", "Wax"), made("Canary", "wax")
		w.wants("Ada", "POST", "/api/v1/seals", `{"name":"WAX"}`, 409)
		w.wants("Ada", "GET", "/api/v1/seals", "", 200, `"total":1`, `"org_id":1`)
		w.wants("Canary", "GET", "/api/v1/seals", "", 200, `"total":1`, `"org_id":2`)
		w.wants("Ada", "GET", theirs, "", 404)
		w.wants("Ada", "PATCH", theirs, `{"name":"Lead"}`, 404)
		w.wants("Ada", "DELETE", theirs, "", 404)
		w.wants("Ada", "PATCH", ours, fmt.Sprintf(`{"note_id":%d}`, w.one(`SELECT min(id) FROM notes WHERE org_id = 2`)), 422, `"field":"note_id"`)
		w.wants("Ada", "PATCH", ours, fmt.Sprintf(`{"note_id":%d}`, w.one(`SELECT min(id) FROM notes WHERE org_id = 1`)), 200)
		w.graphql("Ada", `{ sealsConnection { totalCount nodes { name } } }`, `{"totalCount":1,"nodes":[{"name":"Wax"}]}`)
		w.wants("Ada", "GET", "/api/v1/changes?entity=seals&since="+first.Token, "", 200, `"name":"Wax"`, `"has_more":false`)
	})
}
