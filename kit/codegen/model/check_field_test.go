package model_test

import (
	"database/sql"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestMistakesOfFields(t *testing.T) {
	wrong(t, library, []mistake{
		{"a day that is none", shelfField(field.String("note").Optional().Nillable().Annotations(expose.Deprecated("soon", "", "use name"))), `note: expose.Deprecated("soon"): a day such as 2027-01-31`},
		{"a sunset before the deprecation", shelfField(field.String("note").Optional().Nillable().Annotations(expose.Deprecated("2027-01-31", "2027-01-01", "use name"))), `note: expose.Deprecated("2027-01-31", "2027-01-01"): a day after the first`},
		{"nothing to use instead", shelfField(field.String("note").Optional().Nillable().Annotations(expose.Deprecated("2027-01-31", "", ""))), `note: expose.Deprecated: what to use instead is needed`},
		{"a required field that ends", shelfField(field.String("note").Annotations(expose.Deprecated("2027-01-31", "", "use name"))), `note: expose.Deprecated: clients have to send the field`},
		{"a use that there is not", bookField(field.String("note").Annotations(expose.By("group"))), `schema/book.go: Book.note: expose.By("group"): filter, sort and search are allowed`},
		{"a search of numbers", bookField(field.Int("pages").Annotations(expose.By(expose.Search))), `Book.pages: expose.Search: only text can be searched, not int`},
		{"a sort by a list", bookField(field.Strings("tags").Optional().Annotations(expose.By(expose.Sort))), `Book.tags: expose.Sort: a list of texts can be filtered, but not sorted`},
		{"a filter by JSON", bookField(field.JSON("extra", map[string]int{}).Optional().Annotations(expose.By(expose.Filter))), `Book.extra: expose.By: a JSON field`},
		{"a filter by a secret", bookField(field.String("note").Optional().Annotations(expose.Secret(), expose.By(expose.Filter))), `Book.note: expose.By: a secret field is never shown`},
		{"a type that can't be shown", bookField(field.Other("scan", sql.NullInt64{}).SchemaType(map[string]string{"postgres": "bigint"}).Optional()), `Book.scan: a field of type sql.NullInt64 cannot be shown: string, text,`},
		{"a filter by bytes", bookField(field.Bytes("scan").Optional().Nillable().Annotations(expose.By(expose.Filter))), `Book.scan: expose.By: a field of bytes`},
		{"a size of what is counted in characters", bookField(field.String("note").Optional().Annotations(expose.Size(7))), `Book.note: expose.Size: bytes or JSON are allowed, not string`},
		{"a time since a number", bookField(field.Time("out_at").Optional().Nillable().Annotations(expose.Since("pages"))), `Book.out_at: expose.Since("pages"): a bool field of the same entity is allowed`},
		{"a time that is always", bookField(field.Time("out_at").Annotations(expose.Since("lent"))), `Book.out_at: expose.Since: a nullable time is allowed, not time.Time`},
		{"a flag of what there is not", bookField(field.Bool("thick").Default(false).Annotations(expose.Positive("width"))), `Book.thick: expose.Positive("width"): a number field of the same entity is allowed`},
		{"a number that is a flag", bookField(field.Int("pages").Annotations(expose.Positive("price"))), `Book.pages: expose.Positive: a bool is allowed, not int`},
		{"uniqueness of numbers", bookField(field.Int("pages").Annotations(expose.UniqueFold())), `Book.pages: expose.UniqueFold: text is allowed, not int`},
		{"money without a currency", bookField(field.Int64("price").Annotations(expose.Money("coin"))), `Book.price: expose.Money("coin"): a text field of the same entity`},
		{"money that is not counted in minor units", bookField(field.Float("price").Annotations(expose.Money("currency"))), `Book.price: expose.Money: an integer of minor units is allowed, not float64`},
		{"callers who are rows of two entities", bookField(field.Int64("shelf_id").Optional().Nillable().Annotations(expose.Caller())), `Book.author_id: expose.Caller: a foreign key to Shelf is allowed`},
		{"a caller who is no row", bookField(field.Int("pages").Annotations(expose.Caller())), `Book.pages: expose.Caller: a foreign key to User is allowed`},
		{"a role that there is not", bookField(field.String("note").Optional().Annotations(expose.VisibleTo("king"))), `Book.note: role "king": the roles of users are allowed: user, admin`},
		{"what is computed and set", bookField(field.String("note").Optional().Annotations(expose.Computed(), expose.Initial())), `Book.note: expose.Computed: only the service sets the field`},
		{"what is internal and shown", bookField(field.String("note").Optional().Annotations(expose.Internal(), expose.By(expose.Sort))), `Book.note: expose.Internal: the field is not shown`},
		{"what nobody can set", bookField(field.String("code").Annotations(expose.Computed())), `Book.code: no client can set the field, and it is required`},
		{"bounds upside down", bookField(expose.Length(field.String("note").Optional(), 9, 3)), `Book.note: bounds: the least length, 9, is above the greatest, 3`},
		{"a range upside down", bookField(expose.Range(field.Int("note").Optional(), 2000000000, -5)), `Book.note: bounds: the lowest value, 2000000000, is above the highest, -5`},
		{"a name that is taken", bookField(field.String("note").Optional().Annotations(expose.Named("pages"))), `Book.note: the REST name "pages" is pages's already`},
		{"range names of what has no order", bookField(field.Bool("lent").Default(false).Annotations(expose.By(expose.Filter), expose.Bounds("a", "b"))), `Book.lent: expose.Bounds: a number, an amount`},
		{"range names that are taken", bookField(field.Int("pages").Annotations(expose.By(expose.Filter), expose.Bounds("id", "long"))), `Book.pages: expose.Bounds: the REST name "id" is id's already`},
		{"a text that is forgotten with no one", bookField(field.String("note").Optional().Annotations(expose.ForgetWith("author_id", ""))), `Book.note: expose.ForgetWith("author_id"): an optional foreign key`},
		{"a default that is refused", bookField(expose.Length(field.String("currency"), 3, 3).Default("dollars")), `Book.currency: default: the field refuses it: must be 3 characters, not 7`},
		{"a default list that is refused", bookField(expose.Items(field.Strings("tags"), 1, 5).Default([]string{"a", "a"})), `Book.tags: default: the field refuses it: must be at most 1 item`},
	})
}
