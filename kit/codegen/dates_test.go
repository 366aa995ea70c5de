package codegen_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// driveDates writes, reads, filters, sorts and walks suppliers by a day without a
// time, in both APIs, and has rows of them invented.
func driveDates(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	admin := &driven{t: t, url: serve(t, binary, env)}
	shell(t, dir, env, binary, "user", "create", "--password", "password1", "uma@example.com", "Uma")
	user := &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", "uma@example.com")}
	for _, body := range []string{
		`{"name":"North Ltd","due_on":"2026-11-26"}`, `{"name":"South Ltd","due_on":"0001-01-01"}`,
		`{"name":"East Ltd","due_on":"9999-12-31"}`, `{"name":"Nowhere Ltd"}`, `{"name":"West Ltd","due_on":"2026-02-28"}`,
	} {
		user.rest("POST", "/suppliers", body, 201)
	}
	for _, day := range []string{`"2026-02-30"`, `"2026-11-26T00:00:00Z"`, `"26.11.2026"`, `"0000-01-01"`, `""`, `20261126`} {
		if status, text := user.send("POST", "/api/v1/suppliers", `{"name":"Bad Ltd","due_on":`+day+`}`); status < 400 || status >= 500 || !strings.Contains(string(text), "due_on") {
			t.Errorf("due_on %s: %d %s", day, status, text)
		}
	}
	for query, want := range map[string][]string{
		"due_on=2026-11-26":                                      {"North"},
		"due_on[in]=2026-11-26,0001-01-01&sort=due_on":           {"South", "North"},
		"due_on[gte]=2026-02-28&due_on[lt]=9999-12-31&sort=name": {"North", "West"},
		"due_on[gt]=2026-02-28&sort=-due_on":                     {"East", "North"},
		"sort=due_on":                                            {"South", "West", "North", "East", "Nowhere"},
		"sort=-due_on":                                           {"East", "North", "West", "South", "Nowhere"},
	} {
		if got := names(user.list("/suppliers?" + query)); !slices.Equal(got, want) {
			t.Errorf("GET /suppliers?%s: %v, want %v", query, got, want)
		}
	}
	if status, text := user.send("GET", "/api/v1/suppliers?due_on=2026-02-30", ""); status != 400 || !strings.Contains(string(text), "must be a date such as") {
		t.Errorf("a day that is none: %d %s", status, text)
	}
	var walked []string
	for cursor := ""; ; {
		page := user.graphql(`query($after: Cursor) { suppliersConnection(first: 2, after: $after, orderBy: {field: DUE_ON, direction: DESC}) { pageInfo { hasNextPage endCursor } nodes { name dueOn } } }`,
			cursorVariables(cursor)...)["suppliersConnection"].(map[string]any)
		for _, node := range page["nodes"].([]any) {
			walked = append(walked, fmt.Sprint(node.(map[string]any)["dueOn"]))
		}
		info := page["pageInfo"].(map[string]any)
		if info["hasNextPage"] != true {
			break
		}
		cursor = info["endCursor"].(string)
	}
	if want := []string{"9999-12-31", "2026-11-26", "2026-02-28", "0001-01-01", "<nil>"}; !slices.Equal(walked, want) {
		t.Errorf("pages of the connection: %v, want %v", walked, want)
	}
	found, _ := json.Marshal(user.graphql(`{ suppliersConnection(where: {dueOnGT: "2026-02-28", dueOnLT: "9999-12-31"}) { nodes { name } } }`))
	if want := `{"suppliersConnection":{"nodes":[{"name":"North Ltd"}]}}`; string(found) != want {
		t.Errorf("a filter in GraphQL: %s, want %s", found, want)
	}
	north := fmt.Sprintf("/suppliers/%v", user.list("/suppliers?name=" + url.QueryEscape("North Ltd") + "&fields=id")[0].(map[string]any)["id"])
	if item := user.rest("PATCH", north, `{"due_on":"2027-01-01"}`, 200); item["due_on"] != "2027-01-01" {
		t.Errorf("PATCH: %v", item["due_on"])
	}
	if item := user.rest("PATCH", north, `{"due_on":null}`, 200); item["due_on"] != nil {
		t.Errorf("PATCH of null: %v", item["due_on"])
	}
	if text := user.text("/suppliers?sort=due_on&limit=1&fields=name,due_on", "text/csv"); !strings.Contains(text, "South Ltd,0001-01-01") {
		t.Errorf("CSV: %s", text)
	}
	if text := user.text("/suppliers?sort=due_on&limit=1&fields=name,due_on", "application/xml"); !strings.Contains(text, ">0001-01-01<") {
		t.Errorf("XML: %s", text)
	}
	shell(t, dir, env, binary, "seed", "--users=5", "--posts=0", "--comments=0", "--products=0", "--rows=suppliers=20")
	if invented := user.list("/suppliers?due_on[gte]=2000-01-01&due_on[lt]=9999-12-31"); len(invented) < 3 {
		t.Errorf("of 20 invented suppliers and one there are %d with a day", len(invented))
	}
}

// cursorVariables are those of a page after the cursor.
func cursorVariables(cursor string) []string {
	if cursor == "" {
		return nil
	}
	return []string{"after", cursor}
}
