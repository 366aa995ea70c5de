package mail_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/mail"
)

func TestTokensAndCodesAreRedacted(t *testing.T) {
	t.Parallel()
	token := strings.Repeat("0123456789abcdef", 4)
	for text, want := range map[string]string{
		"Hello Ada,\n\nhow are you?":                          "Hello Ada,\n\nhow are you?",
		"https://x.example/reset?token=" + token + "\nIf":     "https://x.example/reset?token=[redacted]\nIf",
		`<a href="https://x.example/?a=1&amp;code=q3b_-s#x">`: `<a href="https://x.example/?a=1&amp;code=[redacted]#x">`,
		"https://x.example/#access_token=e30.e30.c2ln&b=2":    "https://x.example/#access_token=[redacted]&b=2",
		"by means of this token:\n\n" + token + "\n":          "by means of this token:\n\n[redacted]\n",
		"Your code is 777777.":                                "Your code is [redacted].",
		"Order 123 of 2026-01-02, 41.98 USD":                  "Order 123 of 2026-01-02, 41.98 USD",
	} {
		if got := mail.Redact(text, "", "777777"); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
}
