package codegen_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// driveEndings uses what the supplier's schema says is deprecated: the nickname,
// which has no sunset, the fax number, which is gone, and deleting and reading
// a badge, which is gone.
func driveEndings(user *driven) {
	t := user.t
	const old = `299 - "Supplier.nickname is deprecated: use name"`
	answer := user.asked("POST", "/api/v1/suppliers", `{"name":"Endless","nickname":"End"}`, 201, `"nickname":"End"`, old)
	if strings.Contains(answer, `"fax"`) {
		t.Errorf("what is gone is shown: %s", answer)
	}
	var created struct{ Data struct{ ID int } }
	if err := json.Unmarshal([]byte(answer), &created); err != nil {
		t.Fatal(err)
	}
	row := fmt.Sprintf("/api/v1/suppliers/%d", created.Data.ID)
	gone := `"message":"is gone: send mail"`
	for _, c := range []struct {
		method, path, body string
		status             int
		holds, warning     string
	}{
		{"GET", row, "", 200, `"nickname":"End"`, ""},
		{"GET", row + "?fields=name,nickname", "", 200, `"nickname":"End"`, old},
		{"GET", "/api/v1/suppliers?nickname=End", "", 200, `"nickname":"End"`, old},
		{"GET", "/api/v1/suppliers?sort=-nickname&fields=id", "", 200, `"id"`, old},
		{"PATCH", row, `{"nickname":"Ende"}`, 200, `"nickname":"Ende"`, old},
		{"PATCH", row, `{"fax":"1"}`, 400, gone, `299 - "Supplier.fax was removed on 2021-01-01: send mail"`},
		{"GET", row + "?fields=fax", "", 400, gone, "was removed"},
		{"GET", "/api/v1/suppliers?fax=1", "", 400, gone, "was removed"},
		{"GET", "/api/v1/badges/1", "", 410, "readBadge was removed on 2021-01-01: list them", "was removed"},
		{"GET", "/api/v1/openapi", "", 200, "- `Supplier.fax`: Deprecated since 2020-01-01, gone on 2021-01-01: send mail.", ""},
		{"GET", "/api/v1/openapi", "", 200, `"x-sunset": "2021-01-01"`, ""},
	} {
		user.asked(c.method, c.path, c.body, c.status, c.holds, c.warning)
	}
	graphql := func(query, variables, holds string) {
		t.Helper()
		body := fmt.Sprintf(`{"query":%q,"variables":%s}`, query, variables)
		user.asked("POST", "/graphql", body, 200, holds, "")
	}
	graphql(`{ suppliersConnection(where: {nickname: "Ende"}) { nodes { nickname } } }`, "{}", `"nickname":"Ende"`)
	graphql(`{ badge(id: 1) { name } }`, "{}", `"code":"VERSION_RETIRED"`)
	graphql(`{ suppliersConnection { nodes { fax } } }`, "{}", `Supplier.fax was removed on 2021-01-01: send mail`)
	graphql(`mutation($i: CreateSupplierInput!) { createSupplier(input: $i) { name } }`, `{"i":{"name":"Fax","fax":"1"}}`, `CreateSupplierInput.fax was removed`)
	graphql(`{ __type(name: "Supplier") { fields(includeDeprecated: true) { name deprecationReason } } }`, "{}",
		`{"name":"fax","deprecationReason":"Deprecated since 2020-01-01, gone on 2021-01-01: send mail."}`)
	graphql(`{ __type(name: "CreateSupplierInput") { inputFields(includeDeprecated: true) { name deprecationReason } } }`, "{}",
		`{"name":"nickname","deprecationReason":"Deprecated since 2020-01-01: use name."}`)
	graphql(`{ __type(name: "Mutation") { fields(includeDeprecated: true) { name deprecationReason } } }`, "{}",
		`{"name":"deleteSupplier","deprecationReason":"Deprecated since 2020-01-01: give them a grade."}`)
	user.asked("DELETE", row, "", 204, "", `299 - "deleteSupplier is deprecated: give them a grade"`)
}

// asked sends a request and returns the body of the answer, which holds a text and
// has a warning, or none.
func (d *driven) asked(method, path, body string, status int, holds, warning string) string {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	said := strings.Join(res.Header.Values("Warning"), ", ")
	if res.StatusCode != status || !strings.Contains(string(text), holds) || (said != "") != (warning != "") || !strings.Contains(said, warning) {
		if len(text) > 2000 {
			text = text[:2000]
		}
		d.t.Errorf("%s %s %s: %d, warned of %q, want %d with %s and %q: %s", method, path, body, res.StatusCode, said, status, holds, warning, text)
	}
	return string(text)
}
