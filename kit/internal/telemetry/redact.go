package telemetry

import (
	"log/slog"
	"slices"
	"strings"
)

const redacted = "[redacted]"

// clean replaces what is secret in a, and a duration by its microseconds: JSON
// would have nanoseconds without saying so.
func clean(a slog.Attr) slog.Attr {
	if secret(a.Key) {
		return slog.String(a.Key, redacted)
	}
	switch a.Value.Kind() {
	case slog.KindDuration:
		return slog.Int64(a.Key+"_us", a.Value.Duration().Microseconds())
	case slog.KindGroup:
		var all []slog.Attr
		for _, inner := range a.Value.Group() {
			all = append(all, clean(inner))
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(all...)}
	}
	return a
}

// unclean reports whether clean would change a.
func unclean(a slog.Attr) bool {
	if secret(a.Key) {
		return true
	}
	switch a.Value.Kind() {
	case slog.KindDuration:
		return true
	case slog.KindGroup:
		return slices.ContainsFunc(a.Value.Group(), unclean)
	}
	return false
}

// secret reports whether what has this name must not be written down:
// passwords, tokens, cookies, keys and codes. Their ids may.
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
