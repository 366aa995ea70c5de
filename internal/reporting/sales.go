package reporting

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// Sales are the sales of a span.
type Sales struct {
	Span
	Interval Interval
	// Totals has one figure for each currency, Series one for each currency
	// and step in which money moved.
	Totals []Figure
	Series []Figure
}

// Figure has the sales in one currency. Amounts are in minor units.
type Figure struct {
	// Start is when the step begins; zero for a total.
	Start    time.Time
	Currency string
	Orders   int64 // paid, also those that cost nothing
	Gross    int64 // taken, for orders and alone
	Refunded int64 // paid back
}

// Net is gross less refunds.
func (f Figure) Net() int64 { return f.Gross - f.Refunded }

func (f *Figure) add(o Figure) {
	f.Orders += o.Orders
	f.Gross += o.Gross
	f.Refunded += o.Refunded
}

// Sales returns the sales between two moments, 30 days up to now by default.
func (r *Reporter) Sales(ctx context.Context, from, to *time.Time, by Interval) (*Sales, error) {
	if err := Allowed(ctx); err != nil {
		return nil, err
	}
	if err := by.check(); err != nil {
		return nil, err
	}
	span, err := r.span(from, to)
	if err != nil {
		return nil, err
	}
	return r.sales(ctx, span, by)
}

// moneyText gives each day's figures. The database adds up days and Go the
// rest, so that both databases agree on what a week is.
var moneyText = statement.Of(`
	SELECT d, currency, SUM(orders), SUM(gross), SUM(refunded) FROM (
		SELECT day(captured_at) AS d, currency, 0 AS orders, amount AS gross, 0 AS refunded FROM payments
		WHERE status = 'succeeded' AND captured_at >= $1 AND captured_at < $2
		UNION ALL
		SELECT day(paid_at), currency, 1, 0, 0 FROM orders WHERE paid_at >= $1 AND paid_at < $2
		UNION ALL
		SELECT day(refunded_at), currency, 0, 0, amount FROM refunds
		WHERE status = 'succeeded' AND refunded_at >= $1 AND refunded_at < $2) AS moved
	GROUP BY d, currency`)

func (r *Reporter) sales(ctx context.Context, span Span, by Interval) (*Sales, error) {
	totals, series := make(map[string]Figure), make(map[step]Figure)
	err := moneyText.Query(ctx, r.DB, func(rows *sql.Rows) error {
		var f Figure
		var date string
		if err := rows.Scan(&date, &f.Currency, &f.Orders, &f.Gross, &f.Refunded); err != nil {
			return err
		}
		at, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return err
		}
		total := totals[f.Currency]
		total.Currency = f.Currency
		total.add(f)
		totals[f.Currency] = total
		key := step{by.start(at), f.Currency}
		sum := series[key]
		sum.Start, sum.Currency = key.start, key.currency
		sum.add(f)
		series[key] = sum
		return nil
	}, span.From, span.To)
	if err != nil {
		return nil, fmt.Errorf("add up sales: %w", err)
	}
	return &Sales{Span: span, Interval: by, Totals: sorted(totals), Series: sorted(series)}, nil
}

type step struct {
	start    time.Time
	currency string
}

func sorted[K comparable](figures map[K]Figure) []Figure {
	all := make([]Figure, 0, len(figures))
	for _, f := range figures {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b Figure) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Currency, b.Currency))
	})
	return all
}
