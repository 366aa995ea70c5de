package codegen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// driveDay asks both APIs for what ten changes of a day have left.
func driveDay(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	admin := &driven{t: t, url: serve(t, binary, env)}
	shell(t, dir, env, binary, "user", "create", "--role", "admin", "--password", "password1", "eve@example.com", "Eve") // a database with users gets no first admin
	admin.token = shell(t, dir, env, binary, "token", "eve@example.com")
	ada := &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", "ada@example.com")}
	nobody := &driven{t: t, url: admin.url}

	shows := func(what string, got any, want string) {
		t.Helper()
		if text, _ := json.Marshal(got); string(text) != want { // answers always encode
			t.Errorf("%s: %s, want %s", what, text, want)
		}
	}
	// The rows that went through all changes, as each caller reads them.
	for path, want := range map[string]string{
		"/vendors?sort=name&fields=name,grade,conditions,labels,parent_id":             `[{"conditions":"Net 30","grade":"first","labels":["fast"],"name":"Acme","parent_id":null},{"conditions":"Cash","grade":"third","labels":[],"name":"Beta","parent_id":1}]`,
		"/vendors?grade=first&fields=name":                                             `[{"name":"Acme"}]`,
		"/vendors?labels=fast&fields=name":                                             `[{"name":"Acme"}]`,
		"/vendors?search=CASH&fields=name":                                             `[{"name":"Beta"}]`,
		"/vendors?parent=1&fields=name":                                                `[{"name":"Beta"}]`,
		"/vendors/1/branches?fields=name":                                              `[{"name":"Beta"}]`,
		"/posts?language=en&sort=title&fields=language,title":                          `[{"language":"en","title":"One"},{"language":"en","title":"Two"}]`,
		"/comments?search=alors&fields=text":                                           `[{"text":"Ça ALORS"}]`,
		"/users?sort=-posts_count,id&fields=name,posts_count":                          `[{"name":"Ada","posts_count":1},{"name":"Bob","posts_count":0},{"name":"Eve","posts_count":0}]`,
		"/vendors?sort=name&fields=name&expand=categories,manager,parent&grade=silver": `[]`,
	} {
		shows("GET "+path, admin.list(path), want)
	}
	for path, want := range map[string]int{
		"/search?q=acme&type=vendors": 1, "/search?q=net+30&type=vendors": 1, "/search?q=cash": 1, "/search?q=alors&type=comments": 1, "/search?q=two&type=posts": 1,
	} {
		if got := admin.list(path); len(got) != want {
			t.Errorf("GET %s: %d items, want %d", path, len(got), want)
		}
	}
	expanded := admin.rest("GET", "/vendors/1?expand=categories,manager,branches", "", 200)
	for name, want := range map[string]string{"categories": "tools", "manager": "Ada", "branches": "Beta"} {
		if text, _ := json.Marshal(expanded[name]); !strings.Contains(string(text), `"name":"`+want+`"`) {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
	}
	if _, has := expanded["employees"]; has {
		t.Errorf("what was removed is shown: %v", expanded)
	}
	for path, want := range map[string]int{"/suppliers": 200, "/vendors?grade=gold": 200, "/vendors?grade=platinum": 400, "/vendors?terms=x": 400, "/vendors?sort=employees": 400} {
		admin.rest("GET", path, "", want)
	}
	// The narrower policy.
	for _, path := range []string{"/vendors/1", "/vendors", "/search?q=acme&type=vendors"} {
		ada.rest("GET", path, "", 403)
	}
	shows("posts that anybody reads", nobody.list("/posts?language=en&fields=title"), `[{"title":"One"}]`)

	data := admin.graphql(`{
		vendorsConnection(first: 1, orderBy: [{field: NAME}], where: {hasParentWith: [{name: "Acme"}]}) { totalCount nodes { name grade conditions parent { name grade categories { name } } } }
		all: vendorsConnection(first: 1) { totalCount }
		searchConnection(first: 1, query: "net 30", types: [vendors]) { counts { type count } nodes { ... on Vendor { name manager { name postsCount } } } }
		commentsConnection(first: 1, where: {textContainsFold: "ALORS"}) { totalCount }
		postsConnection(first: 1, where: {language: "en"}) { totalCount }
	}`)
	for name, want := range map[string]string{
		"vendorsConnection":  `{"nodes":[{"conditions":"Cash","grade":"third","name":"Beta","parent":{"categories":[{"name":"tools"}],"grade":"first","name":"Acme"}}],"totalCount":1}`,
		"all":                `{"totalCount":2}`,
		"searchConnection":   `{"counts":[{"count":1,"type":"vendors"}],"nodes":[{"manager":{"name":"Ada","postsCount":1},"name":"Acme"}]}`,
		"commentsConnection": `{"totalCount":1}`,
		"postsConnection":    `{"totalCount":2}`,
	} {
		shows(name, data[name], want)
	}

	// More rows: the ids go on, what is required is, counts and searches follow.
	made := admin.rest("POST", "/vendors", `{"name":"Gamma","conditions":"Barter","parent_id":1}`, 201)
	shows("the id of another vendor", made["id"], "3")
	shows("its grade", made["grade"], `"third"`)
	admin.rest("PATCH", "/vendors/3", `{"grade":"silver"}`, 200)
	admin.rest("POST", "/vendors", `{"name":"Delta","grade":"platinum"}`, 422)
	shows("branches", len(admin.list("/vendors/1/branches")), "2")
	shows("what is found of it", len(admin.list("/search?q=barter&type=vendors")), "1")
	ada.rest("POST", "/posts", `{"title":"Three","content":"Third","published":true}`, 400)
	ada.rest("POST", "/posts", `{"title":"Three","content":"Third","published":true,"language":"fr"}`, 201)
	ada.rest("POST", "/posts/2/publish", "", 200)
	shows("Ada's posts", admin.rest("GET", "/users/1", "", 200)["posts_count"], "3")
	comment := ada.rest("POST", "/posts/1/comments", `{"text":"Et VOILÀ"}`, 201)
	shows("what is found of comments", len(ada.list("/search?q=voil%C3%A0&type=comments")), "1")
	ada.rest("DELETE", fmt.Sprintf("/comments/%v", comment["id"]), "", 204)
	shows("what is found of none", len(ada.list("/search?q=voil%C3%A0&type=comments")), "0")
	admin.rest("DELETE", "/vendors/1", "", 204)
	shows("vendors", len(admin.list("/vendors")), "2")
}
