package gql

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// SalesReport resolves salesReport.
func (q *queries) SalesReport(ctx context.Context, from, to *string, by generated.ReportInterval) (*generated.SalesReport, error) {
	span, err := readSpan(from, to)
	if err != nil {
		return nil, err
	}
	s, err := q.Reporter.Sales(ctx, span.from, span.to, reporting.Interval(by))
	if err != nil {
		return nil, err
	}
	report := &generated.SalesReport{From: s.From, To: s.To, Interval: by, Totals: sales(s.Totals), Series: make([]*generated.SalesStep, len(s.Series))}
	for i, f := range s.Series {
		sold := sale(f)
		report.Series[i] = &generated.SalesStep{
			Date: f.Start.Format(time.DateOnly), Currency: sold.Currency, Orders: sold.Orders,
			Gross: sold.Gross, Refunded: sold.Refunded, Net: sold.Net,
		}
	}
	return report, nil
}

// Analytics resolves analytics.
func (q *queries) Analytics(ctx context.Context, from, to *string, by generated.ReportInterval) (*generated.Analytics, error) {
	span, err := readSpan(from, to)
	if err != nil {
		return nil, err
	}
	a, err := q.Reporter.Analytics(ctx, span.from, span.to, reporting.Interval(by))
	if err != nil {
		return nil, err
	}
	dashboard := &generated.Analytics{
		From: a.From, To: a.To, Interval: by, GeneratedAt: a.At, Totals: totals(a.Totals), Sales: sales(a.Sales),
		Series: make([]*generated.AnalyticsStep, len(a.Series)), TopProducts: make([]*generated.TopProduct, len(a.TopProducts)),
	}
	for i, p := range a.Series {
		dashboard.Series[i] = &generated.AnalyticsStep{
			Date: p.Start.Format(time.DateOnly), Users: int(p.Users), Posts: int(p.Posts), Comments: int(p.Comments), Orders: int(p.Orders),
			Sales: sales(p.Sales),
		}
	}
	for i, p := range a.TopProducts {
		dashboard.TopProducts[i] = topProduct(p)
	}
	return dashboard, nil
}

// moments reads the bounds of a span, and keeps what is wrong with them.
type moments struct{ bad []problem.Detail }

func (m *moments) from(text *string) *time.Time { return m.read("from", text, reading.ParseMoment) }

func (m *moments) to(text *string) *time.Time { return m.read("to", text, reading.ParseEnd) }

func (m *moments) read(field string, text *string, parse func(string) (time.Time, error)) *time.Time {
	if text == nil {
		return nil
	}
	t, err := parse(*text)
	if err != nil {
		m.bad = append(m.bad, problem.Invalidf(field, *text, "%v", err))
		return nil
	}
	return &t
}

// span is the time that figures are asked for.
type span struct{ from, to *time.Time }

func readSpan(from, to *string) (span, error) {
	var m moments
	s := span{m.from(from), m.to(to)}
	return s, problem.Inputs(m.bad...)
}

func totals(t reporting.Totals) *generated.AnalyticsTotals {
	return &generated.AnalyticsTotals{
		Users: int(t.Users), ActiveUsers: int(t.ActiveUsers), Posts: int(t.Posts), PublishedPosts: int(t.PublishedPosts),
		Comments: int(t.Comments), Products: int(t.Products), Orders: int(t.Orders), PendingOrders: int(t.PendingOrders),
	}
}

func topProduct(p reporting.TopProduct) *generated.TopProduct {
	top := &generated.TopProduct{Name: p.Name, Currency: p.Currency, Quantity: int(p.Quantity), Revenue: money.Float(p.Revenue, p.Currency)}
	if p.ProductID != 0 {
		id := gid.Encode(entity.Product.Name, p.ProductID)
		top.ProductID = &id
	}
	return top
}

func sales(figures []reporting.Figure) []*generated.Sales {
	all := make([]*generated.Sales, len(figures))
	for i, f := range figures {
		all[i] = sale(f)
	}
	return all
}

func sale(f reporting.Figure) *generated.Sales {
	return &generated.Sales{
		Currency: f.Currency, Orders: int(f.Orders), Gross: money.Float(f.Gross, f.Currency),
		Refunded: money.Float(f.Refunded, f.Currency), Net: money.Float(f.Net(), f.Currency),
	}
}
