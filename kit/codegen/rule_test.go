package codegen_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// check writes what breaks a rule over two fields, by nothing but the
// expose.Check in the schema: through both APIs, with all else that is wrong, and
// by two writers of whom each breaks nothing alone.
func (w *wood) check() {
	t := w.t
	const says = "must leave the founding before the closing"
	type refused struct {
		method, path, body string
		fields             []string
	}
	made := w.rest("POST", "/suppliers", `{"name":"Dated","founded_at":"1990-01-01T00:00:00Z"}`, 201)
	path := fmt.Sprintf("/suppliers/%v", made["id"])
	both := []string{"founded_at", "closed_at"}
	for _, c := range []refused{
		{"POST", "/suppliers", `{"name":"New","founded_at":"2000-01-01T00:00:00Z","closed_at":"1999-01-01T00:00:00Z"}`, both},
		{"POST", "/suppliers", `{"name":"N","founded_at":"2000-01-01T00:00:00Z","closed_at":"2000-01-01T00:00:00Z"}`, append([]string{"name"}, both...)},
		{"PATCH", path, `{"closed_at":"1989-01-01T00:00:00Z"}`, both},
		{"PATCH", path, `{"closed_at":"1989-01-01T00:00:00Z","employees":0}`, append([]string{"employees"}, both...)},
		{"PUT", path, `{"name":"Dated","founded_at":"1990-01-01T00:00:00Z","closed_at":"1989-01-01T00:00:00Z"}`, both},
	} {
		status, answer := w.send(c.method, "/api/v1"+c.path, c.body)
		fields, told := w.fields(answer)
		slices.Sort(c.fields)
		if status != 422 || !slices.Equal(fields, c.fields) || !strings.Contains(told, says) {
			t.Errorf("%s %s %s: %d, want 422 of %v that says %q\n%s", c.method, c.path, c.body, status, c.fields, says, answer)
		}
	}
	for _, document := range []string{
		`mutation { createSupplier(input: {name: "New", foundedAt: "2000-01-01T00:00:00Z", closedAt: "1999-01-01T00:00:00Z"}) { id } }`,
		`mutation { updateSupplier(id: "` + w.idOf("Dated") + `", input: {closedAt: "1980-01-01T00:00:00Z"}) { id } }`,
	} {
		if _, answer := w.send("POST", "/graphql", encoded(document)); !strings.Contains(string(answer), says) || !strings.Contains(string(answer), `"input.foundedAt"`) || !strings.Contains(string(answer), `"input.closedAt"`) {
			t.Errorf("%s: %s, want both fields named", document, answer)
		}
	}
	w.rest("PATCH", path, `{"closed_at":"2000-01-01T00:00:00Z"}`, 200)
	w.rest("PATCH", path, `{"closed_at":"2001-01-01T00:00:00Z","founded_at":"2000-06-01T00:00:00Z"}`, 200)
	for range 10 { // each of two breaks nothing alone
		w.rest("PATCH", path, `{"founded_at":"1990-01-01T00:00:00Z","closed_at":"2000-01-01T00:00:00Z"}`, 200)
		var two sync.WaitGroup
		statuses := make([]int, 2)
		for i, body := range []string{`{"founded_at":"1999-01-01T00:00:00Z"}`, `{"closed_at":"1995-01-01T00:00:00Z"}`} {
			two.Go(func() {
				status, answer := w.send("PATCH", "/api/v1"+path, body)
				if fields, told := w.fields(answer); status != 200 && (!slices.Equal(fields, []string{"closed_at", "founded_at"}) || !strings.Contains(told, says)) {
					t.Errorf("%s, as another changes the other field: %d\n%s", body, status, answer)
				}
				statuses[i] = status
			})
		}
		two.Wait()
		if slices.Sort(statuses); statuses[0] != 200 || statuses[1] != 422 {
			t.Fatalf("both changed: %v, want one that is refused", statuses)
		}
	}
	w.rest("DELETE", path, "", 204)
}

// fields are those that an error names, and what it says of the last of them.
func (w *wood) fields(answer []byte) (fields []string, says string) {
	var e struct {
		Error struct {
			Details []struct{ Field, Message string }
		}
	}
	_ = json.Unmarshal(answer, &e) // of another form there are none
	for _, d := range e.Error.Details {
		fields, says = append(fields, d.Field), says+d.Message
	}
	slices.Sort(fields)
	return fields, says
}

// idOf is the id in GraphQL of the row with the name.
func (w *wood) idOf(name string) string {
	data := w.graphql(`query($q: String!) { suppliersConnection(where: {name: $q}) { nodes { id } } }`, "q", name)
	return data["suppliersConnection"].(map[string]any)["nodes"].([]any)[0].(map[string]any)["id"].(string)
}
