package seed

import (
	"slices"

	"github.com/entwine-go/entwine/kit/sample"
	"github.com/entwine-go/entwine/kit/viewer"
)

// hints make values of this service's columns more like real ones than their
// types and names do. One of a column that is no more is for nothing, and one
// that is missing costs a row its looks and no more.
var hints = map[string]func(r *row, c *sample.Column) any{
	"users.role":               func(r *row, c *sample.Column) any { return r.s.role(c) },
	"users.is_active":          func(r *row, _ *sample.Column) any { return r.s.chance(0.97) },
	"users.age":                func(r *row, _ *sample.Column) any { return r.s.age() },
	"users.salary":             func(r *row, _ *sample.Column) any { return r.s.salary() },
	"products.name":            func(r *row, _ *sample.Column) any { return r.s.words.product() },
	"products.category":        func(r *row, _ *sample.Column) any { return r.s.words.one(departments) },
	"products.currency":        func(_ *row, c *sample.Column) any { return c.Default },
	"products.stock":           func(r *row, _ *sample.Column) any { return r.s.stock() },
	"products.in_stock":        func(r *row, _ *sample.Column) any { stock, _ := r.get("stock").(int64); return stock > 0 },
	"categories.name":          topic,
	"posts.published":          func(r *row, _ *sample.Column) any { return r.s.chance(0.85) },
	"posts.published_at":       func(r *row, _ *sample.Column) any { return when(r.get("published") == true, r.at) },
	"posts.archived_at":        func(*row, *sample.Column) any { return nil },
	"posts.category_id":        func(r *row, c *sample.Column) any { return when(r.s.chance(0.8), r.refers(c)) },
	"comments.text":            func(r *row, _ *sample.Column) any { return r.s.prose.remark(r.s.random) },
	"reviews.text":             func(r *row, _ *sample.Column) any { return r.s.prose.remark(r.s.random) },
	"cart_items.quantity":      func(r *row, _ *sample.Column) any { return int64(1 + r.s.random.IntN(3)) },
	"cart_items.price_seen":    func(*row, *sample.Column) any { return nil },
	"cart_items.currency_seen": func(*row, *sample.Column) any { return nil },
}

// topics are the first categories.
var topics = []string{"arts", "business", "cooking", "gardening", "health", "history", "music", "science", "sports", "travel"}

func topic(r *row, c *sample.Column) any {
	if r.i <= int64(len(topics)) {
		return topics[r.i-1]
	}
	return r.value(c)
}

// when is the value, or null.
func when(yes bool, value any) any {
	if !yes {
		return nil
	}
	return value
}

// role returns the column's default for most, and never admin.
func (s *Seeder) role(c *sample.Column) string {
	if s.chance(0.95) {
		return c.Default.(string)
	}
	others := slices.DeleteFunc(slices.Clone(c.Values), func(role string) bool { return role == c.Default || role == string(viewer.Admin) })
	return others[s.random.IntN(len(others))]
}

// age returns an age; most people have given theirs.
func (s *Seeder) age() any {
	if s.chance(0.2) {
		return nil
	}
	return int64(min(120, 18+int(s.random.ExpFloat64()*15)))
}

func (s *Seeder) salary() any {
	if s.chance(0.7) {
		return nil
	}
	return float64(25_000 + 500*s.random.IntN(250))
}

func (s *Seeder) stock() any {
	if s.chance(0.1) {
		return int64(0)
	}
	return int64(s.random.IntN(500))
}
