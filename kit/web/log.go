package web

import (
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/requestid"
)

// log writes one line about each request, or about a sample of them, also about
// one that panics its way out of the connection.
func (e *Edge) log(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		level := slog.LevelInfo
		if isProbe(r.URL.Path) {
			level = slog.LevelDebug
		}
		if !e.Log.Enabled(r.Context(), level) {
			next.ServeHTTP(w, r)
			return
		}
		dull := e.Unlogged > 0 && rand.IntN(100) < e.Unlogged
		start := e.now()
		x, answered := w.(*exchange), false
		defer func() {
			if dull && answered && x.status < http.StatusInternalServerError {
				return
			}
			attrs := make([]slog.Attr, 0, 10)
			attrs = append(attrs,
				slog.String("method", r.Method),
				slog.String("path", r.URL.Path),
				slog.Int("status", x.status),
				slog.Int64("bytes", x.bytes),
				slog.Int64("took_us", e.now().Sub(start).Microseconds()), // written without allocating, unlike a float
				slog.String("from", e.client(r).String()),
				slog.String(telemetry.RequestID, requestid.From(r.Context())),
			)
			if r.URL.RawQuery != "" {
				attrs = append(attrs, slog.String("query", shownQuery(r.URL.RawQuery)))
			}
			if v := x.viewer; v.UserID != 0 {
				attrs = append(attrs, slog.Int64("user_id", v.UserID))
				if v.Actor != 0 {
					attrs = append(attrs, slog.Int64("actor_id", v.Actor))
				}
			} else if v.KeyID != 0 {
				attrs = append(attrs, slog.Int64("key_id", v.KeyID))
			}
			e.Log.LogAttrs(r.Context(), level, "request", attrs...)
		}()
		next.ServeHTTP(w, r)
		answered = true
	})
}

// shownQuery returns a query as it may be logged: of parameters that aren't
// known to be harmless, only that they were there.
func shownQuery(raw string) string {
	const most = 1024
	var b strings.Builder
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		if b.Len()+len(name)+len(value) > most {
			b.WriteString("&…")
			break
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(name)
		b.WriteByte('=')
		if value != "" && !harmless(name) {
			value = "-"
		}
		b.WriteString(value)
	}
	return b.String()
}

// harmless reports whether the values of a parameter can't be secret.
func harmless(name string) bool {
	switch name {
	case "page", "limit", "sort", "order", "fields", "expand", "include_deleted", "hard", "type", "version", "v", "mode":
		return true
	}
	return false
}
