package expose_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestCalcTerms(t *testing.T) {
	t.Parallel()
	sql := func(text string) expose.CalcTerm { return expose.CalcTerm{SQL: text} }
	column := func(name string) expose.CalcTerm { return expose.CalcTerm{Column: name} }
	argument := func(name string) expose.CalcTerm { return expose.CalcTerm{Argument: name} }
	for text, want := range map[string][]expose.CalcTerm{
		`{row}."price" * (100 - :percent)`: {column("price"), sql(" * (100 - "), argument("percent"), sql(")")},
		`{row}.lat+:lat`:                   {column("lat"), sql("+"), argument("lat")},
		`:now`:                             {argument("now")},
		`'a :no {row}.b ''? --' || :yes`:   {sql(`'a :no {row}.b ''? --' || `), argument("yes")},
		`":no"`:                            {sql(`":no"`)},
		`1::bigint + :a::bigint`:           {sql("1::bigint + "), argument("a"), sql("::bigint")},
		`a[1:2]`:                           {sql("a[1:2]")},
		`''`:                               {sql("''")},
	} {
		if got, err := expose.CalcTerms(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("CalcTerms(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`1; DROP`: "semicolons", `1 -- no`: "comments", `1 /* no`: "comments", `$1`: "parameters", `?`: "parameters",
		`'open`: "no end", `"open`: "no end", `{viewer}`: "in braces", `{row}`: "in braces", `{row}."A"`: "in braces", `{row}."a`: "in braces",
	} {
		if _, err := expose.CalcTerms(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CalcTerms(%q): %v, want an error about %q", text, err, want)
		}
	}
}
