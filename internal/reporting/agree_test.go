package reporting_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/money"
)

// Each format of the sales report adds up to the figures for every span, to the last minor
// unit of each currency: with payments of no order, orders that cost nothing, several
// refunds of one payment, refunds of what was sold before the span, and those after it.
func TestReportsAndFiguresAgree(t *testing.T) {
	each(t, func(s *shop) {
		s.year()
		for _, span := range [][2]string{
			{"2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
			{"2026-02-10T00:00:00Z", "2026-03-10T00:00:00Z"},
			{"2026-05-05T12:30:00Z", "2026-05-06T00:00:00Z"},
		} {
			from, to := at(span[0]), at(span[1])
			sales, err := s.reporter.Sales(s.admin, &from, &to, reporting.Month)
			if err != nil {
				s.Fatal(err)
			}
			want := map[string]sums{}
			for _, f := range sales.Totals {
				want[f.Currency] = sums{f.Gross, f.Refunded, f.Net()}
			}
			for _, format := range []reporting.Format{reporting.CSV, reporting.JSON, reporting.XLSX} {
				file := s.report(reporting.Report{Type: reporting.SalesReport, Format: format, From: &from, To: &to})
				if got := s.addUp(format, file); !reflect.DeepEqual(got, want) {
					s.Errorf("%s from %s to %s adds up to\n%v, and the figures are\n%v", format, span[0], span[1], got, want)
				}
			}
		}
	})
}

// sums are gross, refunded and net.
type sums [3]int64

// year is a year of trade.
func (s *shop) year() {
	s.Helper()
	products := []*ent.Product{
		s.product("Lamp", "USD", 1999), s.product("Tea", "JPY", 301), s.product("Gold", "KWD", 12_345_678_901), s.product("Advice", "EUR", 0),
	}
	ctx := s.ctx
	defer func() { s.ctx = ctx }()
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		s.ctx = ctx
		s.sellAllYear(products)
		return nil
	})
	if err != nil {
		s.Fatal(err)
	}
}

func (s *shop) sellAllYear(products []*ent.Product) {
	s.Helper()
	first := at("2026-01-01T00:00:00Z")
	moment := func() time.Time { return first.Add(time.Duration(rand.IntN(365*24*3600)) * time.Second) }
	for n := range 2100 { // more than a page
		product := products[n%4]
		when := moment()
		var p *ent.Payment
		switch {
		case product.Price == 0:
			s.client().Order.Create().SetStatus("paid").SetTotal(0).SetCurrency(product.Currency).SetPaidAt(when).ExecX(s.ctx)
			continue
		case n%5 == 0:
			p = s.client().Payment.Create().SetStatus("succeeded").SetAmount(product.Price).SetCurrency(product.Currency).
				SetGateway("test").SetCapturedAt(when).SaveX(s.ctx)
		default:
			p = s.sell(when, 1+rand.Int64N(3), product)
		}
		for left := p.Amount; n%3 == 0 && left > 0; {
			part := 1 + rand.Int64N(left)
			left -= part
			s.refund(p, when.Add(time.Duration(rand.IntN(60*24))*time.Hour), part)
		}
	}
}

// addUp reads a sales report of the format.
func (s *shop) addUp(format reporting.Format, file string) map[string]sums {
	s.Helper()
	got := map[string]sums{}
	for _, row := range s.rows(format, file) {
		sum := got[row["currency"]]
		for i, name := range []string{"gross", "refunded", "net"} {
			minor, err := money.Parse(row[name], row["currency"])
			if err != nil {
				s.Fatalf("%s: %s of %v: %v", format, name, row, err)
			}
			sum[i] += minor
		}
		got[row["currency"]] = sum
	}
	return got
}

// rows are the rows of a report, as texts by the columns' names.
func (s *shop) rows(format reporting.Format, file string) (rows []map[string]string) {
	s.Helper()
	if format == reporting.JSON {
		d := json.NewDecoder(strings.NewReader(file))
		d.UseNumber()
		var objects []map[string]any
		if err := d.Decode(&objects); err != nil {
			s.Fatal(err)
		}
		for _, o := range objects {
			row := map[string]string{}
			for name, value := range o {
				row[name] = fmt.Sprint(value)
			}
			rows = append(rows, row)
		}
		return rows
	}
	var cells [][]string
	if format == reporting.XLSX {
		cells = workbook(s.T, file)
	} else {
		var err error
		if cells, err = csv.NewReader(strings.NewReader(file)).ReadAll(); err != nil {
			s.Fatal(err)
		}
	}
	for _, line := range cells[1:] {
		row := map[string]string{}
		for i, name := range cells[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}
