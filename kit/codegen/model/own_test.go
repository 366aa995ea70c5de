package model_test

import (
	"database/sql"
	"database/sql/driver"
	"net/url"
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Loud is a text that says itself how a column has it.
type Loud string

// Value implements driver.Valuer.
func (l Loud) Value() (driver.Value, error) { return strings.ToUpper(string(l)), nil }

// Scan implements sql.Scanner.
func (l *Loud) Scan(any) error { return nil }

var sealed = field.ValueScannerFunc[string, *sql.NullString]{
	V: func(s string) (driver.Value, error) { return s, nil },
	S: func(s *sql.NullString) (string, error) { return s.String, nil },
}

func TestWhatOwnFormsCannotDo(t *testing.T) {
	code := func() { bookField(field.String("code").ValueScanner(sealed).Default(""))() }
	wrong(t, library, []mistake{
		{"a filter", bookField(field.String("code").ValueScanner(sealed).Annotations(expose.By(expose.Filter))), `Book.code: ValueScanner: the column has values in a form of their own, which no query compares`},
		{"a sort by a type", bookField(field.String("code").GoType(Loud("")).Annotations(expose.By(expose.Sort))), `Book.code: GoType: the Value method of model_test.Loud: the column has`},
		{"a text that is unique", bookField(field.String("code").ValueScanner(sealed).Annotations(expose.UniqueFold())), `Book.code: ValueScanner: the column has values in a form`},
		{"a key", func() {
			bookField(field.String("code").ValueScanner(sealed).Unique())()
			book.resource.Key = "code"
		}, `Book.code: ValueScanner: the column has values in a form of their own, so no row is found by it`},
		{"null", bookField(field.String("code").ValueScanner(sealed).Optional().Nillable()), `Book.code: ValueScanner: Ent generates no Go that compiles`},
		{"a type that no client writes", bookField(field.String("code").GoType(&url.URL{}).ValueScanner(field.BinaryValueScanner[*url.URL]{})), `Book.code: GoType: *url.URL is no string, which clients write`},
		{"a time", bookField(field.Time("due").GoType(&sql.NullTime{}).Optional()), `Book.due: GoType: *sql.NullTime is no time.Time`},
		{"a currency", bookField(field.String("currency").ValueScanner(sealed).Default("USD")), `Book.price: expose.Money("currency"): the column of the currency`},
		{"a payload", func() {
			code()
			book.resource.Events = append(book.resource.Events, expose.Topic{Name: "book.coded", On: "insert", Payload: []string{"code"}})
		}, `Book: event "book.coded": payload "code": the column has values in a form of their own`},
		{"a rule", func() {
			code()
			book.rules.Read = policy.Is("code", "x")
		}, `Book: policy.Is("code"): books.code has values in a form of their own`},
	})
}

func TestOwnFormsAreShown(t *testing.T) {
	library()
	for _, f := range []func(){
		bookField(field.String("code").ValueScanner(sealed)), bookField(field.String("loud").GoType(Loud("")).Optional().Nillable()),
		bookField(field.String("where").GoType(&url.URL{}).ValueScanner(field.BinaryValueScanner[*url.URL]{}).Optional().Annotations(expose.Internal())),
	} {
		f()
	}
	if err := judge(t); err != nil {
		t.Error(err)
	}
}
