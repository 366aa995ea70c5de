package expose_test

import (
	"math"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// valid reports whether the field's validators take the value.
func valid[T any](t *testing.T, f ent.Field, value T) bool {
	t.Helper()
	for _, v := range f.Descriptor().Validators {
		check, ok := v.(func(T) error)
		if !ok {
			t.Fatalf("%s: a validator is %T", f.Descriptor().Name, v)
		}
		if check(value) != nil {
			return false
		}
	}
	return true
}

func TestBoundsOfTexts(t *testing.T) {
	for _, c := range []struct {
		name string
		f    ent.Field
		yes  []string
		no   []string
	}{
		{"length counts characters", expose.Length(field.String("f"), 2, 4), []string{"ab", "äöüß", "日本語"}, []string{"", "a", "abcde", "日本語日本"}},
		{"patterns match the whole", expose.Pattern(field.String("f"), `^\d+$`, "digits"), []string{"0", "42"}, []string{"", "4 2", "a"}},
		{"slugs stand in paths", expose.Slug(field.String("f")), []string{"a", "a-1", "history-of-science"}, []string{"", "A", "a b", "-a", "a-", "a--b", "ä", strings.Repeat("a", 101)}},
		{"currencies are three capitals", expose.Currency(field.String("f")), []string{"USD"}, []string{"", "usd", "US", "USDT", "US1"}},
		{"addresses of mail", expose.Email(field.String("f")), []string{"ada@example.com", "a.b+c@sub.example.org"},
			[]string{"", "ada", "ada@", "ada@localhost", "Ada <ada@example.com>", "ada@example.com ", "a@b.c, d@e.f", strings.Repeat("a", 65) + "@example.com", "ünï@example.com", "a@exämple.com", "a@-b.com", "a@b_c.com", "a@b!.com", "a@[127.0.0.1]", "a@b.", "a@" + strings.Repeat("b.", 126) + "c"}},
		{"addresses of pages", expose.URL(field.String("f")), []string{"https://example.com", "http://example.com/a?b=c#d"},
			[]string{"", "example.com", "/a", "javascript:alert(1)", "ftp://example.com", "https://", "https://example.com/" + strings.Repeat("a", 2000)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range c.yes {
				if !valid(t, c.f, s) {
					t.Errorf("%q is refused", s)
				}
			}
			for _, s := range c.no {
				if valid(t, c.f, s) {
					t.Errorf("%q is taken", s)
				}
			}
		})
	}
}

func TestBoundsOfNumbers(t *testing.T) {
	between := expose.Range(field.Float("f"), 1, 5)
	for value, want := range map[float64]bool{0.9: false, 1: true, 5: true, 5.1: false, math.Inf(1): false, math.NaN(): false} {
		if valid(t, between, value) != want {
			t.Errorf("%v between 1 and 5: want %v", value, want)
		}
	}
	least := expose.AtLeast(field.Int64("f"), 0)
	for value, want := range map[int64]bool{-1: false, 0: true, math.MaxInt64: true} {
		if valid(t, least, value) != want {
			t.Errorf("%v at least 0: want %v", value, want)
		}
	}
}

func TestBoundsOfLists(t *testing.T) {
	tags := expose.Items(field.Strings("f"), 2, 3)
	for _, c := range []struct {
		items []string
		want  bool
	}{
		{nil, true},
		{[]string{"a", "äöü"}, true},
		{[]string{"a", "b", "c"}, false},
		{[]string{"abcd"}, false},
		{[]string{""}, false},
		{[]string{"a", "a"}, false},
		{[]string{"a\x00"}, false},
		{[]string{"\xff"}, false},
	} {
		if valid(t, tags, c.items) != c.want {
			t.Errorf("%q: want %v", c.items, c.want)
		}
	}
}

func TestWordsAddUp(t *testing.T) {
	f := expose.Length(field.String("f"), 1, 9).
		Annotations(expose.By(expose.Filter), expose.By(expose.Sort), expose.Named("F"), expose.CountOf("things", ""))
	a := f.Descriptor().Annotations
	merged := a[0].(expose.Field)
	for _, more := range a[1:] {
		merged = merged.Merge(more).(expose.Field)
	}
	if *merged.MaxLength != 9 || len(merged.By) != 2 || merged.Named != "F" || merged.Tally.Edge != "things" || !merged.ReadOnly {
		t.Errorf("got %+v", merged)
	}
}
