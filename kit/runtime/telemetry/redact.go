package telemetry

import (
	"log/slog"
	"slices"
	"strings"
)

const redacted = "[redacted]"

// redact replaces what is secret in a.
func redact(a slog.Attr) slog.Attr {
	if secret(a.Key) {
		return slog.String(a.Key, redacted)
	}
	if a.Value.Kind() != slog.KindGroup {
		return a
	}
	var clean []slog.Attr
	for _, inner := range a.Value.Group() {
		clean = append(clean, redact(inner))
	}
	return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
}

// holdsSecret reports whether redact would change a.
func holdsSecret(a slog.Attr) bool {
	if secret(a.Key) {
		return true
	}
	if a.Value.Kind() != slog.KindGroup {
		return false
	}
	return slices.ContainsFunc(a.Value.Group(), holdsSecret)
}

// secret reports whether what has this name must not be written down:
// passwords, tokens, cookies, keys and codes. The id of such a thing may.
func secret(name string) bool {
	if len(name) < 3 || endsIn(name, "id") {
		return false
	}
	if endsIn(name, "key") || endsIn(name, "code") || endsIn(name, "otp") {
		return true
	}
	for _, word := range [...]string{"password", "token", "secret", "cookie", "authorization", "credential"} {
		if contains(name, word) {
			return true
		}
	}
	return false
}

func endsIn(name, word string) bool {
	return len(name) >= len(word) && strings.EqualFold(name[len(name)-len(word):], word)
}

func contains(name, word string) bool {
	for i := 0; i+len(word) <= len(name); i++ {
		if strings.EqualFold(name[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
