package reporting_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/product"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A report of any size takes the memory of a page: what is alive while 32,768
// rows are written is bounded, whatever the format. It runs alone, because it
// looks at the whole program's memory.
func TestMemoryDoesNotGrowWithTheReport(t *testing.T) { //nolint:paralleltest // see above
	schema := migratetest.Schema(t)
	for name, open := range map[string]func(testing.TB) *store.DB{"sqlite": schema.SQLite, "postgres": schema.Postgres} {
		t.Run(name, func(t *testing.T) { boundedMemory(t, open(t)) }) //nolint:paralleltest // see above
	}
}

func boundedMemory(t *testing.T, db *store.DB) {
	t.Helper()
	ctx := viewer.With(t.Context(), viewer.System())
	orm.Client(db).Product.Create().SetName(strings.Repeat("Lamp ", 10)).SetPrice(1999).SetStock(1).ExecX(ctx)
	var columns []string
	for _, c := range product.Columns {
		if c != product.FieldID {
			columns = append(columns, c)
		}
	}
	list := strings.Join(columns, ", ")
	for range 15 {
		if _, err := db.ExecContext(ctx, "INSERT INTO products ("+list+") SELECT "+list+" FROM products"); err != nil {
			t.Fatal(err)
		}
	}
	r := &reporting.Reporter{DB: db}
	for _, format := range []reporting.Format{reporting.CSV, reporting.JSON, reporting.XLSX} {
		before, most := alive(), uint64(0)
		calls := 0
		err := r.Write(ctx, io.Discard, reporting.Report{Type: reporting.InventoryReport, Format: format}, func(float64) {
			if calls++; calls%4 == 0 {
				most = max(most, alive())
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if grown := int64(most) - int64(before); most == 0 || grown > 8<<20 {
			t.Errorf("%s: %d bytes more are alive while it is written", format, grown)
		}
	}
}

// alive is how much memory is in use.
func alive() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
