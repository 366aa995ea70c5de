package gql_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestManyUsersAtOnce(t *testing.T) {
	each(t, func(w *world) {
		a := w.as("ada", `mutation { createUsers(input: [
			{name: "Eve", email: "eve@example.com", password: "correct horse 1"},
			{name: "Eve", email: "EVE@example.com"},
			{name: "x", email: "no", password: "short", role: null},
			{name: "Dan", email: "dan@example.com", age: 40},
		]) { status user { name age } error { code fields { field value } } } }`)
		a.wants(w.T, `{"createUsers":[
			{"status":201,"user":{"name":"Eve","age":null},"error":null},
			{"status":409,"user":null,"error":{"code":"DUPLICATE_RESOURCE","fields":[{"field":"input[1].email","value":"EVE@example.com"}]}},
			{"status":422,"user":null,"error":{"code":"BAD_USER_INPUT","fields":[
				{"field":"input[2].name","value":"x"},{"field":"input[2].email","value":"no"},{"field":"input[2].password","value":null},{"field":"input[2].password","value":null}]}},
			{"status":201,"user":{"name":"Dan","age":40},"error":null}]}`)
		if n := storetest.Count(w.T, w.db, "credentials"); n != 1 {
			w.Errorf("%d credentials, want 1", n)
		}
		w.as("ada", `mutation { deleteUsers(ids: [4, 4, "x", 99, -1]) { status user { id } error { code fields { field } } } }`).wants(w.T, `{"deleteUsers":[
			{"status":204,"user":null,"error":null},
			{"status":404,"user":null,"error":{"code":"NOT_FOUND","fields":[]}},
			{"status":400,"user":null,"error":{"code":"BAD_USER_INPUT","fields":[{"field":"ids[2]"}]}},
			{"status":404,"user":null,"error":{"code":"NOT_FOUND","fields":[]}},
			{"status":400,"user":null,"error":{"code":"BAD_USER_INPUT","fields":[{"field":"ids[4]"}]}}]}`)
		before := w.client.User.Query().CountX(w.system())
		w.as("ada", `mutation { deleteUsers(ids: [2, 3], hard: true) { status } }`).wants(w.T, `{"deleteUsers":[{"status":204},{"status":204}]}`)
		if n := w.client.User.Query().CountX(w.system()); n != before-2 {
			w.Errorf("%d users of %d", n, before)
		}
		for _, c := range []struct{ who, mutation, want string }{
			{"ada", `createUsers(input: []) { status }`, "createUsers BAD_USER_INPUT input"},
			{"mia", `createUsers(input: []) { status }`, "createUsers FORBIDDEN"},
			{"mia", `deleteUsers(ids: [1]) { status }`, "deleteUsers FORBIDDEN"},
			{"mia", `deleteUsers(ids: [1], hard: true) { status }`, "deleteUsers FORBIDDEN"},
			{"nobody", `deleteUsers(ids: [1]) { status }`, "deleteUsers UNAUTHENTICATED"},
		} {
			if got := w.as(c.who, `mutation { `+c.mutation+` }`).codes(); !slices.Equal(got, []string{c.want}) {
				w.Errorf("%s: %s: %q, want %q", c.who, c.mutation[:20], got, c.want)
			}
		}
	})
}

func TestAUserIsMadeWithAPassword(t *testing.T) {
	each(t, func(w *world) {
		w.as("ada", `mutation { createUser(input: {name: "Eve", email: "eve@example.com", password: "correct horse 2", role: editor}) { name role } }`).wants(w.T,
			`{"createUser":{"name":"Eve","role":"editor"}}`)
		hashes := storetest.Ask[string](w.T, w.db, "SELECT password_hash FROM credentials WHERE user_id = 4")
		if cost, err := bcrypt.Cost([]byte(strings.Join(hashes, ""))); err != nil || cost != bcrypt.MinCost {
			w.Errorf("%d credentials with cost %d, %v", len(hashes), cost, err)
		}
		for input, want := range map[string]string{
			`name: "x", email: "bo@example.com", password: "short"`:             "createUser BAD_USER_INPUT input.name input.password input.password",
			`name: "Bo", email: "BOB@example.com", password: "correct horse 2"`: "createUser DUPLICATE_RESOURCE input.email",
		} {
			a := w.as("ada", `mutation { createUser(input: {`+input+`}) { id } }`)
			if got := a.codes(); !slices.Equal(got, []string{want}) {
				w.Errorf("%s: %q, want %q", input, got, want)
			}
		}
		if got := w.as("bob", `mutation { createUser(input: {name: "x", email: "no", password: "short"}) { id } }`).codes(); !slices.Equal(got, []string{"createUser FORBIDDEN"}) {
			w.Errorf("bob: %q", got)
		}
		if n := w.client.User.Query().CountX(w.system()); n != 4 {
			w.Errorf("%d users, want 4", n)
		}
	})
}
