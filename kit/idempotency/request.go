package idempotency

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Header is the header that carries a key.
const Header = "Idempotency-Key"

// longest is how many bytes a key may have.
const longest = 255

// Request is a request with a key, by its hashes: the key itself is nowhere kept.
type Request struct {
	caller      string
	hash        [sha256.Size]byte // of the caller, the route and the key
	fingerprint [sha256.Size]byte // of what is asked
}

// NewRequest returns the request of a caller. The route is the operation that is
// asked for, its method included; path, query and body are what it is asked: two
// bodies of JSON that differ in blanks or in the order of members are the same,
// and so are none and an empty object. Neither depends on the version of the API
// or on the caller's rights: a caller who has lost a right sends the same request.
func NewRequest(key string, caller *viewer.Viewer, route, path string, query url.Values, body []byte) Request {
	who := scope(caller)
	return Request{
		caller:      who,
		hash:        digest(who, route, key),
		fingerprint: digest(path, query.Encode(), string(canonical(body))),
	}
}

// scope names the caller: keys of others are other keys.
func scope(v *viewer.Viewer) string {
	who := "user " + strconv.FormatInt(v.UserID, 10)
	if v.KeyID != 0 {
		who = "key " + strconv.FormatInt(v.KeyID, 10)
	}
	if v.Tenant != 0 { // a user whose tokens name other tenants sends other requests
		who += " of tenant " + strconv.FormatInt(v.Tenant, 10)
	}
	return who
}

// digest hashes texts so that no two lists of them are the same text.
func digest(texts ...string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, text := range texts {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(text)))
		h.Write(size[:])
		h.Write([]byte(text))
	}
	h.Sum(sum[:0])
	return sum
}

// canonical returns the canonical form of a JSON text, and any other text unchanged. An
// object without members equals an absent body.
func canonical(body []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // ids are larger than a float64 is exact
	var value any
	if d.Decode(&value) != nil || d.More() {
		return body
	}
	text, err := json.Marshal(plain(value)) // members in order, no blanks
	if err != nil {
		return body
	}
	if string(text) == "{}" {
		return nil
	}
	return text
}

// plain gives equal numbers one form: 1.50 and 15e-1 are 1.5.
func plain(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = plain(member)
		}
	case []any:
		for i, item := range value {
			value[i] = plain(item)
		}
	case json.Number:
		if !strings.ContainsAny(string(value), ".eE") {
			return value
		}
		if f, err := value.Float64(); err == nil {
			return f
		}
	}
	return value
}

// ParseKey returns the key of the header's values, empty where there is none.
// A quoted key (a string of RFC 9651) and the bare one are the same.
func ParseKey(values []string) (string, error) {
	if len(values) == 0 {
		return "", nil
	}
	if len(values) > 1 {
		return "", malformed("is there %d times", len(values))
	}
	key := strings.Trim(values[0], " \t")
	if strings.HasPrefix(key, `"`) {
		inner, ok := unquote(key)
		if !ok {
			return "", malformed("has a quote that does not end it")
		}
		key = inner
	}
	switch {
	case key == "":
		return "", malformed("is empty")
	case len(key) > longest:
		return "", malformed("is longer than %d bytes", longest)
	case strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "", malformed("has a control character")
	}
	return key, nil
}

// unquote returns the text of a quoted string.
func unquote(quoted string) (string, bool) {
	var b strings.Builder
	for i := 1; i < len(quoted); i++ {
		switch c := quoted[i]; c {
		case '"':
			return b.String(), i == len(quoted)-1
		case '\\':
			i++
			if i == len(quoted) || quoted[i] != '"' && quoted[i] != '\\' {
				return "", false
			}
			b.WriteByte(quoted[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

func malformed(format string, args ...any) error {
	return problem.Inputs(problem.Invalidf(Header, nil, format, args...))
}

// Missing is the error of a request that needs a key and has none.
func Missing() error { return malformed("is required") }
