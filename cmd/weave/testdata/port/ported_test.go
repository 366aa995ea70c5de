package main

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent/animal"
	autos "example.com/acme/notes/ent/auto"
	"example.com/acme/notes/ent/car"
	"example.com/acme/notes/ent/member"
	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/rental"
)

// each is a test of the service over either database, as an admin.
func each(t *testing.T, test func(t *testing.T, w *apptest.Server, host *app.Host)) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			var host *app.Host
			s := program()
			s.Open = func(h *app.Host) (*app.Parts, error) { host = h; return &app.Parts{}, nil }
			w := apptest.Serve(t, s, "ENTWINE_DATABASE_URL="+url(t), "ENTWINE_LOG_LEVEL=error")
			w.SignUp("Ada Lovelace")
			w.Ask("GET", "/api/v1/cars", "", `"code":"FORBIDDEN"`) // they are closed to all but admins
			w.Ask("POST", "/api/v1/members", `{"name":"a8m","age":30}`, `"code":"FORBIDDEN"`)
			if _, err := host.DB.ExecContext(t.Context(), `UPDATE users SET role = 'admin' WHERE email = 'ada.lovelace@example.com'`); err != nil {
				t.Fatal(err)
			}
			var in struct{ Token string }
			if err := json.Unmarshal([]byte(w.Ask("POST", "/api/auth/login", `{"email":"ada.lovelace@example.com","password":"correct horse 1"}`, `"token"`)), &in); err != nil {
				t.Fatal(err)
			}
			w.Header.Set("Authorization", "Bearer "+in.Token)
			test(t, w, host)
		})
	}
}

// What Ent's examples do by the client is done by REST and GraphQL as well, and each sees
// what the others have written.
func TestPortedSchemas(t *testing.T) {
	each(t, func(t *testing.T, w *apptest.Server, host *app.Host) {
		ctx, client := viewer.With(t.Context(), viewer.System()), orm.Client(host.DB)

		// start
		w.Ask("POST", "/api/v1/members", `{"name":"a8m","age":30}`, `"id":1`)
		w.Ask("POST", "/api/v1/members", `{"age":0}`, `"field":"age","message":"must be at least 1"`)
		var document struct {
			Components struct {
				Schemas map[string]struct {
					Properties map[string]struct{ Minimum float64 }
				}
			}
		}
		if err := json.Unmarshal([]byte(w.Ask("GET", "/api/v1/openapi", ``, `"Member"`)), &document); err != nil || document.Components.Schemas["Member"].Properties["age"].Minimum != 1 {
			t.Errorf("the document says no bound of a validator: %v", err)
		}
		w.Ask("POST", "/api/v1/cars", `{"model":"Tesla","registered_at":"2026-01-02T03:04:05Z","owner_id":1}`, `"owner_id":1`)
		w.Ask("POST", "/graphql", `{"query":"mutation { createGroup(input: {name: \"GitHub\"}) { id } }"}`, `"createGroup":{"id"`)
		w.Ask("POST", "/graphql", `{"query":"mutation { createGroup(input: {name: \"1\"}) { id } }"}`, `"errors"`)
		if _, err := client.Group.Update().AddUserIDs(1).Save(ctx); err != nil {
			t.Fatal(err)
		}
		w.Ask("POST", "/graphql", `{"query":"{ member(id: \"1\") { name cars { model } groups { name } } }"}`, `{"member":{"name":"a8m","cars":[{"model":"Tesla"}],"groups":[{"name":"GitHub"}]}}`)
		if owner, err := client.Car.Query().Where(car.Model("Tesla")).QueryOwner().Only(ctx); err != nil || owner.Name != "a8m" {
			t.Errorf("the owner is %v, %v", owner, err)
		}
		if n, err := client.Member.Query().Where(member.HasCarsWith(car.Model("Ford"))).Count(ctx); n != 0 || err != nil {
			t.Errorf("%d have a Ford, %v", n, err)
		}
		var column int
		rows, err := host.DB.QueryContext(t.Context(), `SELECT user_cars FROM cars`) // as Ent calls it
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			if err := rows.Scan(&column); err != nil || column != 1 {
				t.Errorf("user_cars is %d, %v", column, err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}

		// edgeindex: a street's name is one of its own in a city
		w.Ask("POST", "/api/v1/cities", `{"name":"TLV"}`, `"id":1`)
		w.Ask("POST", "/api/v1/streets", `{"name":"ST","city_id":1}`, `"city_id":1`)
		w.Ask("POST", "/api/v1/streets", `{"name":"ST","city_id":1}`, `"code":"DUPLICATE_RESOURCE"`)
		w.Ask("POST", "/api/v1/streets", `{"name":"ST"}`, `"city_id":null`)

		// o2o2types: a card has an owner, who has no other
		w.Ask("POST", "/api/v1/holders", `{"name":"a8m","age":30}`, `"id":1`)
		w.Ask("POST", "/api/v1/cards", `{"number":"1020","expired":"2030-01-02T03:04:05Z"}`, `"field":"owner_id"`)
		w.Ask("POST", "/api/v1/cards", `{"number":"1020","expired":"2030-01-02T03:04:05Z","owner_id":1}`, `"owner_id":1`)
		w.Ask("POST", "/api/v1/cards", `{"number":"1021","expired":"2030-01-02T03:04:05Z","owner_id":1}`, `"code":"DUPLICATE_RESOURCE"`)
		w.Ask("POST", "/graphql", `{"query":"{ holder(id: \"1\") { card { number owner { name } } } }"}`, `{"card":{"number":"1020","owner":{"name":"a8m"}}}`)

		// o2mrecur: nodes of a tree
		w.Ask("POST", "/api/v1/knots", `{"value":2}`, `"parent_id":null`)
		w.Ask("POST", "/api/v1/knots", `{"value":1,"parent_id":1}`, `"parent_id":1`)
		w.Ask("POST", "/graphql", `{"query":"{ knot(id: \"2\") { parent { value children { value } } } }"}`, `{"parent":{"value":2,"children":[{"value":1}]}}`)

		// cascadelete: what belongs to a post goes with it
		w.Ask("POST", "/api/v1/authors", `{}`, `"id":1`)
		w.Ask("POST", "/api/v1/posts", `{"author_id":1}`, `"text":"What's on your mind?"`)
		w.Ask("POST", "/api/v1/comments", `{"text":"Much.","post_id":1}`, `"post_id":1`)
		if _, err := client.Post.Delete().Exec(ctx); err != nil {
			t.Fatal(err)
		}
		w.Ask("GET", "/api/v1/comments", "", `"data":[]`)

		// traversal
		w.Ask("POST", "/api/v1/keepers", `{"name":"Ariel","age":30}`, `"id":1`)
		w.Ask("POST", "/api/v1/animals", `{"name":"Pedro","owner_id":1}`, `"owner_id":1`)
		w.Ask("POST", "/api/v1/bands", `{"name":"Hub","admin_id":1}`, `"admin_id":1`)
		if name, err := client.Band.Query().QueryAdmin().QueryPets().Select(animal.FieldName).String(ctx); name != "Pedro" || err != nil {
			t.Errorf("the admin's pet is %s, %v", name, err)
		}

		// edgefield: foreign keys of every kind of edge, one to rows with UUIDs
		auto, err := client.Auto.Create().SetNumber("102030").Save(ctx)
		if err != nil {
			t.Fatal(err)
		}
		w.Ask("POST", "/api/v1/renters", `{}`, `"id":1`)
		w.Ask("POST", "/api/v1/renters", `{"parent_id":1,"spouse_id":1}`, `"id":2`)
		w.Ask("POST", "/api/v1/rentals", `{"user_id":2,"car_id":"`+auto.ID.String()+`"}`, `"car_id":"`+auto.ID.String()+`"`)
		w.Ask("POST", "/api/v1/rentals", `{"user_id":2,"car_id":"`+uuid.NewString()+`"}`, `"field":"car_id"`)
		w.Ask("POST", "/api/v1/passes", `{"number":"1020","owner_id":2}`, `"owner_id":2`)
		w.Ask("POST", "/api/v1/infos", `{"content":[1],"user_id":2}`, `"content":[1]`)
		w.Ask("POST", "/graphql", `{"query":"{ renter(id: \"2\") { parent { id children { id } } card { number } rentals { car { number } } info { content } } }"}`, `"card":{"number":"1020"},"rentals":[{"car":{"number":"102030"}}],"info":[{"content":[1]}]`)
		if n, err := client.Rental.Query().Where(rental.HasCarWith(autos.Number("102030"))).Count(ctx); n != 1 || err != nil {
			t.Errorf("the car is rented %d times, %v", n, err)
		}

		// idtype
		w.Ask("POST", "/api/v1/persons", `{"name":"a8m"}`, `"id":1`)
		w.Ask("POST", "/graphql", `{"query":"mutation { createPerson(input: {name: \"nati\", spouseId: \"1\"}) { spouse { name } } }"}`, `{"spouse":{"name":"a8m"}}`)
		if err := client.Person.UpdateOneID(2).AddFollowingIDs(1).Exec(ctx); err != nil {
			t.Error(err)
		}
		w.Ask("POST", "/graphql", `{"query":"{ person(id: \"1\") { followers { name } } }"}`, `{"followers":[{"name":"nati"}]}`)
	})
}
