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
