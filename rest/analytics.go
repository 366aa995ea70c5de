package rest

import (
	"encoding/json"
	"time"

	"github.com/entwine-go/entwine/internal/reporting"
)

// analyticsData is reporting.Analytics on the wire.
type analyticsData struct {
	spanBody
	GeneratedAt time.Time       `json:"generated_at"`
	Totals      analyticsTotals `json:"totals"`
	Sales       []figure        `json:"sales"`
	Series      []analyticsStep `json:"series"`
	TopProducts []topProduct    `json:"top_products"`
}

// analyticsTotals has the fields of reporting.Totals, in their order.
type analyticsTotals struct {
	Users          int64 `json:"users"`
	ActiveUsers    int64 `json:"active_users"`
	Posts          int64 `json:"posts"`
	PublishedPosts int64 `json:"published_posts"`
	Comments       int64 `json:"comments"`
	Products       int64 `json:"products"`
	Orders         int64 `json:"orders"`
	PendingOrders  int64 `json:"pending_orders"`
}

type analyticsStep struct {
	Date     string   `json:"date"`
	Users    int64    `json:"users"`
	Posts    int64    `json:"posts"`
	Comments int64    `json:"comments"`
	Orders   int64    `json:"orders"`
	Sales    []figure `json:"sales"`
}

type topProduct struct {
	ProductID *int64      `json:"product_id"`
	Name      string      `json:"name"`
	Currency  string      `json:"currency"`
	Quantity  int64       `json:"quantity"`
	Revenue   json.Number `json:"revenue"`
}

func analyticsBody(a *reporting.Analytics) analyticsData {
	data := analyticsData{
		spanBody:    spanBody{a.From, a.To, a.Interval},
		GeneratedAt: a.At, Totals: analyticsTotals(a.Totals), Sales: figures(a.Sales, false),
		Series: make([]analyticsStep, len(a.Series)), TopProducts: make([]topProduct, len(a.TopProducts)),
	}
	for i, p := range a.Series {
		data.Series[i] = analyticsStep{
			Date: p.Start.Format(time.DateOnly), Users: p.Users, Posts: p.Posts, Comments: p.Comments, Orders: p.Orders,
			Sales: figures(p.Sales, false),
		}
	}
	for i, p := range a.TopProducts {
		data.TopProducts[i] = topProduct{
			Name: p.Name, Currency: p.Currency, Quantity: p.Quantity, Revenue: amount(p.Revenue, p.Currency),
		}
		if p.ProductID != 0 {
			data.TopProducts[i].ProductID = &p.ProductID
		}
	}
	return data
}
