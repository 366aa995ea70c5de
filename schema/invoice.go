package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Invoice is the bill of a paid order: a copy that never changes but for the
// customer's data, which leave with the account.
type Invoice struct{ ent.Schema }

// Fields of the Invoice.
func (Invoice) Fields() []ent.Field {
	return []ent.Field{
		expose.AtLeast(field.Int64("number"), 1).Unique().Immutable().
			Comment("The number. Invoices are numbered without gaps.").
			Annotations(expose.Computed(), expose.Example(1042)),
		field.String("customer_name").
			Comment("The customer's name.").
			Annotations(expose.Computed(), expose.ForgetWith("user_id", "removed customer"), expose.Example("Ada Lovelace")),
		field.String("customer_email").
			Comment("The customer's e-mail address, empty once the account is removed.").
			Annotations(expose.Computed(), expose.ForgetWith("user_id", ""), expose.Example("ada@example.com")),
		field.String("seller_name").Default("").Immutable().
			Comment("The seller's name when the invoice was issued, empty where none was set.").
			Annotations(expose.Computed(), expose.Example("Analytical Engines Ltd")),
		field.String("seller_address").Default("").Immutable().
			Comment("The seller's address then, in lines.").
			Annotations(expose.Computed(), expose.Example("1 Analytical Row\nLondon")),
		field.String("seller_tax_id").Default("").Immutable().
			Comment("The number that the seller paid taxes under.").
			Annotations(expose.Computed(), expose.Example("GB123456789")),
		field.String("seller_email").Default("").Immutable().
			Comment("Where the seller could be written to.").
			Annotations(expose.Computed(), expose.Example("billing@example.com")),
		field.JSON("lines", []InvoiceLine{}).Immutable().
			Comment("The lines: name, quantity, price and total of each, in minor units.").
			Annotations(expose.Internal()),
		expose.AtLeast(field.Int64("subtotal"), 0).Immutable().
			Comment("The sum of the lines.").
			Annotations(expose.Money("currency"), expose.Computed(), expose.Example(39.98)),
		expose.AtLeast(field.Int64("total"), 0).Immutable().
			Comment("The billed lines.").
			Annotations(expose.Money("currency"), expose.Computed(), expose.Example(39.98)),
		expose.Currency(field.String("currency")).Immutable().
			Comment("The ISO 4217 code of the currency of all amounts.").
			Annotations(expose.Computed(), expose.Example("USD")),
		field.Int64("order_id").Immutable().
			Comment("The order that is billed.").
			Annotations(expose.Computed()),
		field.Int64("user_id").Optional().Nillable().
			Comment("The customer, null once the account is removed.").
			Annotations(expose.Computed()),
		expose.File(field.String("document"), expose.Issued).Optional().Nillable().
			Comment("The address of the invoice as PDF, null until it is first printed, and again once it says something else.").
			Annotations(expose.Computed(), expose.ForgetWith("user_id", ""), expose.Example("/api/files/wvlz4obqhu3xkmyncdtf5rgjse")),
		field.String("document_of").Default("").
			Comment("Where the order stood when the PDF was printed.").
			Annotations(expose.Internal()),
	}
}

// InvoiceLine is a line of an invoice, with amounts in minor units.
type InvoiceLine struct {
	Name     string `comment:"The product's name when it was ordered."           json:"name"`
	Quantity int64  `comment:"How many were ordered."                            json:"quantity"`
	Price    int64  `comment:"The product's price when it was ordered, for one." json:"price"    money:"true"`
	Total    int64  `comment:"The price of the line."                      json:"total"    money:"true"`
}

// Mixin of the Invoice.
func (Invoice) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the Invoice.
func (Invoice) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("order", Order.Type).Ref("invoice").Field("order_id").Unique().Required().Immutable().
			Comment("The order that is billed."),
		edge.To("user", User.Type).Field("user_id").Unique().
			Comment("The customer.").
			Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

// Indexes of the Invoice.
func (Invoice) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id")}
}

// Policy of the Invoice.
func (Invoice) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Any(policy.Owner("user_id"), admin),
	}
}

// Annotations of the Invoice.
func (Invoice) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("The bill of a paid order."),
		expose.Resource{
			Path: "invoice", Under: "order", Operations: []expose.Operation{expose.Read},
			Derived: []expose.Derived{
				{
					Name: "status", Shape: expose.Text, Values: []string{"paid", "partially_refunded", "refunded"}, Example: "paid",
					Comment: "Where the billed order stands: paid, or paid back in parts or whole.",
					SQL:     `SELECT status FROM orders WHERE id = {row}.order_id`,
				},
				expose.Derived{
					Name: "lines", Currency: "currency", SQL: `{row}.lines`, Comment: "The billed lines.",
					Example: []map[string]any{{"name": "Slide rule", "quantity": 2, "price": 19.99, "total": 39.98}},
				}.Of(InvoiceLine{}),
			},
		},
	}
}
