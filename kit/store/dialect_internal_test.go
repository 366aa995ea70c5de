package store

import "testing"

func TestVariantsAreInTheOrderOfDialects(t *testing.T) {
	t.Parallel()
	names := Vary(Dialect.Name)
	for i, d := range Dialects {
		if d.number() != i || DialectOf(d.Name()) != d || names.On(d) != d.Name() {
			t.Errorf("%s is number %d, and at %d in Dialects", d.Title(), d.number(), i)
		}
	}
	if of := PerDialect("$1", "?1"); of.On(postgresDialect{}) != "$1" || of.On(sqliteDialect{}) != "?1" {
		t.Errorf("PerDialect has its values in another order: %v", of)
	}
}
