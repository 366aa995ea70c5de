package codegen_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// driveBadges attaches and detaches the rows of an edge of many to many, in both
// APIs, by nothing but expose.Attached in the schema. The supplier is the user's.
func driveBadges(user, admin, nobody, other *driven) {
	t := user.t
	badge := func(name string, secret bool) int {
		return int(admin.rest("POST", "/badges", fmt.Sprintf(`{"name":%q,"secret":%v}`, name, secret), 201)["id"].(float64))
	}
	green, fair, secret := badge("Green", false), badge("Fair", false), badge("Secret", true)
	made := user.rest("POST", "/suppliers", fmt.Sprintf(`{"name":"Badged","badge_ids":[%d,%d,%d]}`, fair, green, fair), 201)
	id := int(made["id"].(float64))
	path := fmt.Sprintf("/suppliers/%d", id)
	version := 1.0
	// expect compares what is attached and the version, which moved if it was to.
	expect := func(what string, moved bool, badges ...int) {
		t.Helper()
		item := admin.rest("GET", path+"?expand=badges", "", 200)
		if moved {
			version++
		}
		got := ends(item)
		slices.Sort(badges)
		if !slices.Equal(got, badges) || item["version"] != version {
			t.Errorf("%s: %v is attached at version %v, want %v at %v", what, got, item["version"], badges, version)
			version = item["version"].(float64)
		}
	}
	expect("created", false, green, fair)

	// One at a time.
	one := func(id int) string { return fmt.Sprintf("%s/badges/%d", path, id) }
	user.rest("PUT", one(fair), "", 200)
	expect("attached again", false, green, fair)
	user.rest("DELETE", one(fair), "", 204)
	expect("detached", true, green)
	user.rest("DELETE", one(fair), "", 204)
	expect("detached again", false, green)
	user.rest("GET", one(fair), "", 410) // to read one has ended, as the entity declares
	if got := user.rest("PUT", one(fair)+"?fields=id,version&expand=badges", "", 201); got["version"] != version+1 || len(ends(got)) != 2 {
		t.Errorf("attached: %v", got)
	}
	expect("attached", true, green, fair)
	user.rest("GET", one(fair), "", 410)
	for _, c := range []struct {
		who    *driven
		path   string
		status int
	}{
		{nobody, one(fair), 401}, {other, one(fair), 403}, {user, one(secret), 404}, {user, one(99999), 404}, {user, one(0), 400},
		{user, fmt.Sprintf("/suppliers/99999/badges/%d", fair), 404}, {user, one(fair) + "?hard=true", 400},
	} {
		c.who.rest("PUT", c.path, "", c.status)
		c.who.rest("DELETE", c.path, "", c.status)
	}
	expect("refused", false, green, fair)
	stale, fresh := fmt.Sprintf(`"%v"`, version-1), fmt.Sprintf(`"%v"`, version)
	for _, c := range []struct {
		method, path, body, header, value string
		status                            int
	}{
		{"DELETE", one(fair), "", "If-Match", stale, 412}, {"PUT", one(fair), "", "If-Match", stale, 412},
		{"PATCH", path, `{"badge_ids":[]}`, "If-Match", stale, 412}, {"PUT", one(fair), "", "If-None-Match", "*", 412},
		{"PUT", one(fair), "", "If-Match", fresh, 200}, {"DELETE", one(fair), "", "If-Match", fresh, 204},
	} {
		if got := user.conditional(c.method, c.path, c.body, c.header, c.value); got != c.status {
			t.Errorf("%s %s with %s: %s: %d, want %d", c.method, c.path, c.header, c.value, got, c.status)
		}
	}
	expect("detached as expected", true, green)
	if got := user.conditional("PUT", one(fair), "", "If-None-Match", "*"); got != 201 {
		t.Errorf("attached where it was not: %d", got)
	}
	expect("attached where it was not", true, green, fair)

	// All of them, in bodies.
	admin.rest("PUT", one(secret), "", 201)
	expect("attached by an admin", true, green, fair, secret)
	body := func(ids ...int) string {
		text, _ := json.Marshal(map[string]any{"badge_ids": append([]int{}, ids...)}) // numbers always encode
		return string(text)
	}
	user.rest("PATCH", path, body(fair, green), 200)
	expect("set to the same", false, green, fair, secret)
	user.rest("PATCH", path, body(green), 200)
	expect("set to one: what the user can't read stays", true, green, secret)
	user.rest("PATCH", path, fmt.Sprintf(`{"name":"Badged","badge_ids":[%d]}`, green), 200)
	expect("nothing new", false, green, secret)
	user.rest("PATCH", path, fmt.Sprintf(`{"name":"Badged twice","badge_ids":[%d]}`, green), 200)
	expect("a new name", true, green, secret)
	user.rest("PATCH", path, fmt.Sprintf(`{"name":"Badged","badge_ids":[%d,%d]}`, fair, green), 200)
	expect("a new name and a badge", true, green, fair, secret)
	user.rest("PATCH", path, `{"grade":"gold"}`, 200)
	expect("not named in a PATCH", true, green, fair, secret)
	user.rest("PUT", path, `{"name":"Badged"}`, 200)
	expect("not named in a PUT", true, secret)
	user.rest("PUT", path, fmt.Sprintf(`{"name":"Badged","badge_ids":[%d]}`, fair), 200)
	expect("named in a PUT", true, fair, secret)
	many := make([]int, 101)
	for i := range many {
		many[i] = fair
	}
	for text, want := range map[string]string{
		`{"badge_ids":null}`: `400 badge_ids`,
		`{"badge_ids":7}`:    `400 badge_ids`,
		`{"badge_ids":[0]}`:  `422 badge_ids[0]`,
		fmt.Sprintf(`{"badge_ids":["a",%d,null,99999,%d]}`, green, secret): `400 badge_ids[0] badge_ids[2] badge_ids[3] badge_ids[4]`,
		fmt.Sprintf(`{"name":"","badge_ids":[99999,%d]}`, secret):          `422 badge_ids[0] badge_ids[1] name`,
		body(many...):           `422 badge_ids`,
		`{"add_badge_ids":[1]}`: `400 add_badge_ids`,
		`{"":[1]}`:              `400 `,
	} {
		if got := user.findings("PATCH", path, text); got != want {
			t.Errorf("PATCH %.80s: %s, want %s", text, got, want)
		}
		if !strings.Contains(text, "null}") && !strings.Contains(text, `"name"`) {
			if got := user.findings("POST", "/suppliers", `{"name":"None",`+text[1:]); got != want {
				t.Errorf("POST %.80s: %s, want %s", text, got, want)
			}
		}
	}
	expect("refused", false, fair, secret)
	if got := ends(user.rest("POST", "/suppliers?expand=badges", `{"name":"Bare","badge_ids":null}`, 201)); len(got) != 0 {
		t.Errorf("created without: %v", got)
	}
	other.rest("PATCH", path, body(green), 403)
	nobody.rest("PATCH", path, body(green), 401)

	// Listings filter by them.
	for query, want := range map[string]int{
		fmt.Sprintf("badges=%d", fair): 1, fmt.Sprintf("badges=%d,%d", green, fair): 1, fmt.Sprintf("badges=%d", green): 0,
		fmt.Sprintf("badges=%d", secret): 0, fmt.Sprintf("badges=%d&name=Acme", fair): 0,
	} {
		if got := user.list("/suppliers?" + query); len(got) != want {
			t.Errorf("GET /suppliers?%s: %d items, want %d", query, len(got), want)
		}
	}
	if got := admin.list(fmt.Sprintf("/suppliers?badges=%d", secret)); len(got) != 1 {
		t.Errorf("an admin finds %d suppliers by a badge that only admins see", len(got))
	}
	for _, query := range []string{"badges=", "badges=a", "badges=1,,2", "badges=1&badges=2", "badges=1" + strings.Repeat(",1", 100)} {
		user.rest("GET", "/suppliers?"+query, "", 400)
	}
	driveBadgesInGraphQL(user, expect, id, green, fair, secret, &version)

	// The first request attaches it; nothing is attached twice.
	admin.rest("DELETE", one(green), "", 204)
	expect("detached", true, fair, secret)
	var all sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		all.Go(func() { statuses[i], _ = user.send("PUT", "/api/v1"+one(green), "") })
	}
	all.Wait()
	slices.Sort(statuses)
	if !slices.Equal(statuses, []int{200, 200, 200, 200, 200, 200, 200, 201}) {
		t.Errorf("attached by eight at once: %v", statuses)
	}
	expect("attached at once", true, green, fair, secret)
	admin.rest("DELETE", fmt.Sprintf("/badges/%d", green), "", 204)
	expect("the badge is gone", false, fair, secret)

	_, document := nobody.send("GET", "/api/v1/openapi", "")
	for _, name := range []string{"attachBadgeToSupplier", "detachBadgeFromSupplier", `"badge_ids"`, `Supplier.badges`} {
		if !strings.Contains(string(document), name) {
			t.Errorf("the document does not tell of %s", name)
		}
	}
	user.rest("DELETE", path, "", 204)
	user.rest("PUT", one(fair), "", 404)
	for _, item := range user.list("/suppliers?search=Bare&fields=id") {
		user.rest("DELETE", fmt.Sprintf("/suppliers/%v", item.(map[string]any)["id"]), "", 204)
	}
}

func driveBadgesInGraphQL(user *driven, expect func(string, bool, ...int), id, green, fair, secret int, version *float64) {
	t := user.t
	update := func(input string) string {
		return fmt.Sprintf(`mutation { updateSupplier(id: "%d", input: {%s}) { version badges { name } } }`, id, input)
	}
	user.graphql(update(fmt.Sprintf(`addBadgeIds: ["%d"], removeBadgeIds: ["%d"]`, green, fair)))
	expect("graphql: one more and one less", true, green, secret)
	user.graphql(update(fmt.Sprintf(`addBadgeIds: ["%d"], removeBadgeIds: ["%d"]`, green, fair)))
	expect("graphql: the same again", false, green, secret)
	user.graphql(update(fmt.Sprintf(`badgeIDs: ["%d", "%d"]`, fair, green))) // by the name of before
	expect("graphql: set", true, green, fair, secret)
	data := user.graphql(fmt.Sprintf(`mutation { createSupplier(input: {name: "Graph badges", badgeIds: ["%d"]}) { id badges { id name } } }`, fair))
	made := data["createSupplier"].(map[string]any)
	if list := made["badges"].([]any); len(list) != 1 || list[0].(map[string]any)["name"] != "Fair" {
		t.Errorf("graphql: created: %v", made)
	}
	global := made["badges"].([]any)[0].(map[string]any)["id"].(string)
	user.graphql(`mutation($id: ID!, $badge: ID!) { updateSupplier(id: $id, input: {removeBadgeIds: [$badge]}) { id } deleteSupplier(id: $id) }`, "id", made["id"].(string), "badge", global)
	data = user.graphql(`{ suppliersConnection(where: {hasBadgesWith: [{name: "Green"}]}) { nodes { name } } }`)
	if nodes := data["suppliersConnection"].(map[string]any)["nodes"].([]any); len(nodes) != 1 {
		t.Errorf("graphql: found by a badge: %v", nodes)
	}
	for input, want := range map[string]string{
		fmt.Sprintf(`badgeIds: ["%d"], addBadgeIds: ["%d"]`, fair, fair):       "input.addBadgeIds",
		fmt.Sprintf(`addBadgeIds: ["%d"], removeBadgeIds: ["%d"]`, fair, fair): "input.removeBadgeIds[0]",
		fmt.Sprintf(`addBadgeIds: ["%d", "99999"]`, secret):                    "input.addBadgeIds[0] input.addBadgeIds[1]",
		`removeBadgeIds: ["x"]`: "input.removeBadgeIds[0]",
		`badgeIds: null`:        "input.badgeIds",
		`addBadgeIds: ["1"` + strings.Repeat(`, "1"`, 100) + `]`: "input.addBadgeIds",
		`addBadgeIds: ["` + fmt.Sprint(fair) + `"` + strings.Repeat(fmt.Sprintf(`, "%d"`, fair), 60) + `], removeBadgeIds: ["` + fmt.Sprint(green) + `"` + strings.Repeat(fmt.Sprintf(`, "%d"`, green), 60) + `]`: "input.removeBadgeIds",
	} {
		_, answer := user.send("POST", "/graphql", encoded(update(input)))
		var told struct {
			Errors []struct {
				Extensions struct{ Inputs, Fields, Details []struct{ Field string } }
			}
		}
		_ = json.Unmarshal(answer, &told)
		var got []string
		for _, e := range told.Errors {
			for _, d := range slices.Concat(e.Extensions.Inputs, e.Extensions.Fields, e.Extensions.Details) {
				got = append(got, d.Field)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%.100s: %s, want findings of %s", input, answer, want)
		}
	}
	_, answer := user.send("POST", "/graphql", encoded(fmt.Sprintf(`mutation { updateSupplier(id: "%d", input: {badgeIds: []}, expectedVersion: %v) { id } }`, id, *version-1)))
	if !strings.Contains(string(answer), "errors") {
		t.Errorf("graphql: a stale version: %s", answer)
	}
	expect("graphql: refused", false, green, fair, secret)
}

// ends are the ids of the item's badges, in order.
func ends(item map[string]any) []int {
	ids := []int{}
	list, _ := item["badges"].([]any)
	for _, one := range list {
		ids = append(ids, int(one.(map[string]any)["id"].(float64)))
	}
	slices.Sort(ids)
	return ids
}

// conditional sends a request with one more header, and returns the status.
func (d *driven) conditional(method, path, body, header, value string) int {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(header, value)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// findings are the status of a refusal and the fields that it blames, in order.
func (d *driven) findings(method, path, body string) string {
	status, answer := d.send(method, "/api/v1"+path, body)
	var told struct {
		Error struct{ Details []struct{ Field string } }
	}
	_ = json.Unmarshal(answer, &told)
	var fields []string
	for _, one := range told.Error.Details {
		fields = append(fields, one.Field)
	}
	slices.Sort(fields)
	return fmt.Sprint(status) + " " + strings.Join(fields, " ")
}
