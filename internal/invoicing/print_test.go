package invoicing_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

var keep = flag.String("keep", "", "a folder in which printed invoices are kept, to look at")

// bill places an order with these lines and issues its invoice.
func (o *office) bill(customer, currency string, names ...string) int64 {
	o.Helper()
	u := o.c.User.Create().SetName(customer).SetEmail(fmt.Sprintf("u%d@example.com", o.c.User.Query().CountX(o.ctx))).SaveX(o.ctx)
	placed := o.c.Order.Create().SetStatus("paid").SetPaidAt(store.Time(time.Now())).SetTotal(int64(len(names)) * 3 * 123_456).SetCurrency(currency).SetUserID(u.ID).SaveX(o.ctx)
	for _, name := range names {
		o.c.OrderItem.Create().SetOrderID(placed.ID).SetName(name).SetPrice(123_456).SetQuantity(3).SetTotal(3 * 123_456).SetCurrency(currency).ExecX(o.ctx)
	}
	o.issue()
	return int64(placed.ID)
}

// printer keeps what it prints in a folder of the test.
func (o *office) printer() *invoicing.Printer {
	engine := rows.Engine(o.db)
	return &invoicing.Printer{DB: o.db, Files: &files.Keeper{
		Log: slog.New(slog.DiscardHandler), DB: o.db, Store: &files.Folder{Path: o.TempDir()},
		Reader: engine.Reader, Engine: engine, Targets: files.Targets(entity.All),
	}}
}

// content is the stored file of a print.
func (o *office) content(p *invoicing.Printer, f *files.File) []byte {
	o.Helper()
	r, err := p.Files.Open(o.ctx, f, 0, -1)
	if err != nil {
		o.Fatal(err)
	}
	defer r.Close()
	pdf, err := io.ReadAll(r)
	if err != nil {
		o.Fatal(err)
	}
	return pdf
}

// same reports whether the reader has these bytes.
func same(r io.Reader, want []byte) bool {
	all, err := io.ReadAll(r)
	return err == nil && bytes.Equal(all, want)
}

var pages = regexp.MustCompile(`/Type /Page\n`)

func TestInvoicesArePrinted(t *testing.T) {
	each(t, func(o *office) {
		printer := o.printer()
		hundred := make([]string, 100)
		for i := range hundred {
			hundred[i] = fmt.Sprintf("Product %d", i+1)
		}
		for name, c := range map[string]struct {
			customer, currency string
			lines              []string
			pages              int
		}{
			"plain":   {"Ada Lovelace", "USD", []string{"Slide rule", "Tea"}, 1},
			"letters": {"Zażółć Ünal Ωμέγα Дмитрий ქართული 🙂", "KWD", []string{"Fußmatte", "ψ", "日本", "מנורה (2)", "سلام", "\u202eabc\x00\n"}, 1},
			"long":    {strings.Repeat("Maximilian ", 9), "JPY", []string{strings.Repeat("A very long name of a product ", 6), strings.Repeat("x", 200)}, 1},
			"hundred": {"Ada Lovelace", "EUR", hundred, 4},
			"empty":   {"Ada Lovelace", "EUR", nil, 1},
		} {
			for i := range c.lines {
				c.lines[i] = strings.ReplaceAll(c.lines[i], "\x00", "")
			}
			id := o.bill(c.customer, c.currency, c.lines...)
			first, err := printer.Print(o.ctx, id)
			if err != nil {
				o.Fatalf("%s: %v", name, err)
			}
			again, err := printer.Print(o.ctx, id)
			if err != nil || first.Address != again.Address {
				o.Errorf("%s: it is printed twice: %v", name, err)
			}
			pdf := o.content(printer, first)
			attached, err := printer.Attachment(o.ctx, id)
			if err != nil {
				o.Fatalf("%s: %v", name, err)
			}
			if r, err := attached.Open(o.ctx); err != nil || attached.Name != first.Name || attached.Size != first.Size || !same(r, pdf) {
				o.Errorf("%s: a mail has another file: %+v, %v", name, attached, err)
			}
			if n := len(pages.FindAll(pdf, -1)); n != c.pages || !bytes.HasPrefix(pdf, []byte("%PDF-")) {
				o.Errorf("%s: %d pages, want %d", name, n, c.pages)
			}
			if *keep != "" {
				if err := os.WriteFile(filepath.Join(*keep, name+".pdf"), pdf, 0o600); err != nil {
					o.Fatal(err)
				}
			}
		}
	})
}

func TestAPrintedInvoiceTellsOfRefunds(t *testing.T) {
	each(t, func(o *office) {
		printer := o.printer()
		id := o.bill("Ada Lovelace", "USD", "Tea")
		paid, err := printer.Print(o.ctx, id)
		if err != nil || paid.Name != "invoice-1.pdf" {
			o.Fatalf("%+v, %v", paid, err)
		}
		o.c.Order.Update().Where(order.StatusEQ("paid")).SetStatus("refunded").ExecX(o.ctx)
		if refunded, err := printer.Print(o.ctx, id); err != nil || refunded.SHA256 == paid.SHA256 {
			o.Errorf("a refund changes nothing: %v", err)
		}
		if _, err := printer.Files.Find(o.ctx, paid.Key()); problem.KindOf(err) != problem.NotFound {
			o.Errorf("the print of before is still there: %v", err)
		}
		for name, v := range map[string]*viewer.Viewer{"nobody": viewer.Anonymous(), "another": {UserID: 99, Role: "user"}} {
			if _, err := printer.Print(viewer.With(o.Context(), v), id); problem.KindOf(err) != problem.NotFound {
				o.Errorf("%s: %v, want not found", name, err)
			}
		}
		if _, err := printer.Print(o.ctx, 404); problem.KindOf(err) != problem.NotFound {
			o.Errorf("an absent order: %v", err)
		}
	})
}

// Many ask for a print that is not there yet: all get the same file, and no other is left. Once the
// customer is removed the print with their name goes.
func TestAnInvoiceIsPrintedOnce(t *testing.T) {
	each(t, func(o *office) {
		printer, id := o.printer(), o.bill("Ada Lovelace", "USD", "Tea")
		prints := make([]*files.File, 8)
		var all sync.WaitGroup
		for i := range prints {
			all.Go(func() {
				var err error
				if prints[i], err = printer.Print(o.ctx, id); err != nil {
					o.Error(err)
				}
			})
		}
		all.Wait()
		if o.Failed() {
			return
		}
		for _, f := range prints {
			if f.Address != prints[0].Address {
				o.Errorf("it was printed as %s and as %s", f.Address, prints[0].Address)
			}
		}
		if r, err := printer.Files.Check(o.ctx, true); err != nil || r.Files != 1 || !r.Sound() {
			o.Errorf("%+v, %v", r, err)
		}
		i := o.c.Invoice.Query().OnlyX(o.ctx)
		o.c.User.DeleteOneID(*i.UserID).ExecX(o.ctx)
		if i := o.c.Invoice.Query().OnlyX(o.ctx); i.Document != nil || i.CustomerName != "removed customer" {
			o.Errorf("without the customer it is %v", i)
		}
		f, err := printer.Print(o.ctx, id)
		if err != nil || f.SHA256 == prints[0].SHA256 {
			o.Errorf("it is printed with the customer's name: %v", err)
		}
	})
}
