package read

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
)

// The longest parts of a formula that are of whole numbers become terms of their own, in
// brackets below.
func TestSums(t *testing.T) {
	t.Parallel()
	whole := func(t expose.CalcTerm) bool { return t.Column != "rate" }
	for text, want := range map[string]string{
		`{row}."a"`:                                                 `=a`,
		`{row}."a" * :b + 1`:                                        `=[a * b + 1]`,
		`({row}."a" * (100 + :p) + 50) / 100`:                       `=[(a * (100 + p) + 50) / 100]`,
		`{row}."a" * {row}."b" / 2.0`:                               `[a * b] / 2.0`,
		`{row}."a" * {row}."rate" * :b`:                             `a * rate * b`,
		`{row}."a" * :b > 100 AND {row}."c"`:                        `[a * b] > 100 AND c`,
		`abs({row}."a" - :b) * :b`:                                  `=[abs(a - b) * b]`,
		`sqrt({row}."a" - :b) * :b`:                                 `sqrt([a - b]) * b`,
		`CASE WHEN {row}."a" * 2 > 1 THEN {row}."a" + 1 ELSE 0 END`: `=[CASE WHEN [a * 2 ]> 1 THEN a + 1 ELSE 0 END]`,
		`CASE WHEN {row}."a" > 1 THEN {row}."rate" ELSE 1 + :b END`: `CASE WHEN a > 1 THEN rate ELSE [1 + b] END`,
		`CASE WHEN :b THEN {row}."a" > 1.5 ELSE 1 + :b END`:         `CASE WHEN b THEN a > 1.5 ELSE [1 + b] END`,
		`CASE {row}."a" + 1 WHEN 2 THEN 3 END * 2`:                  `=[CASE [a + 1 ]WHEN 2 THEN 3 END * 2]`,
		`coalesce({row}."a", {row}."rate") + 1`:                     `coalesce(a, rate) + 1`,
		`coalesce({row}."a" > 1.5, {row}."a") + 1`:                  `coalesce(a > 1.5, a) + 1`,
		`-{row}."a" % 7 & 3 << 1`:                                   `[-a % 7 ]& 3 << 1`,
		`{row}."a" || '*' || :b + 1`:                                `a || '*' || b + 1`,
		`CAST({row}."a" + 1 AS TEXT) || x'00'`:                      `CAST([a + 1 ]AS TEXT) || x'00'`,
		`1e-5 * {row}."a" + 12345678901234567890`:                   `1e-5 * a + 12345678901234567890`,
		`{row}."a" IN (1 + :b, 2)`:                                  `a IN ([1 + b], 2)`,
		`{row}."a" NOT BETWEEN :b - 1 AND :b + 1`:                   `a NOT BETWEEN [b - 1 ]AND [b + 1]`,
		`({row}."a" + 1`:                                            `(a + 1`,
	} {
		terms, err := expose.CalcTerms(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		exact, is := exact(terms, whole)
		var b strings.Builder
		if is {
			b.WriteString("=")
		}
		for _, term := range exact {
			b.WriteString(term.SQL + term.Column + term.Argument)
		}
		if got := shortened(b.String()); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// shortened writes a check of x as [x].
func shortened(text string) string {
	const before, middle, behind = "CASE typeof(", ") WHEN 'real' THEN " + failing + " ELSE ", " END "
	for {
		i := strings.LastIndex(text, before)
		if i < 0 {
			return text
		}
		rest := text[i+len(before):]
		body, _, found := strings.Cut(rest, middle)
		if !found {
			return text
		}
		rest = strings.TrimPrefix(rest[len(body)+len(middle):], body)
		text = text[:i] + "[" + body + "]" + strings.TrimPrefix(rest, behind)
	}
}
