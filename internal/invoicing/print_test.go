package invoicing_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

var keep = flag.String("keep", "", "a folder in which printed invoices are kept, to look at")

// bill places an order with these lines and issues its invoice.
func (o *office) bill(customer, currency string, names ...string) int64 {
	o.Helper()
	u := o.c.User.Create().SetName(customer).SetEmail(fmt.Sprintf("u%d@example.com", o.c.User.Query().CountX(o.ctx))).SaveX(o.ctx)
	placed := o.c.Order.Create().SetStatus("paid").SetTotal(int64(len(names)) * 3 * 123_456).SetCurrency(currency).SetUserID(u.ID).SaveX(o.ctx)
	for _, name := range names {
		o.c.OrderItem.Create().SetOrderID(placed.ID).SetName(name).SetPrice(123_456).SetQuantity(3).SetTotal(3 * 123_456).SetCurrency(currency).ExecX(o.ctx)
	}
	if err := o.issuer.Issue(o.ctx, int64(placed.ID)); err != nil {
		o.Fatal(err)
	}
	return int64(placed.ID)
}

var pages = regexp.MustCompile(`/Type /Page\n`)

func TestInvoicesArePrinted(t *testing.T) {
	each(t, func(o *office) {
		printer := &invoicing.Printer{Ent: o.c}
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
			if err != nil || !bytes.Equal(first.PDF, again.PDF) {
				o.Errorf("%s: printed twice it is not the same: %v", name, err)
			}
			if n := len(pages.FindAll(first.PDF, -1)); n != c.pages || !bytes.HasPrefix(first.PDF, []byte("%PDF-")) {
				o.Errorf("%s: %d pages, want %d", name, n, c.pages)
			}
			if *keep != "" {
				if err := os.WriteFile(filepath.Join(*keep, name+".pdf"), first.PDF, 0o600); err != nil {
					o.Fatal(err)
				}
			}
		}
	})
}

func TestAPrintedInvoiceTellsOfRefunds(t *testing.T) {
	each(t, func(o *office) {
		printer := &invoicing.Printer{Ent: o.c}
		id := o.bill("Ada Lovelace", "USD", "Tea")
		paid, err := printer.Print(o.ctx, id)
		if err != nil || paid.Name != "invoice-1.pdf" {
			o.Fatalf("%+v, %v", paid, err)
		}
		o.c.Order.Update().Where(order.StatusEQ("paid")).SetStatus("refunded").ExecX(o.ctx)
		if refunded, err := printer.Print(o.ctx, id); err != nil || bytes.Equal(refunded.PDF, paid.PDF) {
			o.Errorf("a refund changes nothing: %v", err)
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
