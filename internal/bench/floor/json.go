package main

import (
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

func fail(w http.ResponseWriter, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

func send(w http.ResponseWriter, status int, b []byte) {
	w.Header()["Content-Type"] = []string{"application/json"}
	w.WriteHeader(status)
	_, _ = w.Write(b)
}

func appendInt(b []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(b, name...), n, 10)
}

func appendNullInt(b []byte, name string, n pgtype.Int8) []byte {
	if !n.Valid {
		return append(append(b, name...), "null"...)
	}
	return appendInt(b, name, n.Int64)
}

func appendTime(b []byte, name string, t pgtype.Timestamptz) []byte {
	b = append(b, name...)
	if !t.Valid {
		return append(b, "null"...)
	}
	b = t.Time.UTC().AppendFormat(append(b, '"'), time.RFC3339Nano)
	return append(b, '"')
}

func appendString(b []byte, name, s string) []byte {
	b = append(append(b, name...), '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

func appendNullString(b []byte, name string, s pgtype.Text) []byte {
	if !s.Valid {
		return append(append(b, name...), "null"...)
	}
	return appendString(b, name, s.String)
}

// appendMinor writes an amount of cents in units.
func appendMinor(b []byte, name string, n int64) []byte {
	b = appendInt(b, name, n/100)
	switch cents := n % 100; {
	case cents == 0:
	case cents%10 == 0:
		b = append(b, '.', byte('0'+cents/10))
	default:
		b = append(b, '.', byte('0'+cents/10), byte('0'+cents%10))
	}
	return b
}
