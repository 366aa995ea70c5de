// Package gid holds the ids of rows, and the two ways to write one: as the database and
// REST have it, a 64-bit integer, a text or a UUID, and as GraphQL has it, an opaque and
// globally unique string (doc/api/values.md), which is base64url of "User:1".
package gid

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Append appends the global id of the type's row to b.
func Append(b []byte, typ string, id int64) []byte {
	var raw [64]byte
	plain := append(append(raw[:0], typ...), ':')
	plain = strconv.AppendInt(plain, id, 10)
	return base64.RawURLEncoding.AppendEncode(b, plain)
}

// AppendText appends the global id of the type's row whose id is a text.
func AppendText[T []byte | string](b []byte, typ string, id T) []byte {
	var raw [64]byte
	plain := append(append(append(raw[:0], typ...), ':'), id...)
	return base64.RawURLEncoding.AppendEncode(b, plain)
}

// Encode returns the global id of the type's row.
func Encode(typ string, id int64) string { return string(Append(nil, typ, id)) }

// Decode splits a global id into its type and id: a number where it is written as one,
// and a text otherwise. [Rows.Of] converts it for rows whose ids are texts.
func Decode(global string) (typ string, id ID, err error) {
	typ, plain, err := split(global)
	if err != nil {
		return "", ID{}, err
	}
	if n, bad := strconv.ParseInt(plain, 10, 64); bad == nil && n >= 1 && strconv.FormatInt(n, 10) == plain {
		return typ, Int(n), nil
	}
	return typ, Text(plain), nil
}

// longest is more than any id that is a number has.
const longest = 200

// Parse returns the number in s, which is a global id of the type or a plain
// integer, with neither sign nor leading zeros. [Rows.Parse] knows other ids.
func Parse(typ, s string) (ID, error) {
	if len(s) > longest {
		return ID{}, fmt.Errorf("a text of %d bytes is not the id of %s", len(s), An(typ))
	}
	if id, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(id, 10) == s {
		if id < 1 {
			return ID{}, fmt.Errorf("%q is not the id of %s: ids are positive", s, An(typ))
		}
		return Int(id), nil
	}
	got, id, err := Decode(s)
	switch {
	case err != nil, got == typ && id.IsText():
		return ID{}, fmt.Errorf("%q is not the id of %s", s, An(typ))
	case got != typ:
		return ID{}, fmt.Errorf("%q is the id of %s, not of %s", s, An(got), An(typ))
	}
	return id, nil
}

// Words turns a name into words for messages and documents, with initials as people
// write them: "cart items", "API key".
func Words(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_-/ ", r) })
	for i, word := range words {
		if upper := strings.ToUpper(word); slices.Contains(initials, upper) {
			words[i] = upper
		}
	}
	return strings.Join(words, " ")
}

var initials = []string{"API", "HTTP", "ID", "PDF", "SMS", "URL"}

// An returns the name with its indefinite article, for messages: "an Order".
func An(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
