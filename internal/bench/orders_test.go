package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"text/tabwriter"

	"entgo.io/ent/dialect"
)

// buyers is how many place and pay orders at a time.
const buyers = 8

// BenchmarkPaidOrders prints how many orders a second are placed and paid,
// by several buyers of different products at a time.
func BenchmarkPaidOrders(b *testing.B) {
	table := &bytes.Buffer{}
	out := tabwriter.NewWriter(table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "database\tfloor/s\tREST/s\tpart\t")
	for _, name := range []string{dialect.Postgres, dialect.SQLite} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, name)
			var floor, rest float64
			b.Run("floor", func(b *testing.B) { floor = w.trade(b, w.floor, "") })
			b.Run("rest", func(b *testing.B) { rest = w.trade(b, w.entwine, "/api/v1") })
			fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%s\t\n", name, floor, rest, figure(rest/floor))
		})
	}
	_ = out.Flush()
	fmt.Printf("\npaid orders a second\n%s\n", table)
}

// trade returns how many orders a second the process takes and has paid.
func (w *world) trade(b *testing.B, p *process, base string) float64 {
	b.SetParallelism(max(1, buyers/2))
	var next atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		product := next.Add(1)
		for pb.Next() {
			var placed struct{ Data struct{ ID int64 } }
			body := p.fetch(b, call{method: "POST", path: base + "/orders", body: fmt.Sprintf(`{"items":[{"product_id":%d,"quantity":2}]}`, product), token: w.token, status: 201})
			if err := json.Unmarshal(body, &placed); err != nil {
				b.Error(err)
				return
			}
			p.fetch(b, call{method: "POST", path: fmt.Sprintf("%s/orders/%d/pay", base, placed.Data.ID), token: w.token, status: 200})
		}
	})
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond, "orders/s")
	return perSecond
}
