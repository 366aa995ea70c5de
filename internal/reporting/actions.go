package reporting

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
	"github.com/entwine-go/entwine/schema"
)

// Reports are the methods behind the actions of schema.Job that are about reports.
type Reports struct{ *Reporter }

// CheckReport says what is wrong with the time of a report.
func CheckReport(in write.Values, _ func(...string) bool) []problem.Detail {
	return moments(write.Maybe[time.Time](in, "from"), write.Maybe[time.Time](in, "to"))
}

// CheckFigures says what is wrong with the time that figures are asked for.
func (r *Reporter) CheckFigures(in write.Values, right func(...string) bool) []problem.Detail {
	if !right("from", "to") {
		return nil // each has a default that follows from the other
	}
	_, err := r.span(write.Maybe[time.Time](in, "from"), write.Maybe[time.Time](in, "to"))
	if p := problem.As(err); p != nil {
		return p.Details
	}
	return nil
}

// Report accepts a report, and answers with the job that makes it.
func (r Reports) Report(ctx context.Context, in rows.ReportRequest) (write.Result, error) {
	id, err := r.Generate(ctx, Report{Type: Type(in.Type), Format: Format(in.Format), From: in.From, To: in.To}.As(write.APIOf(ctx)))
	return write.Result{Job: id}, err
}

// Sales answers with the sales of a time.
func (r Reports) Sales(ctx context.Context, in rows.JobSales) (write.Result, error) {
	s, err := r.Reporter.Sales(ctx, in.From, in.To, Interval(in.Interval))
	if err != nil {
		return write.Result{}, err
	}
	report := schema.SalesReport{Figures: spanned(s.Span, s.Interval), Totals: sold(s.Totals), Series: make([]schema.SalesStep, len(s.Series))}
	for i, sales := range sold(s.Series) {
		report.Series[i] = schema.SalesStep{Date: s.Series[i].Start.Format(time.DateOnly), Sales: sales}
	}
	return write.Result{Members: report}, nil
}

// Analytics answers with the dashboard.
func (r Reports) Analytics(ctx context.Context, in rows.JobAnalytics) (write.Result, error) {
	a, err := r.Reporter.Analytics(ctx, in.From, in.To, Interval(in.Interval))
	if err != nil {
		return write.Result{}, err
	}
	shown := schema.Analytics{
		Figures: spanned(a.Span, a.Interval), GeneratedAt: a.At, Totals: a.Totals, Sales: sold(a.Sales),
		Series: make([]schema.AnalyticsStep, len(a.Series)), TopProducts: make([]schema.TopProduct, len(a.TopProducts)),
	}
	for i, p := range a.Series {
		shown.Series[i] = schema.AnalyticsStep{
			Date: p.Start.Format(time.DateOnly), Users: p.Users, Posts: p.Posts, Comments: p.Comments, Orders: p.Orders, Sales: sold(p.Sales),
		}
	}
	for i, p := range a.TopProducts {
		shown.TopProducts[i] = schema.TopProduct{
			Name: p.Name, Currency: p.Currency, Quantity: p.Quantity, Revenue: money.Amount{Minor: p.Revenue, Currency: p.Currency},
		}
		if p.ProductID != 0 {
			shown.TopProducts[i].ProductID = &p.ProductID
		}
	}
	return write.Result{Members: shown}, nil
}

func spanned(s Span, by Interval) schema.Figures {
	return schema.Figures{From: s.From, To: s.To, Interval: schema.ReportInterval(by)}
}

func sold(all []Figure) []schema.Sales {
	sales := make([]schema.Sales, len(all))
	for i, f := range all {
		amount := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: f.Currency} }
		sales[i] = schema.Sales{Currency: f.Currency, Orders: f.Orders, Gross: amount(f.Gross), Refunded: amount(f.Refunded), Net: amount(f.Net())}
	}
	return sales
}
