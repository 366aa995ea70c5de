package conformance_test

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// priced is a product in a list.
type priced struct {
	ID       int64
	Price    json.Number
	Currency string
}

func (p priced) units(t *testing.T) int64 {
	t.Helper()
	d, err := money.ParseDecimal(string(p.Price))
	if err != nil {
		t.Fatal(err)
	}
	return d.Units()
}

// catalogue makes products in currencies with none to four decimals, some of
// them at the same number.
func catalogue(ctx context.Context, t *testing.T, db *store.DB) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(3, 4))
	numbers := []string{"0", "1", "12", "1200", "19", "20", "1000000"}
	fine := []string{"19.99", "19.9", "12.5", "0.05"}
	for n := range 60 {
		code := []string{"USD", "JPY", "KWD", "CLF", "EUR"}[n%5]
		number := numbers[rnd.IntN(len(numbers))]
		if code != "JPY" && rnd.IntN(2) == 0 {
			number = fine[rnd.IntN(len(fine))]
		}
		minor, err := money.Parse(number, code)
		if err != nil {
			t.Fatal(err)
		}
		orm.Client(db).Product.Create().SetName("P").SetPrice(minor).SetCurrency(code).ExecX(ctx)
	}
}

// list reads the products that the parameters ask for, page by page.
func list(ctx context.Context, t *testing.T, r *read.Reader, parameters string) (all []priced) {
	t.Helper()
	values, err := url.ParseQuery(parameters + "&limit=7&cursor=")
	if err != nil {
		t.Fatal(err)
	}
	for {
		p, err := params.Parse(ctx, entity.Product, values, params.Options{})
		if err != nil {
			t.Fatalf("%s: %v", parameters, err)
		}
		text, info, err := r.Page(ctx, nil, p.Selection, p.Query)
		if err != nil {
			t.Fatalf("%s: %v", parameters, err)
		}
		var page []priced
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		all = append(all, page...)
		if !info.HasNext {
			return all
		}
		values.Set("cursor", info.End)
	}
}

// Amounts of all currencies are filtered and sorted by the numbers that are
// shown of them, page by page, on both databases.
func TestAmountsOfAllCurrenciesHaveOneOrder(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := viewer.With(t.Context(), viewer.System())
		catalogue(ctx, t, db)
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		all := list(ctx, t, r, "sort=id")
		ordered := func(a, b priced) int { return cmp.Or(cmp.Compare(a.units(t), b.units(t)), cmp.Compare(a.ID, b.ID)) }
		for parameters, order := range map[string]func(a, b priced) int{
			"sort=price":     ordered,
			"sort=-price":    func(a, b priced) int { return ordered(b, a) },
			"sort=-price,id": func(a, b priced) int { return cmp.Or(cmp.Compare(b.units(t), a.units(t)), cmp.Compare(a.ID, b.ID)) },
		} {
			want := slices.SortedFunc(slices.Values(all), order)
			if got := list(ctx, t, r, parameters); !slices.Equal(got, want) {
				t.Errorf("%s:\n%v, want\n%v", parameters, got, want)
			}
		}
		for _, bound := range []string{"12.5", "19.9", "19.9001", "12", "1200", "0", "0.0001"} {
			d, err := money.ParseDecimal(bound)
			if err != nil {
				t.Fatal(err)
			}
			for parameter, admits := range map[string]func(units int64) bool{
				"price=":       func(n int64) bool { return n == d.Units() },
				"price[gt]=":   func(n int64) bool { return n > d.Units() },
				"price[gte]=":  func(n int64) bool { return n >= d.Units() },
				"price[lt]=":   func(n int64) bool { return n < d.Units() },
				"maxPrice=":    func(n int64) bool { return n <= d.Units() },
				"price[in]=1,": func(n int64) bool { return n == d.Units() || n == 10_000 },
			} {
				want := slices.DeleteFunc(slices.Clone(all), func(p priced) bool { return !admits(p.units(t)) })
				if got := list(ctx, t, r, "sort=id&"+parameter+bound); !slices.Equal(got, want) {
					t.Errorf("%s%s:\n%v, want\n%v", parameter, bound, got, want)
				}
			}
		}
	})
}

// The schema's index by price serves the order by price.
func TestAnIndexServesTheOrderByAmount(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		var log store.Log
		ctx := store.WithStatementLog(viewer.With(t.Context(), viewer.System()), &log)
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		shape := read.Select(entity.Product)
		shape.Field("id", entity.Product.ID())
		_, _, err := r.Page(ctx, nil, shape, read.Query{Sort: []kitentity.Term{{Field: entity.ProductFields.Price}}, Page: read.Page{Limit: 7}, Deleted: true})
		if err != nil {
			t.Fatal(err)
		}
		text := log.Statements()[0]
		if strings.Contains(text, "CASE") || !strings.Contains(text, `"price_units"`) {
			t.Errorf("what a price is compared by is reckoned in the statement: %s", text)
		}
		err = db.InTx(t.Context(), func(ctx context.Context) error {
			explain := "EXPLAIN QUERY PLAN "
			if db.Postgres() {
				explain = "EXPLAIN "
				for _, off := range []string{"enable_seqscan", "enable_sort", "enable_bitmapscan"} {
					if _, err := db.ExecContext(ctx, "SET LOCAL "+off+" = off"); err != nil {
						return err
					}
				}
			}
			rows, err := db.QueryContext(ctx, explain+text)
			if err != nil {
				return err
			}
			defer func() { _ = rows.Close() }()
			plan := lines(t, rows)
			if !strings.Contains(plan, "units_products_price_id") || strings.Contains(plan, "Sort") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s is planned as\n%s", text, plan)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// lines are the rows as text.
func lines(t *testing.T, rows *sql.Rows) string {
	t.Helper()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for rows.Next() {
		row := make([]any, len(columns))
		for i := range row {
			row[i] = new(sql.NullString)
		}
		if err := rows.Scan(row...); err != nil {
			t.Fatal(err)
		}
		for _, cell := range row {
			fmt.Fprint(&text, cell.(*sql.NullString).String, " ")
		}
		text.WriteString("\n")
	}
	return text.String()
}
