package reporting

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/schema"
)

// Analytics are the figures of the dashboard.
type Analytics struct {
	Span
	Interval Interval
	// At is when they were read: they are kept for a moment.
	At     time.Time
	Totals Totals
	// Sales are those of the span, one figure for each currency.
	Sales []Figure
	// Series has a point for each step of the span.
	Series      []Point
	TopProducts []TopProduct
}

// Totals count everything that there is.
type Totals = schema.AnalyticsTotals

// Point is one step of the series: its new rows and its sales.
type Point struct {
	Start                          time.Time
	Users, Posts, Comments, Orders int64
	Sales                          []Figure
}

// TopProduct is a product that sold well in the span.
type TopProduct struct {
	ProductID int64 // 0 where the product has been removed
	Name      string
	Currency  string
	Quantity  int64
	Revenue   int64 // in minor units
}

// Analytics returns the dashboard of the time between two moments, 30 days up
// to now by default.
func (r *Reporter) Analytics(ctx context.Context, from, to *time.Time, by Interval) (*Analytics, error) {
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
	key := cacheKey{by: by, openFrom: from == nil, openTo: to == nil}
	if from != nil {
		key.from = span.From
	}
	if to != nil {
		key.to = span.To
	}
	return r.cache.get(ctx, key, r.now(), func(ctx context.Context) (*Analytics, error) {
		return r.analytics(ctx, span, by)
	})
}

func (r *Reporter) analytics(ctx context.Context, span Span, by Interval) (*Analytics, error) {
	a := &Analytics{Span: span, Interval: by, At: r.now()}
	sales, err := r.sales(ctx, span, by)
	if err != nil {
		return nil, err
	}
	a.Sales = sales.Totals
	if a.Totals, err = r.totals(ctx); err != nil {
		return nil, err
	}
	if a.TopProducts, err = r.topProducts(ctx, span); err != nil {
		return nil, err
	}
	a.Series, err = r.series(ctx, span, by, sales.Series)
	return a, err
}

var totalsText = statement.Of(`
	SELECT
		(SELECT COUNT(*) FROM users WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM users WHERE deleted_at IS NULL AND is_active),
		(SELECT COUNT(*) FROM posts WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM posts WHERE deleted_at IS NULL AND published),
		(SELECT COUNT(*) FROM comments WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM products WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM orders),
		(SELECT COUNT(*) FROM orders WHERE status = 'pending')`)

func (r *Reporter) totals(ctx context.Context) (t Totals, err error) {
	_, err = totalsText.Row(ctx, r.DB, []any{
		&t.Users, &t.ActiveUsers, &t.Posts, &t.PublishedPosts, &t.Comments, &t.Products, &t.Orders, &t.PendingOrders,
	})
	if err != nil {
		return t, fmt.Errorf("count everything: %w", err)
	}
	return t, nil
}

// topText ranks by how many were sold: amounts of two currencies have no order.
var topText = statement.Of(`
	SELECT COALESCE(i.product_id, 0), MAX(i.name), i.currency, SUM(i.quantity), SUM(i.total)
	FROM order_items AS i JOIN orders AS o ON o.id = i.order_id
	WHERE o.paid_at >= $1 AND o.paid_at < $2
	GROUP BY i.product_id, CASE WHEN i.product_id IS NULL THEN i.name END, i.currency
	ORDER BY SUM(i.quantity) DESC, MIN(i.id) LIMIT 10`)

func (r *Reporter) topProducts(ctx context.Context, span Span) (all []TopProduct, err error) {
	err = topText.Query(ctx, r.DB, func(rows *sql.Rows) error {
		var p TopProduct
		err := rows.Scan(&p.ProductID, &p.Name, &p.Currency, &p.Quantity, &p.Revenue)
		all = append(all, p)
		return err
	}, span.From, span.To)
	if err != nil {
		return nil, fmt.Errorf("rank products: %w", err)
	}
	return all, nil
}

var newText = statement.Of(`
	SELECT d, what, COUNT(*) FROM (
		SELECT day(created_at) AS d, 'users' AS what FROM users WHERE created_at >= $1 AND created_at < $2
		UNION ALL SELECT day(created_at), 'posts' FROM posts WHERE created_at >= $1 AND created_at < $2
		UNION ALL SELECT day(created_at), 'comments' FROM comments WHERE created_at >= $1 AND created_at < $2
		UNION ALL SELECT day(created_at), 'orders' FROM orders WHERE created_at >= $1 AND created_at < $2) AS made
	GROUP BY d, what`)

// series has a point for every step, also where nothing happened.
func (r *Reporter) series(ctx context.Context, span Span, by Interval, sales []Figure) ([]Point, error) {
	starts := by.steps(span)
	points, at := make([]Point, len(starts)), make(map[time.Time]*Point, len(starts))
	for i, start := range starts {
		points[i].Start = start
		at[start] = &points[i]
	}
	for _, f := range sales {
		if p := at[f.Start]; p != nil {
			p.Sales = append(p.Sales, f)
		}
	}
	err := newText.Query(ctx, r.DB, func(rows *sql.Rows) error {
		var date, what string
		var n int64
		if err := rows.Scan(&date, &what, &n); err != nil {
			return err
		}
		t, err := time.Parse(time.DateOnly, date)
		if p := at[by.start(t)]; p != nil && err == nil {
			p.count(what, n)
		}
		return err
	}, span.From, span.To)
	if err != nil {
		return nil, fmt.Errorf("count what is new: %w", err)
	}
	return points, nil
}

func (p *Point) count(what string, n int64) {
	switch what {
	case "users":
		p.Users += n
	case "posts":
		p.Posts += n
	case "comments":
		p.Comments += n
	case "orders":
		p.Orders += n
	}
}
