package main

import (
	"testing"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent/category"
	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/todo"
)

// entgql's todo does what entgql's own tests have it do, by the client, REST and GraphQL.
func TestPortedTodo(t *testing.T) {
	each(t, func(t *testing.T, w *apptest.Server, host *app.Host) {
		ctx, client := viewer.With(t.Context(), viewer.System()), orm.Client(host.DB)
		query := func(text, want string) {
			t.Helper()
			w.Ask("POST", "/graphql", `{"query":"`+text+`"}`, want)
		}

		// each door makes one, and another reads it
		w.Ask("POST", "/api/v1/categories", `{"text":"","status":"ENABLED"}`, `"field":"text"`)
		w.Ask("POST", "/api/v1/categories", `{"text":"home","status":"ENABLED","types":{"public":true},"strings":["a"]}`, `"types":{"public":`)
		query(`mutation { createTodo(input: {status: IN_PROGRESS, text: \"one\", priority: 2, categoryId: \"1\"}) { id priority category { text status types } } }`, `"category":{"text":"home","status":"ENABLED","types":{"public":`)
		client.Todo.Create().SetStatus(todo.StatusPending).SetText("two").SetPriority(1).SetCategoryID(1).SetParentID(1).ExecX(ctx)
		w.Ask("POST", "/api/v1/todos", `{"status":"COMPLETED","text":"three","parent_id":1}`, `"status":"COMPLETED"`)
		w.Ask("POST", "/api/v1/todos", `{"status":"NOWHERE","text":"three"}`, `"field":"status"`)
		query(`mutation { createTodo(input: {status: PENDING, text: \"\"}) { id } }`, `"errors"`)

		// trees, connections and orders
		query(`{ todo(id: \"1\") { children { text parent { text } } } }`, `{"children":[{"text":"two","parent":{"text":"one"}},{"text":"three","parent":{"text":"one"}}]}`)
		query(`{ todosConnection(first: 2, orderBy: [{field: TEXT, direction: DESC}]) { totalCount edges { node { text } } pageInfo { hasNextPage } } }`, `{"totalCount":3,"edges":[{"node":{"text":"two"}},{"node":{"text":"three"}}],"pageInfo":{"hasNextPage":true}}`)
		query(`{ todosConnection(orderBy: [{field: STATUS, direction: ASC}, {field: CREATED_AT, direction: DESC}]) { nodes { text } } }`, `{"nodes":[{"text":"three"},{"text":"one"},{"text":"two"}]}`)
		w.Ask("GET", "/api/v1/todos?sort=-text&limit=1", "", `"text":"two"`)
		w.Ask("GET", "/api/v1/categories?sort=status,-text", "", `"total":1`)

		// what is skipped is in neither API, and in the client
		w.Ask("POST", "/api/v1/todos", `{"status":"PENDING","text":"x","blob":"YQ=="}`, `"status":"error"`)
		query(`{ todo(id: \"1\") { blob } }`, `Cannot query field`)
		w.Ask("POST", "/api/v1/todos", `{"status":"PENDING","text":"x","created_at":"2026-01-02T03:04:05Z"}`, `"status":"error"`)
		secret := client.VerySecret.Create().SetPassword("x").SaveX(ctx)
		one := client.Todo.UpdateOneID(1).SetBlob([]byte("a")).SetSecretID(secret.ID).SaveX(ctx)
		if string(*one.Blob) != "a" || one.QuerySecret().OnlyX(ctx).Password != "x" {
			t.Errorf("the client reads %+v", one)
		}
		w.Ask("GET", "/api/v1/very-secrets", "", `"status":"error"`)

		// updates: what is immutable stays
		query(`mutation { updateTodo(id: \"1\", input: {status: COMPLETED}) { status } }`, `{"status":"COMPLETED"}`)
		w.Ask("PATCH", "/api/v1/todos/1", `{"category_id":null}`, `"status":"error"`)
		if n := client.Todo.Query().Where(todo.StatusEQ(todo.StatusCompleted), todo.HasCategoryWith(category.Text("home"))).CountX(ctx); n != 1 {
			t.Errorf("%d are completed at home", n)
		}

		// users: a password is shown nowhere
		w.Ask("POST", "/api/v1/doers", `{"required_metadata":{"a":1}}`, `"name":"Anonymous"`)
		client.Doer.UpdateOneID(1).SetPassword("secret").AddFriends(client.Doer.Create().SetRequiredMetadata(map[string]any{}).SetName("nati").SaveX(ctx)).ExecX(ctx)
		query(`{ doer(id: \"1\") { password } }`, `Cannot query field`)
		query(`{ doer(id: \"1\") { name requiredMetadata friends { name } } }`, `"friends":[{"name":"nati"}]}`)
		w.Ask("POST", "/api/v1/bill-products", `{"name":"n","sku":"s","quantity":3}`, `"quantity":3`)
		query(`mutation { createWorkspace(input: {name: \"w\"}) { __typename name } }`, `{"__typename":"Workspace","name":"w"}`)
	})
}
