package codegen_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// driven is a running entwine and who calls it.
type driven struct {
	t     *testing.T
	url   string
	token string
}

func driveSupplier(t *testing.T, binary, database string) {
	dir := t.TempDir()
	env := []string{
		"ENTWINE_DATABASE_URL=" + database, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0",
		"ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_BCRYPT_COST=4",
	}
	admin := &driven{t: t, url: serve(t, binary, env)}
	admin.token = shell(t, dir, env, binary, "token", "admin@example.com")
	shell(t, dir, env, binary, "user", "create", "--password", "password1", "uma@example.com", "Uma")
	user := &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", "uma@example.com")}
	nobody := &driven{t: t, url: admin.url}

	const full = `{"name":"Acme","grade":"gold","certified":true,"employees":12,"score":4.5,"founded_at":"1999-12-31T00:00:00Z",
		"minimum_order":19.99,"labels":["fast","near"],"terms":"net 30"}`
	created := user.rest("POST", "/suppliers", full, 201)
	id := int(created["id"].(float64))
	branch := user.rest("POST", "/suppliers", fmt.Sprintf(`{"name":"Acme North","parent_id":%d}`, id), 201)
	if _, shown := created["margin"]; shown || created["minimum_order"] != 19.99 || created["grade"] != "gold" {
		t.Errorf("created: %v", created)
	}
	admin.rest("PATCH", fmt.Sprintf("/suppliers/%d", id), `{"margin":0.25}`, 200)
	user.rest("PATCH", fmt.Sprintf("/suppliers/%d", id), `{"margin":0.5}`, 403)
	user.rest("POST", "/suppliers", `{"name":"A"}`, 422)
	user.rest("POST", "/suppliers", `{"grade":7}`, 400)
	nobody.rest("POST", "/suppliers", full, 401)
	nobody.rest("GET", "/suppliers", "", 401)
	user.rest("GET", "/suppliers?sort=margin", "", 400)
	for path, want := range map[string]int{
		"/suppliers": 2, "/suppliers?grade=gold": 1, "/suppliers?employees[gte]=10": 1, "/suppliers?labels=near": 1,
		"/suppliers?search=ACME": 2, "/suppliers?sort=-score,name&cursor=": 2, fmt.Sprintf("/suppliers/%d/branches", id): 1,
		fmt.Sprintf("/suppliers?parent=%d", id): 1, "/suppliers?founded_at[lt]=2000-01-01": 1,
		"/search?q=acme&type=suppliers": 2, "/search?q=net+30&type=suppliers": 1, "/search?q=ACME+nor": 1, "/search?q=30+-net": 0,
	} {
		if got := user.list(path); len(got) != want {
			t.Errorf("GET %s: %d items, want %d", path, len(got), want)
		}
	}
	driveKinds(user, admin)
	driveEndings(user)
	shell(t, dir, env, binary, "user", "create", "--password", "password1", "otto@example.com", "Otto")
	driveBadges(user, admin, nobody, &driven{t: t, url: admin.url, token: shell(t, dir, env, binary, "token", "otto@example.com")})
	expanded := user.rest("GET", fmt.Sprintf("/suppliers/%v?expand=parent,manager,branches&fields=name", branch["id"]), "", 200)
	if expanded["parent"].(map[string]any)["name"] != "Acme" || expanded["manager"].(map[string]any)["name"] != "Uma" {
		t.Errorf("expanded: %v", expanded)
	}

	data := user.graphql(`mutation { createSupplier(input: {name: "Beta", employees: 3}) { id name manager { name } } }`)
	global := data["createSupplier"].(map[string]any)["id"].(string)
	data = user.graphql(`query($id: ID!) {
		node(id: $id) { ... on Supplier { name parent { name } } }
		suppliersConnection(first: 2, where: {hasParentWith: [{name: "Acme"}]}, orderBy: [{field: NAME, direction: DESC}]) {
			totalCount pageInfo { hasNextPage } edges { cursor node { name branches { name } parent { branchesConnection { totalCount } } } }
		}
	}`, "id", global)
	if data["node"].(map[string]any)["name"] != "Beta" || data["suppliersConnection"].(map[string]any)["totalCount"] != 1.0 {
		t.Errorf("graphql: %v", data)
	}
	data = user.graphql(`{ searchConnection(query: "bet", types: [suppliers]) { counts { type count } nodes { ... on Supplier { name manager { name } } } } }`)
	if found := data["searchConnection"].(map[string]any)["nodes"].([]any); len(found) != 1 || found[0].(map[string]any)["name"] != "Beta" {
		t.Errorf("search: %v", data)
	}
	data = user.graphql(`{ findSuppliers(text: "BETA") { name } suppliers(page: 2, limit: 1, manager_id: 2) { name } others: suppliers(manager_id: 1) { name } }`)
	if got, _ := json.Marshal(data); string(got) != `{"findSuppliers":[{"name":"Beta"}],"others":[],"suppliers":[{"name":"Acme North"}]}` {
		t.Errorf("queries beside its own: %s", got)
	}
	nobody.rest("GET", "/search?q=acme&type=suppliers", "", 401)
	data = user.graphql(`mutation($id: ID!) { updateSupplier(id: $id, input: {grade: silver}) { grade } deleteSupplier(id: $id) }`, "id", global)
	if data["deleteSupplier"] != true {
		t.Errorf("graphql: %v", data)
	}
	user.rest("DELETE", fmt.Sprintf("/suppliers/%d", id), "", 204)
	user.rest("DELETE", fmt.Sprintf("/suppliers/%d", id), "", 404)

	// Rows of an entity that no line of the seeder knows.
	told := shell(t, dir, env, binary, "seed", "--users=5", "--posts=0", "--comments=0", "--products=0", "--rows=suppliers=40", "--rows=contract=20")
	if !strings.Contains(told, "40 suppliers") || !strings.Contains(told, "20 contract") {
		t.Errorf("entwine seed says %s", told)
	}
	invented := user.list("/suppliers?limit=100&sort=-id&fields=name,grade,employees,reference,currency,labels,attributes,branches_of,manager_id")
	if len(invented) != 41 {
		t.Errorf("%d suppliers are there, want 40 that were invented and one branch", len(invented))
	}
	grades := map[any]bool{}
	for _, item := range invented[:min(40, len(invented))] {
		row := item.(map[string]any)
		grades[row["grade"]] = true
		employees, isNumber := row["employees"].(float64)
		if name := row["name"].(string); len(name) < 2 || len(name) > 60 || isNumber && (employees < 1 || employees > 1_000_000) || row["currency"] != "USD" || len(row["labels"].([]any)) > 10 {
			t.Errorf("invented: %v", row)
		}
	}
	if len(grades) != 3 {
		t.Errorf("grades: %v", grades)
	}
	if len(invented) == 0 {
		return
	}
	if found := user.list("/suppliers?search=" + url.QueryEscape(invented[0].(map[string]any)["name"].(string))); len(found) == 0 {
		t.Error("what was invented is not found")
	}
	driveTopics(user, admin, nobody)
}

// driveKinds writes and reads fields of UUIDs, JSON and bytes.
func driveKinds(user, admin *driven) {
	t := user.t
	const reference, upper = "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d", "0191F6AE-7E3C-7B5A-9C1E-2F8D4B6A0C3D"
	made := user.rest("POST", "/suppliers", `{"name":"Kinds","reference":"`+upper+`","attributes":{"a":[1,null,"<é>"],"big":12345678901},
		"branches_of":[{"city":"Oslo","desks":3}],"logo":"AP8Q"}`, 201)
	path := fmt.Sprintf("/suppliers/%v", made["id"])
	shows := func(what string, item map[string]any, name, want string) {
		t.Helper()
		if got, _ := json.Marshal(item[name]); string(got) != want {
			t.Errorf("%s: %s is %s, want %s", what, name, got, want)
		}
	}
	for name, want := range map[string]string{
		"reference": `"` + reference + `"`, "attributes": `{"a":[1,null,"\u003cé\u003e"],"big":12345678901}`,
		"branches_of": `[{"city":"Oslo","desks":3}]`, "logo": `"AP8Q"`, "document": "null",
	} {
		shows("created", made, name, want)
		shows("read", user.rest("GET", path, "", 200), name, want)
	}
	for query, want := range map[string]int{
		"reference=" + upper: 1, "reference=" + strings.Replace(reference, "0191", "0192", 1): 0, "reference[in]=" + reference: 1, "sort=reference": 3, "sort=-reference&cursor=": 3,
	} {
		if got := user.list("/suppliers?" + query); len(got) != want {
			t.Errorf("GET /suppliers?%s: %d items, want %d", query, len(got), want)
		}
	}
	user.rest("GET", "/suppliers?reference=7", "", 400)
	for body, status := range map[string]int{
		`{"reference":"7"}`: 400, `{"logo":"***"}`: 400, `{"logo":"AAAAAAAAAAAAAAAA"}`: 422, `{"attributes":{"a":"` + strings.Repeat("x", 200) + `"}}`: 422,
		`{"attributes":[1]}`: 400, `{"attributes":{"a":"\u0000"}}`: 400, `{"attributes":{"a":1e999}}`: 400, `{"branches_of":[{"town":"Oslo"}]}`: 400,
		`{"branches_of":null}`: 400, `{"attributes":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`: 400, `{"document":{"a":1}}`: 403,
	} {
		user.rest("PATCH", path, body, status)
	}
	admin.rest("PATCH", path, `{"document":[{"a":1.50},"x"]}`, 200)
	before := user.rest("GET", path, "", 200)
	shows("by an admin", before, "document", `[{"a":1.5},"x"]`)
	same := user.rest("PATCH", path, `{"logo":"AP8Q","reference":"`+upper+`","branches_of":[{"city":"Oslo","desks":3}],"document":[{"a":1.50},"x"]}`, 200)
	if same["version"] != before["version"] {
		t.Errorf("what is the same is a change: version %v after %v", same["version"], before["version"])
	}
	cleared := user.rest("PATCH", path, `{"reference":null,"attributes":null,"logo":null}`, 200)
	for _, name := range []string{"reference", "attributes", "logo"} {
		shows("cleared", cleared, name, "null")
	}
	for accept, want := range map[string]string{"text/csv": "Oslo", "application/xml": "<city>Oslo</city>"} {
		if got := user.text("/suppliers?search=Kinds&fields=id,branches_of,reference,logo", accept); !strings.Contains(got, want) {
			t.Errorf("%s: %s", accept, got)
		}
	}

	data := user.graphql(`mutation { createSupplier(input: {name: "Graph", reference: "` + upper + `", attributes: {a: [1, "x"]}, branchesOf: [{city: "Bergen"}], logo: "AP8Q"}) {
		id reference attributes branchesOf logo document } }`)
	item := data["createSupplier"].(map[string]any)
	for name, want := range map[string]string{
		"reference": `"` + reference + `"`, "attributes": `{"a":[1,"x"]}`, "branchesOf": `[{"city":"Bergen"}]`, "logo": `"AP8Q"`, "document": "null",
	} {
		shows("graphql", item, name, want)
	}
	id := item["id"].(string)
	data = user.graphql(`{ suppliersConnection(where: {reference: "` + upper + `"}) { totalCount } }`)
	if data["suppliersConnection"].(map[string]any)["totalCount"] != 1.0 {
		t.Errorf("by reference: %v", data)
	}
	for _, input := range []string{`reference: "7"`, `logo: "***"`, `attributes: "text"`, `attributes: {a: "\u0000"}`, `branchesOf: [{town: "Oslo"}]`, `branchesOf: null`, `logo: "AAAAAAAAAAAAAAAA"`, `document: 1`} {
		if _, answer := user.send("POST", "/graphql", encoded(`mutation { updateSupplier(id: "`+id+`", input: {`+input+`}) { id } }`)); !strings.Contains(string(answer), `"errors"`) || strings.Contains(string(answer), "INTERNAL") {
			t.Errorf("%s: %s", input, answer)
		}
	}
	data = user.graphql(`mutation { updateSupplier(id: "` + id + `", input: {reference: null, attributes: {b: true}, logo: null}) { reference attributes logo } }`)
	shows("graphql, changed", data["updateSupplier"].(map[string]any), "attributes", `{"b":true}`)
	shows("graphql, changed", data["updateSupplier"].(map[string]any), "logo", "null")
	user.graphql(`mutation { deleteSupplier(id: "` + id + `") }`)

	// One for each, with fields that are required.
	user.rest("GET", path+"/contract", "", 404)
	user.rest("PATCH", path+"/contract", `{"years":2}`, 400)
	user.rest("PUT", path+"/contract", `{"title":"Steel"}`, 400)
	user.rest("PUT", path+"/contract", `{"title":"","number":"`+reference+`"}`, 422)
	shows("one for each", user.rest("PUT", path+"/contract", `{"title":"Steel","number":"`+reference+`"}`, 201), "years", "1")
	shows("one for each", user.rest("PATCH", path+"/contract", `{"years":5}`, 200), "title", `"Steel"`)
	user.rest("DELETE", path, "", 204)
}

func encoded(query string) string {
	body, _ := json.Marshal(map[string]string{"query": query}) // texts always encode
	return string(body)
}

// text reads a path in a form.
func (d *driven) text(path, accept string) string {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), "GET", d.url+"/api/v1"+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("Authorization", "Bearer "+d.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		d.t.Errorf("GET %s: %d %v\n%s", path, resp.StatusCode, err, answer)
	}
	return string(answer)
}

var printedAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve runs entwine until the test ends and returns the address it prints.
func serve(t *testing.T, binary string, env []string) string {
	t.Helper()
	cmd := exec.Command(binary, "serve")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url := printedAddress.FindString(lines.Text()); url != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return url
		}
	}
	t.Fatal("entwine serve printed no address")
	return ""
}

func (d *driven) send(method, path, body string) (int, []byte) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if d.token != "" {
		r.Header.Set("Authorization", "Bearer "+d.token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// rest calls REST and returns the item of the answer.
func (d *driven) rest(method, path, body string, want int) map[string]any {
	d.t.Helper()
	status, answer := d.send(method, "/api/v1"+path, body)
	if status != want {
		d.t.Errorf("%s %s: %d, want %d\n%s", method, path, status, want, answer)
	}
	var envelope struct {
		Data map[string]any `json:"data"`
	}
	_ = json.Unmarshal(answer, &envelope)
	return envelope.Data
}

func (d *driven) list(path string) []any {
	d.t.Helper()
	status, answer := d.send("GET", "/api/v1"+path, "")
	var envelope struct {
		Data []any `json:"data"`
	}
	if err := json.Unmarshal(answer, &envelope); err != nil || status != 200 {
		d.t.Errorf("GET %s: %d %v\n%s", path, status, err, answer)
	}
	return envelope.Data
}

// graphql calls GraphQL and returns the data of an answer without errors.
func (d *driven) graphql(query string, variables ...string) map[string]any {
	d.t.Helper()
	values := map[string]string{}
	for i := 0; i < len(variables); i += 2 {
		values[variables[i]] = variables[i+1]
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": values})
	if err != nil {
		d.t.Fatal(err)
	}
	status, answer := d.send("POST", "/graphql", string(body))
	var response struct {
		Data   map[string]any    `json:"data"`
		Errors []json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(answer, &response); err != nil || status != 200 || len(response.Errors) > 0 {
		d.t.Fatalf("%s: %d %v\n%s", query, status, err, answer)
	}
	return response.Data
}
