package expose_test

import (
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestALineOfText(t *testing.T) {
	line := expose.Line(expose.Length(field.String("f"), 2, 100))
	for _, s := range []string{"Ada Lovelace", "Ada  Lovelace ", "日本語", "עדה", "אבג\u200f!", "👩\u200d👩\u200d👧", "نص", "--", "a\u200b", "🏴\U000e0067\U000e0062\U000e007f"} {
		if !valid(t, line, s) {
			t.Errorf("%q is refused", s)
		}
		if got := expose.CleanLine(s); got != strings.TrimSpace(s) {
			t.Errorf("%q is cleaned to %q", s, got)
		}
	}
	for s, clean := range map[string]string{
		"Ada\nLovelace": "Ada Lovelace", "Ada\r\nBcc: b@example.com": "Ada  Bcc: b@example.com", "Ada\tL": "Ada L", "Ada\x00": "Ada", "Ada\x1b[31m": "Ada[31m",
		"Ada\u0085L": "Ada L", "Ada\u2028L": "Ada L", "Ada\u2029L": "Ada L", "Ada\x7f": "Ada", "Ada\u009b": "Ada",
		"Ada\u202egnp.exe": "Adagnp.exe", "\u202aAda": "Ada", "Ada\u202c": "Ada", "\u2066Ada\u2069": "Ada", "\u2067Ada": "Ada",
		"  ": "", "\u00a0\u2003": "", "\u200b\u200b": "", "\u3164\u3164": "", "\u2800\u2800": "", "\ufeff\u00ad": "", "\n\n": "",
	} {
		if valid(t, line, s) {
			t.Errorf("%q is taken", s)
		}
		if got := expose.CleanLine(s); got != clean {
			t.Errorf("%q is cleaned to %q, want %q", s, got, clean)
		}
	}
	if !valid(t, expose.Line(field.String("f")), "") {
		t.Error("an empty text is refused, which is a matter of its length")
	}
	if valid(t, expose.Items(field.Strings("f"), 2, 30), []string{"ok", "a\u202eb"}) || valid(t, expose.URL(field.String("f")), "https://example.com/\u202egnp.exe") {
		t.Error("an item or an address overrides the direction of text")
	}
}
