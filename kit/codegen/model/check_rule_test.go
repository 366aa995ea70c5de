package model_test

import (
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/policy"
)

func TestMistakesOfRules(t *testing.T) {
	reads := func(rule policy.Rule) func() { return func() { book.rules.Read = rule } }
	keeps := func(h ent.Hook) func() { return func() { book.hooks = []ent.Hook{h} } }
	wrong(t, library, []mistake{
		{"a role that no user has", reads(policy.Any(policy.Is("lent", true), policy.Roles("admin", "edtor"))), `Book: policy.Rules: Read: policy.Roles: role "edtor": the roles of users are allowed: user, admin`},
		{"a permission that no key has", reads(policy.Key("king")), `Book: policy.Rules: Read: policy.Key: permission "king": those of API keys are allowed: read, write`},
		{"a role of a verb that no user has", func() {
			book.rules.Verbs = policy.Verbs{policy.Create: policy.Anyone(), policy.Update: policy.Not(policy.Related("shelf_id", "shelves", policy.Roles("king"))), policy.Delete: policy.Nobody()}
		}, `Book: policy.Rules: verb "update": policy.Roles: role "king": the roles of users are allowed: user, admin`},
		{"a role of an edge that no user has", func() {
			book.edges[0] = edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(policy.Attach(policy.Roles("king")))
		}, `Book.shelf: policy.Attach: policy.Roles: role "king": the roles of users are allowed: user, admin`},
		{"an owner in a column that there is not", reads(policy.All(policy.Anyone(), policy.Owner("auhtor_id"))), `schema/book.go: Book: policy.Owner("auhtor_id"): books has no column "auhtor_id": created_at, deleted_at`},
		{"an owner who is a text", reads(policy.Owner("currency")), `Book: policy.Owner("currency"): the id of a user is compared, but books.currency is string`},
		{"an owner who is no user", reads(policy.Owner("shelf_id")), `policy.Owner("shelf_id"): the id of a user is compared, but books.shelf_id leads to Shelf`},
		{"a flag that is a text", reads(policy.Is("lent", "yes")), `policy.Is("lent", "yes"): books.lent is bool`},
		{"a text that is a number", reads(policy.Is("currency", 7)), `policy.Is("currency", 7): books.currency is string`},
		{"the absence of what is always there", reads(policy.Null("pages")), `policy.Null("pages"): books.pages is never null`},
		{"a table that there is not", reads(policy.Related("shelf_id", "shelf", policy.Anyone())), `policy.Related("shelf_id", "shelf"): there is no table "shelf"`},
		{"a way through a table that is not the entity's", reads(policy.Through("shelf_id", "books", Shelf{})), `policy.Through("shelf_id", "books", Shelf{}): the table of Shelf is "shelves"`},
		{"a way through a column that there is not", reads(policy.Through("shelv_id", "shelves", Shelf{})), `policy.Through("shelv_id"): books has no column "shelv_id"`},
		{"one of a table that there is not", keeps(policy.KeepOne("book", policy.Anyone(), "the last")), `policy.KeepOne("book"): there is no table "book": books, shelves, users are allowed`},
		{"one per column that there is not", keeps(policy.KeepOnePer("books", "shelv_id", policy.Anyone(), "the last")), `policy.KeepOnePer("books", "shelv_id"): books has no column "shelv_id"`},
		{"one of a rule of another table", keeps(policy.KeepOnePer("books", "shelf_id", policy.Is("lentt", true), "the last")), `policy.KeepOnePer("books", "shelf_id"): policy.Is("lentt"): books has no column "lentt"`},
		{"one of a value that the column can't have", keeps(policy.KeepOnePer("books", "shelf_id", policy.Is("lent", "yes"), "the last")), `policy.Is("lent", "yes"): books.lent is bool`},
		{"a rule of another table", reads(policy.Related("shelf_id", "shelves", policy.Is("lent", true))), `policy.Is("lent"): shelves has no column "lent"`},
		{"a relation of unlike columns", reads(policy.Having("currency", "shelves", "id", policy.Anyone())), `policy.Related("currency"): books.currency is string, and shelves.id is int64`},
		{"a rule about rows at an edge's other end, of a column that these have not", func() {
			book.edges[0] = edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(policy.Attach(policy.Is("lent", true)))
		}, `Book.shelf: policy.Attach: policy.Is("lent"): shelves has no column "lent"`},
		{"a rule about rows of which there is none", func() {
			book.edges[1] = edge.To("author", User.Type).Field("author_id").Unique().Required().Annotations(policy.Attach(policy.Is("name", 1)))
		}, `Book.author: policy.Attach: `},
		{"soft deletes without the mixin", func() {
			book.fields = append(book.fields[:2], field.Int64("author_id"), field.Int64("shelf_id").Optional())
		}, `Book: policy.Rules: SoftDelete is set, but there is no mixin SoftDelete`},
		{"rows that a job deletes where there is none", func() { book.rules.With = policy.With{Column: "shelf_id", Table: "shelves"} }, `Book: policy.Rules: With: there is no table of jobs`},
		{"the mixin without soft deletes", func() { book.rules.SoftDelete = false }, `Book: policy.Rules: with the mixin SoftDelete`},
		{"a rule of whole rows without public fields", func() {
			book.rules.Verbs = policy.Verbs{policy.Create: policy.Nobody(), policy.Update: policy.Nobody(), policy.Delete: policy.Nobody(), policy.ReadWhole: policy.Owner("author_id")}
		}, `Book: policy.Rules: the verb "read_whole" has a rule, but no field is public`},
		{"an operation that is nobody's by mistake", func() { book.rules.Verbs = policy.Verbs{policy.Create: policy.Anyone()} }, `Book: policy.Rules: operation "replace" is generated, but the verb "update" has no rule`},
	})
}
