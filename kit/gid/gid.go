// Package gid holds the two forms of an id: a 64-bit integer in the database
// and in REST, an opaque and globally unique string in GraphQL
// (doc/api/values.md). The opaque form is base64url of "User:1".
package gid

import (
	"encoding/base64"
	"fmt"
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

// appendGlobal appends the global id of the type's row whose id is a text.
func appendGlobal(b []byte, typ, id string) []byte {
	var raw [64]byte
	plain := append(append(append(raw[:0], typ...), ':'), id...)
	return base64.RawURLEncoding.AppendEncode(b, plain)
}

// Encode returns the global id of the type's row.
func Encode(typ string, id int64) string { return string(Append(nil, typ, id)) }

// Decode splits a global id into its type and id.
func Decode(global string) (typ string, id ID, err error) {
	if len(global) > longest {
		return "", ID{}, fmt.Errorf("a text of %d bytes is not a global id", len(global))
	}
	plain, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(global, "="))
	if err != nil {
		return "", ID{}, fmt.Errorf("%q is not a global id", global)
	}
	typ, number, ok := strings.Cut(string(plain), ":")
	if !ok || typ == "" {
		return "", ID{}, fmt.Errorf("%q is not a global id", global)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != number {
		return "", ID{}, fmt.Errorf("%q is not a global id", global)
	}
	return typ, Int(n), nil
}

// longest is more than any id has.
const longest = 200

// Parse returns the id in s, which is a global id of the type or a plain
// integer, with neither sign nor leading zeros.
func Parse(typ, s string) (ID, error) {
	if len(s) > longest {
		return ID{}, fmt.Errorf("a text of %d bytes is not the id of a %s", len(s), typ)
	}
	if id, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(id, 10) == s {
		if id < 1 {
			return ID{}, fmt.Errorf("%q is not the id of a %s: ids are positive", s, typ)
		}
		return Int(id), nil
	}
	got, id, err := Decode(s)
	if err != nil {
		return ID{}, fmt.Errorf("%q is not the id of a %s", s, typ)
	}
	if got != typ {
		return ID{}, fmt.Errorf("%q is the id of a %s, not of a %s", s, got, typ)
	}
	return id, nil
}
