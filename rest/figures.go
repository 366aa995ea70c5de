package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/oas/server"
)

var mayReport = door.Guard{Entity: entity.Job, Verb: "report"}

// figureGuards are the guards of the operations in figures.yaml.
var figureGuards = map[string]door.Guard{"readSales": mayReport, "readAnalytics": mayReport}

// ReadSales answers with the sales of a time: GET /reports/sales.
func (o *operations) ReadSales(ctx context.Context, params server.ReadSalesParams, w http.ResponseWriter) error {
	span, err := readSpan(params.From, params.To, params.Interval)
	if err != nil {
		return err
	}
	sales, err := o.Reporter.Sales(ctx, span.from, span.to, span.by)
	if err != nil {
		return parameters(err)
	}
	return answerFigures(ctx, w, salesBody(sales))
}

// ReadAnalytics answers with the dashboard: GET /dashboard/analytics.
func (o *operations) ReadAnalytics(ctx context.Context, params server.ReadAnalyticsParams, w http.ResponseWriter) error {
	span, err := readSpan(params.From, params.To, params.Interval)
	if err != nil {
		return err
	}
	analytics, err := o.Reporter.Analytics(ctx, span.from, span.to, span.by)
	if err != nil {
		return parameters(err)
	}
	return answerFigures(ctx, w, analyticsBody(analytics))
}

// moments reads moments, and keeps what is wrong with them.
type moments struct{ bad []problem.Detail }

func (m *moments) from(get func() (string, bool)) *time.Time {
	return m.read("from", get, reading.ParseMoment)
}

func (m *moments) to(get func() (string, bool)) *time.Time {
	return m.read("to", get, reading.ParseEnd)
}

func (m *moments) read(field string, get func() (string, bool), parse func(string) (time.Time, error)) *time.Time {
	text, given := get()
	if !given {
		return nil
	}
	t, err := parse(text)
	if err != nil {
		m.bad = append(m.bad, problem.Rulef(field, text, "%v", err))
		return nil
	}
	return &t
}

// asked is the time that figures are asked for, and the length of its steps.
type asked struct {
	from, to *time.Time
	by       reporting.Interval
}

func readSpan(from, to server.OptString, by server.OptFiguresInterval) (asked, error) {
	var m moments
	a := asked{from: m.from(from.Get), to: m.to(to.Get), by: reporting.Interval(by.Or(server.FiguresIntervalDay))}
	return a, parameters(problem.Inputs(m.bad...))
}

// parameters makes of bad inputs bad parameters, which are always 400.
func parameters(err error) error {
	p := problem.As(err)
	if p == nil || p.Kind != problem.Unprocessable {
		return err
	}
	bad := *p
	bad.Kind = problem.Invalid
	return &bad
}

func answerFigures(ctx context.Context, w http.ResponseWriter, data any) error {
	body, err := json.Marshal(envelope{success, data})
	if err != nil {
		return err
	}
	return door.From(ctx).Answer(w, door.Answer{Body: body})
}

// figure is a reporting.Figure on the wire.
type figure struct {
	Date     string      `json:"date,omitempty"`
	Currency string      `json:"currency"`
	Orders   int64       `json:"orders"`
	Gross    json.Number `json:"gross"`
	Refunded json.Number `json:"refunded"`
	Net      json.Number `json:"net"`
}

// figures writes the figures, those of a series with their dates.
func figures(all []reporting.Figure, dated bool) []figure {
	list := make([]figure, len(all))
	for i, f := range all {
		list[i] = figure{
			Currency: f.Currency, Orders: f.Orders, Gross: amount(f.Gross, f.Currency),
			Refunded: amount(f.Refunded, f.Currency), Net: amount(f.Net(), f.Currency),
		}
		if dated {
			list[i].Date = f.Start.Format(time.DateOnly)
		}
	}
	return list
}

func amount(minor int64, currency string) json.Number {
	return json.Number(money.Append(nil, minor, currency))
}

type spanBody struct {
	From     time.Time          `json:"from"`
	To       time.Time          `json:"to"`
	Interval reporting.Interval `json:"interval"`
}

type salesData struct {
	spanBody
	Totals []figure `json:"totals"`
	Series []figure `json:"series"`
}

func salesBody(s *reporting.Sales) salesData {
	return salesData{
		spanBody: spanBody{s.From, s.To, s.Interval},
		Totals:   figures(s.Totals, false), Series: figures(s.Series, true),
	}
}
