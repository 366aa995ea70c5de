package apis_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
)

// lines are texts that are no line, each with what is wrong with it.
var lines = map[string]string{
	"Ada\nyour account is blocked": "must be one line, without control characters",
	"Ada\u2028Lovelace":            "must be one line, without control characters",
	"Ada \u202eecalevoL":           "must have no characters that override the direction of text",
	"Ada \u2066Lovelace":           "must have no characters that override the direction of text",
	" \u00a0 \u200b":               "must not be blank",
}

// A field of one line refuses line breaks, in every API and of every entity.
func TestTextsOfOneLine(t *testing.T) {
	eachFront(t, func(f *front) {
		admin, id := f.admin("grace")
		category := admin.ask("POST", "/api/v1/categories", `{"name":"engines"}`).want(201).header.Get("Location")
		product := admin.ask("POST", "/api/v1/products", `{"name":"Lamp","price":1}`).want(201).header.Get("Location")
		post := admin.ask("POST", "/api/v1/posts", `{"title":"On engines","content":"a\nb"}`).want(201).header.Get("Location")
		key := admin.ask("POST", "/api/v1/api-keys", `{"client_name":"warehouse","permissions":["read"]}`).want(201).header.Get("Location")
		self := fmt.Sprintf("/api/v1/users/%d", id)
		requests := [][3]string{ // %s is the text
			{"POST", "/api/v1/auth/register", `{"name":%s,"email":"n@example.com","password":"correct horse 1"}`},
			{"POST", "/api/v1/users", `{"name":%s,"email":"n@example.com"}`},
			{"PATCH", self, `{"name":%s}`},
			{"PUT", self, `{"name":%s,"email":"grace@example.com","role":"admin"}`},
			{"PUT", self + "/profile", `{"website":%s}`},
			{"POST", "/api/v1/posts", `{"title":%s,"content":"x"}`},
			{"PATCH", post, `{"title":%s}`},
			{"POST", "/api/v1/categories", `{"name":"looms","title":%s}`},
			{"PATCH", category, `{"title":%s}`},
			{"POST", "/api/v1/products", `{"name":%s,"price":1}`},
			{"POST", "/api/v1/products", `{"name":"Lamp","price":1,"tags":["light",%s]}`},
			{"PATCH", product, `{"category":%s}`},
			{"POST", "/api/v1/products/bulk", `{"products":[{"name":%s,"price":1}]}`},
			{"POST", "/api/v1/api-keys", `{"client_name":%s,"permissions":["read"]}`},
		}
		mutations := []string{
			`register(name: $t, email: "n@example.com", password: "correct horse 1") { user { id } }`,
			`createUser(input: {name: $t, email: "n@example.com"}) { id }`,
			`createUser(input: {name: $t, email: "n@example.com", password: "correct horse 1"}) { id }`,
			fmt.Sprintf(`updateUser(id: %d, input: {name: $t}) { id }`, id),
			`createPost(input: {title: $t, content: "x"}) { id }`,
			`createCategory(input: {name: "looms", title: $t}) { id }`,
			`createProduct(input: {name: $t, price: 1}) { id }`,
			`createProduct(input: {name: "Lamp", price: 1, tags: ["light", $t]}) { id }`,
			`createAPIKey(input: {clientName: $t, permissions: [read]}) { key }`,
		}
		for line, wrong := range lines {
			text, _ := json.Marshal(line) // of a text: it can't fail
			for _, r := range requests {
				told := wrong
				if strings.HasSuffix(r[1], "/profile") {
					told = "must be an http or https address"
				}
				a := admin.ask(r[0], r[1], strings.Replace(r[2], "%s", string(text), 1))
				if a.status != 422 || !strings.Contains(a.text, told) {
					t.Errorf("%s %s of %s: %d %s", r[0], r[1], text, a.status, a.text)
				}
			}
			for _, m := range mutations {
				a := admin.graphql("mutation($t: String!) { "+m+" }", "t", line)
				if a.outcome("never") != "422" || !strings.Contains(a.text, wrong) {
					t.Errorf("%s of %s: %s", m, text, a.text)
				}
			}
			many := admin.ask("POST", "/api/v1/users/bulk", `{"users":[{"name":`+string(text)+`,"email":"n@example.com"}]}`).want(207)
			if !strings.Contains(many.text, `"status":422`) || !strings.Contains(many.text, wrong) {
				t.Errorf("bulk of %s: %s", text, many.text)
			}
			many = admin.graphql(`mutation($t: String!) { createUsers(input: [{name: $t, email: "n@example.com"}]) { status error { message fields { message } } } }`, "t", line)
			if !strings.Contains(many.text, `"status":422`) || !strings.Contains(many.text, wrong) {
				t.Errorf("createUsers of %s: %s", text, many.text)
			}
		}
		// A row that is older than the rule stays unchanged, and can be updated.
		if _, err := f.db.ExecContext(f.Context(), "UPDATE users SET name = 'Grace\nHopper'"); err != nil {
			t.Fatal(err)
		}
		admin.ask("PATCH", self, `{"age":40}`).want(200, `"name":"Grace\nHopper"`)
		admin.ask("PATCH", self, `{"name":"Grace Hopper"}`).want(200)
		admin.ask("PATCH", key, `{"client_name":"depot"}`).want(405) // keys don't change
		if n := orm.Client(f.db).User.Query().CountX(f.system()); n != 1 {
			t.Errorf("%d users", n)
		}
	})
}

// A mail to an address that no user has verified says nothing that
// the person chose who has it sent.
func TestAForgottenPasswordsMailSaysNothingOfItsSender(t *testing.T) {
	eachFront(t, func(f *front) {
		f.guest().post("register", "name", "Your account is blocked: call 555", "email", "stranger@example.com", "password", adasPassword).want(201)
		f.guest().post("forgot-password", "email", "Stranger@Example.com").want(200)
		f.mu.Lock()
		defer f.mu.Unlock()
		if len(f.mails) != 1 || f.mails[0].To != "stranger@example.com" || strings.Contains(f.mails[0].Text+f.mails[0].Subject, "call 555") {
			t.Errorf("mail: %+v", f.mails)
		}
	})
}
