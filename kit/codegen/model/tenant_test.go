package model_test

import (
	"fmt"
	"slices"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

func TestIndexesOfTenantsBeginWithThem(t *testing.T) {
	library()
	of := expose.Tenant("org_id")
	shelf.tenant = &of
	shelf.fields = with(shelf.fields, field.Int64("org_id").Immutable())
	shelf.fields = with(shelf.fields, field.String("code").Unique())
	shelf.fields = with(shelf.fields, field.String("colour").Annotations(expose.By(expose.Filter), expose.Selective()))
	shelf.fields = with(shelf.fields, field.Int64("owner_id").Annotations(expose.By(expose.Filter)))
	shelf.fields = with(shelf.fields, field.Int64("above_id").Optional().Nillable().Annotations(expose.By(expose.Filter)))
	shelf.edges = append(slices.Clip(shelf.edges), edge.To("owner", User.Type).Field("owner_id").Unique().Required(),
		edge.To("below", Shelf.Type), edge.From("above", Shelf.Type).Ref("below").Field("above_id").Unique())
	shelf.indexes = []ent.Index{index.Fields("name").Unique(), index.Fields("owner_id", "created_at"), index.Fields("above_id", "created_at"), index.Fields("created_at"), index.Fields("org_id", "created_at")}
	book.rules.Read = policy.Anyone()
	m, err := judged(t)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, node := range m.Graph.Nodes {
		if node.Name != "Shelf" {
			continue
		}
		for _, i := range node.Indexes {
			got = append(got, fmt.Sprint(i.Columns, i.Unique))
		}
		for _, f := range node.Fields {
			if f.Unique {
				t.Errorf("%s is unique among all tenants", f.Name)
			}
		}
	}
	want := []string{ // those that begin with a foreign key to rows of all serve removals of these
		"[org_id name] true", "[org_id owner_id created_at] false", "[above_id created_at] false", "[org_id created_at] false",
		"[org_id colour created_at id deleted_at] false", "[org_id code] true", "[owner_id created_at id] false",
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("the indexes are\n%v, want\n%v", got, want)
	}
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if e.Name == "Shelf" && (f.Name == "colour" || f.Name == "code") && !m.Serves(f) {
				t.Errorf("no index serves %s", f.Name)
			}
		}
	}
}

func TestMistakesOfTenants(t *testing.T) {
	owned := func(key ent.Field, of expose.Belonging) func() {
		return func() {
			book.fields, book.tenant = with(book.fields, key), &of
			book.rules.Read = policy.Anyone()
		}
	}
	org := func() *expose.Belonging { of := expose.Tenant("org_id"); return &of }
	wrong(t, library, []mistake{
		{"a tenant that no field says", owned(field.Int64("org_id").Immutable(), expose.Tenant("org")), `Book: expose.Tenant: "org": a field of the entity is allowed, or "id"`},
		{"a tenant that may change", owned(field.Int64("org_id"), *org()), `Book.org_id: expose.Tenant: a field that is Immutable is allowed`},
		{"a tenant that may be none", owned(field.Int64("org_id").Optional().Immutable(), *org()), `Book.org_id: expose.Tenant: a field that is Immutable is allowed, neither Optional`},
		{"a tenant by name", owned(field.String("org_id").Immutable(), *org()), `Book.org_id: expose.Tenant: a field.Int64 is allowed, not string`},
		{"a tenant that clients choose", owned(field.Int64("org_id").Immutable().Annotations(expose.WritableBy("admin")), *org()), `Book.org_id: expose.Tenant: the service sets it`},
		{"a role that there is not", owned(field.Int64("org_id").Immutable(), org().Across("king")), `Book: expose.Tenant: Across: role "king": the roles of users are allowed: user, admin`},
		{"users that are books", owned(field.Int64("org_id").Immutable(), org().OfUsers()), `Book: expose.Tenant: OfUsers: the entity of users is allowed`},
		{"users who choose their tenant", func() {
			of := org().OfUsers()
			user.fields, user.tenant = with(user.fields, field.Int64("org_id").Optional().Nillable()), &of
		}, `User.org_id: expose.Tenant: users could choose a tenant`},
		{"what proxies keep of a tenant", func() {
			owned(field.Int64("org_id").Immutable(), *org())()
			book.resource.Cache = "public, max-age=60"
		}, `Book: expose.Tenant: Cache "public, max-age=60": what a tenant reads is no other's`},
		{"a condition on rows of all tenants", func() {
			owned(field.Int64("org_id").Immutable(), *org())()
			book.resource.Links = []expose.Link{{Name: "others", When: policy.Another("books", policy.Is("lent", true))}}
		}, `Book: link "others": policy.Another looks in books of all tenants`},
		{"a rule of all over rows of tenants", func() {
			owned(field.Int64("org_id").Immutable(), *org())()
			shelf.rules.Read = policy.Having("id", "books", "shelf_id", policy.Anyone())
		}, `Shelf: policy.Having looks in books, whose rows belong to tenants`},
	})
}
