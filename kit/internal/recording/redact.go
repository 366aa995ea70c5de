package recording

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/url"
	"strings"
)

// Redactor takes out of requests what must not be kept.
type Redactor struct {
	// Keeps reports whether what has this name is kept, with all that is in it.
	Keeps func(name string) bool
	// Word reports whether a segment of a path is one that the service itself has, and
	// Named whether the segment after it, which names a row by a text, is kept.
	Word, Named func(segment string) bool

	secret [32]byte
}

// NewRedactor returns a redactor whose stand-ins no other one makes: equal texts have
// equal stand-ins within a file, and can't be compared with those of another one.
func NewRedactor(keeps, word, named func(string) bool) *Redactor {
	r := &Redactor{Keeps: keeps, Word: word, Named: named}
	_, _ = rand.Read(r.secret[:]) // never fails
	return r
}

// URL is a path and a query with stand-ins.
func (r *Redactor) URL(path, query string) string {
	segments := strings.Split(path, "/")
	before := ""
	for i, s := range segments {
		if s != "" && !r.Word(s) && !number(s) && !r.Named(before) {
			segments[i] = url.PathEscape(r.text(s))
		}
		before = s
	}
	path = strings.Join(segments, "/")
	if query = r.query(query); query != "" {
		path += "?" + query
	}
	return path
}

func (r *Redactor) query(raw string) string {
	var all []string
	for part := range strings.SplitSeq(raw, "&") {
		name, value, has := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		if part == "" || err != nil {
			continue
		}
		base, _, _ := strings.Cut(plain, "[")
		if has && !r.Keeps(base[strings.LastIndexByte(base, '.')+1:]) {
			if text, err := url.QueryUnescape(value); err == nil {
				value = url.QueryEscape(r.text(text))
			} else {
				value = ""
			}
		}
		if has {
			name += "=" + value
		}
		all = append(all, name)
	}
	return strings.Join(all, "&")
}

// number reports whether a segment is a number, or a UUID: the id of a row.
func number(segment string) bool {
	return strings.Trim(segment, "0123456789") == "" || len(segment) == 36 && strings.Count(segment, "-") == 4 && strings.Trim(segment, hexDigits+"-") == ""
}

// JSON is a body with stand-ins. The error says that it is none of JSON.
func (r *Redactor) JSON(body []byte) (json.RawMessage, error) {
	value, err := decode(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r.value(value))
}

// decode reads one value, with numbers as they were written.
func decode(body []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return value, d.Decode(&value)
}

// value has a stand-in in the place of each text, number and flag that is not below a
// name that is kept.
func (r *Redactor) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, of := range v {
			if !r.Keeps(name) {
				v[name] = r.value(of)
			}
		}
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
	case string:
		return r.text(v)
	case json.Number:
		return json.Number(r.digits(v.String()))
	case bool:
		return false
	}
	return v
}
