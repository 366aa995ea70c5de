package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/money"
)

// ReportInterval is how long a step of a series is.
type ReportInterval string

// Enum are the intervals.
func (ReportInterval) Enum() expose.Field {
	return expose.Enum("ReportInterval", "How long a step of a series is. A week begins on Monday.",
		expose.Choice{Value: "day"}, expose.Choice{Value: "week"}, expose.Choice{Value: "month"})
}

// Figures is the time that figures are of.
type Figures struct {
	From     time.Time      `json:"from" comment:"The beginning."`
	To       time.Time      `json:"to" comment:"The end."`
	Interval ReportInterval `json:"interval" comment:"How long a step is."`
}

// SalesReport is the answer of GET /reports/sales.
type SalesReport struct {
	_ struct{} `comment:"The sales of a time."`
	Figures
	Totals []Sales     `json:"totals" comment:"One for each currency."`
	Series []SalesStep `json:"series" comment:"One for each step and currency in which money moved."`
}

// Sales has the sales in one currency.
type Sales struct {
	_        struct{}     `comment:"Sales in one currency."`
	Currency string       `json:"currency" comment:"The ISO 4217 code of the currency."`
	Orders   int64        `json:"orders" comment:"How many orders were paid."`
	Gross    money.Amount `json:"gross" comment:"The sum of all payments."`
	Refunded money.Amount `json:"refunded" comment:"The sum of all refunds."`
	Net      money.Amount `json:"net" comment:"Payments less refunds."`
}

// SalesStep has the sales in a step.
type SalesStep struct {
	_    struct{} `comment:"Sales in one step of a series, in one currency."`
	Date string   `json:"date" format:"date" comment:"The day on which the step begins, as 2026-01-31."`
	Sales
}

// Analytics is the answer of GET /dashboard/analytics.
type Analytics struct {
	_ struct{} `comment:"The figures of the dashboard."`
	Figures
	GeneratedAt time.Time       `json:"generated_at" comment:"When the figures were read."`
	Totals      AnalyticsTotals `json:"totals" comment:"How many there are now."`
	Sales       []Sales         `json:"sales" comment:"One for each currency."`
	Series      []AnalyticsStep `json:"series" comment:"One for each step, also where nothing happened."`
	TopProducts []TopProduct    `json:"top_products" comment:"At most ten, those of which most were sold first."`
}

// AnalyticsTotals count everything that there is.
type AnalyticsTotals struct {
	_              struct{} `comment:"How many there are of everything now."`
	Users          int64    `json:"users" comment:"The users."`
	ActiveUsers    int64    `json:"active_users" comment:"Those who can sign in."`
	Posts          int64    `json:"posts" comment:"The posts."`
	PublishedPosts int64    `json:"published_posts" comment:"Those that everybody sees."`
	Comments       int64    `json:"comments" comment:"The comments."`
	Products       int64    `json:"products" comment:"The products."`
	Orders         int64    `json:"orders" comment:"The orders."`
	PendingOrders  int64    `json:"pending_orders" comment:"Those that are not paid yet."`
}

// AnalyticsStep is a step of the dashboard's series.
type AnalyticsStep struct {
	_        struct{} `comment:"A step of the dashboard's series: new rows and sales."`
	Date     string   `json:"date" format:"date" comment:"The day on which the step begins, as 2026-01-31."`
	Users    int64    `json:"users" comment:"How many joined."`
	Posts    int64    `json:"posts" comment:"How many were written."`
	Comments int64    `json:"comments" comment:"How many were written."`
	Orders   int64    `json:"orders" comment:"How many were placed."`
	Sales    []Sales  `json:"sales" comment:"One for each currency in which money moved."`
}

// TopProduct is a product that sold well.
type TopProduct struct {
	_         struct{}     `comment:"A product that sold well."`
	ProductID *int64       `json:"product_id" refers:"Product" comment:"The product's id, null once it is removed."`
	Name      string       `json:"name" comment:"Its name when it was ordered."`
	Currency  string       `json:"currency" comment:"The ISO 4217 code of the currency."`
	Quantity  int64        `json:"quantity" comment:"How many were sold."`
	Revenue   money.Amount `json:"revenue" comment:"The sum that customers paid for them."`
}

// figuresInput is the time that figures are asked for.
func figuresInput() []ent.Field {
	return []ent.Field{
		field.Time("from").Optional().
			Comment("The beginning: a time, or a day in UTC such as 2026-01-31. 30 days before the end without it.").
			Annotations(expose.Moment(), expose.Example("2026-01-01")),
		field.Time("to").Optional().
			Comment("The end: a time, which does not belong to it, or the last day, in UTC. Now without it.").
			Annotations(expose.EndMoment(), expose.Example("2026-02-01")),
		field.Enum("interval").Values("day", "week", "month").Default("day").
			Comment("How long the steps of the series are. A week begins on Monday.").
			Annotations(ReportInterval("").Enum(), expose.Example("week")),
	}
}

// figures are the reads of how business goes. The policy of jobs has the rights.
func figures() []expose.Action {
	at := func(day string) time.Time {
		t, _ := time.Parse(time.DateOnly, day)
		return t
	}
	usd := func(cents int64) money.Amount { return money.Amount{Minor: cents, Currency: "USD"} }
	sold := Sales{Currency: "USD", Orders: 2, Gross: usd(5998), Refunded: usd(1000), Net: usd(4998)}
	product := int64(3)
	return []expose.Action{
		{
			Verb: "sales", Scope: expose.Unbound, Run: expose.OutsideTx, Input: figuresInput(),
			Charts: []expose.Chart{
				{Title: "Net and paid back", List: "series", Along: "date", Values: []string{"net", "refunded"}, Each: "currency"},
				{Title: "Orders that were paid", List: "series", Along: "date", Values: []string{"orders"}, Each: "currency"},
			},
			Comment: "The sales between two moments, 30 days up to now by default: totals for each currency, and a series. " +
				"Money counts when it moved: a sale with its payment, a refund when it was paid back. Days are days in UTC.",
			Answer: expose.AnswerOf(SalesReport{
				Figures: Figures{at("2026-01-01"), at("2026-02-01"), "week"},
				Totals:  []Sales{sold}, Series: []SalesStep{{Date: "2025-12-29", Sales: sold}},
			}),
			Names: expose.Names{ID: "readSales", GraphQL: "salesReport", Method: "GET", Path: "/reports/sales", Tag: "Reports", Summary: "Read the sales", Answer: "SalesReport"},
		},
		{
			Verb: "analytics", Scope: expose.Unbound, Run: expose.OutsideTx, Input: figuresInput(),
			Charts: []expose.Chart{
				{Title: "What was new", List: "series", Along: "date", Values: []string{"users", "posts", "comments", "orders"}, Lines: true},
				{Title: "Products that sold best", List: "top_products", Along: "name", Values: []string{"quantity"}},
			},
			Comment: "The dashboard of the time between two moments, 30 days up to now by default: the numbers of everything, the new rows and the sales " +
				"in each step, and the ten products that sold best. Days are days in UTC. The figures are up to 15 seconds old.",
			Answer: expose.AnswerOf(Analytics{
				Figures: Figures{at("2026-01-01"), at("2026-01-02"), "day"}, GeneratedAt: time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC),
				Totals: AnalyticsTotals{Users: 12, ActiveUsers: 11, Posts: 40, PublishedPosts: 31, Comments: 99, Products: 7, Orders: 5, PendingOrders: 1},
				Sales:  []Sales{sold}, Series: []AnalyticsStep{{Date: "2026-01-01", Users: 1, Posts: 3, Comments: 9, Orders: 2, Sales: []Sales{sold}}},
				TopProducts: []TopProduct{{ProductID: &product, Name: "Lamp", Currency: "USD", Quantity: 3, Revenue: usd(5997)}},
			}),
			Names: expose.Names{ID: "readAnalytics", GraphQL: "analytics", Method: "GET", Path: "/dashboard/analytics", Tag: "Reports", Summary: "Read the dashboard", Answer: "AnalyticsReport"},
		},
	}
}
