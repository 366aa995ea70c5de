package invoicing

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"

	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/schema"
)

// Where things are on a page of A4, in millimetres.
const (
	left, right  = 20.0, 190.0
	top, bottom  = 20.0, 270.0
	footer       = 284.0
	nameWidth    = 84.0
	numberWidth  = 20.0
	amountWidth  = 33.0
	line         = 5.5
	totalsHeight = 34.0
)

// page is a document being written.
type page struct {
	*fpdf.Fpdf
	invoice *invoice
}

// render makes the PDF. Its times are the invoice's, and its objects are
// sorted, so that the same invoice is the same bytes.
func render(i *invoice) ([]byte, error) {
	p := &page{fpdf.New("P", "mm", "A4", ""), i}
	p.SetCatalogSort(true)
	p.SetCreationDate(i.CreatedAt.UTC())
	p.SetModificationDate(i.CreatedAt.UTC())
	p.SetTitle("Invoice "+p.number(), true)
	p.SetLang("en")
	p.SetAutoPageBreak(false, 0)
	p.AddUTF8FontFromBytes("sans", "", regular())
	p.AddUTF8FontFromBytes("sans", "B", bold())
	p.AliasNbPages("")
	p.SetFooterFunc(p.foot)
	p.begin()
	p.head()
	p.columns()
	for _, l := range i.Lines {
		p.line(l)
	}
	p.totals()
	var b bytes.Buffer
	err := p.Output(&b)
	return b.Bytes(), err
}

func (p *page) number() string { return strconv.FormatInt(p.invoice.Number, 10) }

func (p *page) begin() {
	p.AddPage()
	p.SetXY(left, top)
}

// write writes one line of text in a cell of the width.
func (p *page) write(style string, size, width float64, text, align string) {
	p.SetFont("sans", style, size)
	p.CellFormat(width, line, text, "", 0, align, false, 0, "")
}

// head says who is billed by what.
func (p *page) head() {
	i := p.invoice
	p.write("B", 22, nameWidth, "Invoice "+p.number(), "L")
	y := max(top+16, p.seller()+2*line)
	p.SetXY(left, y)
	p.SetTextColor(110, 110, 110)
	p.write("", 8.5, nameWidth, "Billed to", "L")
	p.SetTextColor(0, 0, 0)
	p.SetXY(left, y+line)
	for n, text := range p.wrap("B", 10.5, nameWidth, i.CustomerName) {
		p.SetXY(left, y+line*float64(n+1))
		p.write("B", 10.5, nameWidth, text, "L")
	}
	for _, text := range p.wrap("", 9.5, nameWidth, i.CustomerEmail) {
		p.SetXY(left, p.GetY()+line)
		p.write("", 9.5, nameWidth, text, "L")
	}
	low := p.GetY()
	for n, fact := range [][2]string{
		{"Date", i.CreatedAt.UTC().Format("2 January 2006")},
		{"Order", strconv.FormatInt(int64(i.OrderID), 10)},
		{"Currency", i.Currency},
		{"Status", p.invoice.standing()},
	} {
		p.SetXY(right-75, y+line*float64(n))
		p.SetTextColor(110, 110, 110)
		p.write("", 9.5, 25, fact[0], "L")
		p.SetTextColor(0, 0, 0)
		p.write("", 9.5, 50, fact[1], "R")
	}
	p.SetXY(left, max(low, p.GetY())+2.5*line)
}

// seller says who sells, at the right of the title, and returns where that ends.
func (p *page) seller() float64 {
	i := p.invoice
	y := top
	say := func(style, text string) {
		for _, text := range p.wrap(style, 9.5, nameWidth, text) {
			p.SetXY(right-nameWidth, y)
			p.write(style, 9.5, nameWidth, text, "R")
			y += line
		}
	}
	if i.SellerName != "" {
		say("B", i.SellerName)
	}
	for address := range strings.Lines(i.SellerAddress) {
		say("", address)
	}
	if i.SellerTaxID != "" {
		say("", "Tax ID "+i.SellerTaxID)
	}
	if i.SellerEmail != "" {
		say("", i.SellerEmail)
	}
	return y
}

// columns heads the table.
func (p *page) columns() {
	p.SetTextColor(110, 110, 110)
	p.row("", 8.5, "Description", "Quantity", "Price", "Amount")
	p.SetTextColor(0, 0, 0)
	p.rule(line + 1)
	p.SetXY(left, p.GetY()+line+2.5)
}

func (p *page) row(style string, size float64, name, quantity, price, total string) {
	p.SetX(left)
	p.write(style, size, nameWidth, name, "L")
	p.write(style, size, numberWidth, quantity, "R")
	p.write(style, size, amountWidth, price, "R")
	p.write(style, size, amountWidth, total, "R")
}

func (p *page) rule(below float64) {
	p.SetDrawColor(190, 190, 190)
	p.SetLineWidth(0.2)
	p.Line(left, p.GetY()+below, right, p.GetY()+below)
}

// line writes a line of the invoice, on the next page where this one is full.
func (p *page) line(l schema.InvoiceLine) {
	names := p.wrap("", 9.5, nameWidth-2, l.Name)
	if p.GetY()+line*float64(len(names)) > bottom {
		p.begin()
		p.columns()
	}
	p.row("", 9.5, names[0], strconv.FormatInt(l.Quantity, 10), p.amount(l.Price), p.amount(l.Total))
	for _, more := range names[1:] {
		p.SetXY(left, p.GetY()+line)
		p.write("", 9.5, nameWidth, more, "L")
	}
	p.SetXY(left, p.GetY()+line+1.2)
}

// totals ends the table. They are never torn apart.
func (p *page) totals() {
	if p.GetY()+totalsHeight > bottom {
		p.begin()
	}
	i := p.invoice
	p.rule(1)
	for n, sum := range []struct {
		style, name string
		minor       int64
	}{{"", "Subtotal", i.Subtotal}, {"B", "Total", i.Total}} {
		p.SetXY(left+nameWidth, p.GetY()+line*float64(n)*0.2+line)
		p.write(sum.style, 10, right-left-nameWidth-50, sum.name, "L")
		p.write(sum.style, 10, 50, p.amount(sum.minor)+" "+i.Currency, "R")
	}
}

// foot numbers the page.
func (p *page) foot() {
	p.SetXY(left, footer)
	p.SetTextColor(110, 110, 110)
	p.write("", 8, right-left, "Invoice "+p.number()+"  ·  Page "+strconv.Itoa(p.PageNo())+" of {nb}", "L")
	p.SetTextColor(0, 0, 0)
}

// amount shows minor units in groups of three digits.
func (p *page) amount(minor int64) string {
	whole, fraction, pointed := strings.Cut(money.Format(minor, p.invoice.Currency), ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if pointed {
		whole += "." + fraction
	}
	return whole
}

// wrap breaks a text into lines of the width, as they are drawn: at spaces,
// and inside of a word that is longer than a line.
func (p *page) wrap(style string, size, width float64, text string) []string {
	p.SetFont("sans", style, size)
	lines := p.SplitText(printable(joined(text)), width-2*p.GetCellMargin())
	if len(lines) == 0 {
		return []string{""}
	}
	for i, line := range lines {
		lines[i] = drawn(line, beginsRight(text))
	}
	return lines
}

// printable makes a text of what the font can count: one line, and no
// character beyond the basic plane.
func printable(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		case r > 0xFFFF:
			return unicode.ReplacementChar
		}
		return r
	}, text))
}
