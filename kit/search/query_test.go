package search_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/search"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, postgres, sqlite string }{
		{"ada", `('ada':*)`, `("ada" *)`},
		{"Ada LOVELACE", `('ada') & ('lovelace':*)`, `("ada" AND "lovelace" *)`},
		{"ada -byron", `('ada') & !('byron')`, `("ada") NOT ("byron")`},
		{`"analytical engine" ada`, `('analytical' <-> 'engine') & ('ada':*)`, `("analytical engine" AND "ada" *)`},
		{`ada "of lovelace`, `('ada') & ('of' <-> 'lovelace')`, `("ada" AND "of lovelace")`},
		{`-"of byron" ada`, `!('of' <-> 'byron') & ('ada':*)`, `("ada" *) NOT ("of byron")`},
		{"ada@example.com", `('ada' <-> 'example' <-> 'com':*)`, `("ada example com" *)`},
		{"x a", `('x') & ('a')`, `("x" AND "a")`},
		{"Straße", `('strasse':*)`, `("strasse" *)`},
		{"a) OR (b:* & ' \\", `('a') & ('or') & ('b')`, `("a" AND "or" AND "b")`},
		{`* ( "" -`, ``, `()`},
	} {
		q, err := search.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if got := q.Postgres(""); got != c.postgres {
			t.Errorf("Parse(%q) for PostgreSQL: %s, want %s", c.text, got, c.postgres)
		}
		if got := q.SQLite(nil); got != c.sqlite {
			t.Errorf("Parse(%q) for SQLite: %s, want %s", c.text, got, c.sqlite)
		}
	}
	q, _ := search.Parse("ada -byron")
	if got, want := q.Postgres("A"), `('ada':A) & !('byron':A)`; got != want {
		t.Errorf("with a hidden field: %s, want %s", got, want)
	}
	if got, want := q.SQLite([]string{"name_fold"}), `{name_fold} : ("ada") NOT {name_fold} : ("byron")`; got != want {
		t.Errorf("with a hidden field: %s, want %s", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"": "required", " \t\u00a0": "required", "a\x00b": "UTF-8", "a\xffb": "UTF-8", strings.Repeat("ö", 201): "200 characters",
	} {
		if _, err := search.Parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Parse(%.10q): %v, want something about %q", text, err, says)
		}
	}
}
