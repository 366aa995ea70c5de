package mail

import (
	"regexp"
	"strings"
)

// Redacted stands in stored mail where a token or a code was.
const Redacted = "[redacted]"

// secretValue is a parameter of an address that by its name is a token, a code
// or the like, and longHex a token that stands by itself.
var (
	secretValue = regexp.MustCompile(`(?i)([?&;#][a-z0-9_.-]*(?:token|code|key|secret|password|signature|otp)[a-z0-9_.-]*=)[^&;#\s"'<>]+`)
	longHex     = regexp.MustCompile(`\b[0-9A-Fa-f]{32,}\b`)
)

// Redact returns the text of a message in the form that is kept after sending:
// without the secrets, without the values of parameters that by their names are
// tokens or codes, and without long hexadecimal numbers.
func Redact(text string, secrets ...string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, Redacted)
		}
	}
	return longHex.ReplaceAllString(secretValue.ReplaceAllString(text, "${1}"+Redacted), Redacted)
}
