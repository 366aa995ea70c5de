package read_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// shelf and book are a small world with every kind of value, nulls and ties:
// anyone reads public books, an owner their own, an admin all.
var (
	shelf = &entity.Entity{
		Name: "Shelf", Singular: "shelf", Path: "shelves", Table: "shelves", Limit: 20,
		Fields: []*entity.Field{
			{Name: "id", Column: "id", REST: "id", Kind: entity.ID, Sort: true, Filter: true},
			{Name: "name", Column: "name", REST: "name", Kind: entity.String, Sort: true, Filter: true},
		},
		Rules: policy.Rules{Read: policy.Anyone()},
	}
	book = &entity.Entity{
		Name: "Book", Singular: "book", Path: "books", Table: "books", Limit: 20,
		Fields: []*entity.Field{
			{Name: "id", Column: "id", REST: "id", Kind: entity.ID, Sort: true, Filter: true, Lowest: "minID", Highest: "maxID"},
			{Name: "title", Column: "title", REST: "title", Kind: entity.String, Sort: true, Filter: true, Fold: "title_fold"},
			{Name: "pages", Column: "pages", REST: "pages", Kind: entity.Int, Nullable: true, Sort: true, Filter: true},
			{Name: "rating", Column: "rating", REST: "rating", Kind: entity.Float, Nullable: true, Sort: true, Filter: true},
			{Name: "lent", Column: "lent", REST: "lent", Kind: entity.Bool, Sort: true, Filter: true, Continued: true},
			{Name: "created_at", Column: "created_at", REST: "created_at", Kind: entity.Time, Sort: true, Filter: true},
			{Name: "read_at", Column: "read_at", REST: "read_at", Kind: entity.Time, Nullable: true, Sort: true, Filter: true},
			{Name: "shelf_id", Column: "shelf_id", REST: "shelf_id", Kind: entity.Ref, Ref: "Shelf", Nullable: true, Filter: true},
			{Name: "owner_id", Column: "owner_id", REST: "owner_id", Kind: entity.Ref, Ref: "User", Filter: true},
			{Name: "note", Column: "note", REST: "note", Kind: entity.String, Nullable: true, Filter: true, Sort: true, Roles: []viewer.Role{viewer.Admin}},
			{Name: "tags", Column: "tags", REST: "tags", Kind: entity.Strings, Filter: true},
		},
		Rules: policy.Rules{
			SoftDelete: true,
			Read:       policy.Any(policy.Is("public", true), policy.Owner("owner_id"), policy.Roles(viewer.Admin)),
			Verbs:      policy.Verbs{policy.Update: policy.Owner("owner_id"), policy.ReadDeleted: policy.Roles(viewer.Admin)},
		},
	}
)

func init() {
	shelf.Sort = []entity.Term{{Field: shelf.Field("name")}}
	shelf.Edges = []*entity.Edge{{Name: "books", To: book, Many: true, Column: "shelf_id"}}
	book.Sort = []entity.Term{{Field: book.Field("created_at"), Desc: true}}
	book.Edges = []*entity.Edge{{Name: "shelf", To: shelf, Column: "shelf_id", Own: true, Filter: true}}
}

var world = storetest.Schema{Key: "listing-4", Up: func(ctx context.Context, db *store.DB) error {
	moment, flag, jsonText, collate := "datetime", "bool", "json", ""
	if db.Postgres() {
		moment, flag, jsonText, collate = "timestamptz", "boolean", "jsonb", `COLLATE "C"`
	}
	for _, statement := range []string{
		`CREATE TABLE "shelves" ("id" bigint PRIMARY KEY, "name" text ` + collate + ` NOT NULL)`,
		`CREATE TABLE "books" ("id" bigint PRIMARY KEY, "title" text ` + collate + ` NOT NULL, "title_fold" text NOT NULL,
			"pages" bigint, "rating" double precision, "lent" ` + flag + ` NOT NULL, "public" ` + flag + ` NOT NULL,
			"created_at" ` + moment + ` NOT NULL, "read_at" ` + moment + `, "deleted_at" ` + moment + `,
			"shelf_id" bigint, "owner_id" bigint NOT NULL, "note" text ` + collate + `, "tags" ` + jsonText + ` NOT NULL, "deleted_with" bigint)`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}}

func each(t *testing.T, test func(t *testing.T, db *store.DB, r *read.Reader)) {
	world.Each(t, func(t *testing.T, db *store.DB) {
		test(t, db, &read.Reader{DB: db, Dialect: db.Dialect})
	})
}

// exec runs a statement with ? for arguments on both databases.
func exec(t *testing.T, db *store.DB, text string, args ...any) {
	t.Helper()
	if db.Postgres() {
		var numbered []byte
		n := byte('0')
		for i := range len(text) {
			if text[i] != '?' {
				numbered = append(numbered, text[i])
				continue
			}
			n++
			if n > '9' {
				t.Fatal("exec takes nine arguments")
			}
			numbered = append(numbered, '$', n)
		}
		text = string(numbered)
	}
	if _, err := db.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// decode reads a JSON list of objects.
func decode(t *testing.T, text []byte) []map[string]any {
	t.Helper()
	var items []map[string]any
	if err := json.Unmarshal(text, &items); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return items
}

func ids(items []map[string]any) []int {
	var all []int
	for _, item := range items {
		all = append(all, int(item["id"].(float64)))
	}
	return all
}

var (
	admin = &viewer.Viewer{UserID: 1, Role: viewer.Admin}
	owner = &viewer.Viewer{UserID: 7, Role: "user"}
)
