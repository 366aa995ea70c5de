package handler

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/internal/compress"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// A tag says which state of a resource an answer shows, and how:
//
//	"12.q3bsWgkHmYpdL1hKjvXa0w"      version 12, and a digest of the body
//	"12.q3bsWgkHmYpdL1hKjvXa0w-xml"  the same as XML
//	"q3bsWgkHmYpdL1hKjvXa0w-file"    a file, to whose body no version adds anything
//	"12.q3bsWgkHmYpdL1hKjvXa0w-gzip" the same compressed: see package compress
//
// The digest makes it strong: counters and what is expanded change without
// the version. A write compares the version alone, so that the tag of any
// representation will do, one with fields= as well.
func entityTag(version int64, body []byte, media string) string {
	var room [64]byte
	b := append(room[:0], '"')
	if version > 0 {
		b = append(strconv.AppendInt(b, version, 10), '.')
	}
	b = appendDigest(b, body)
	switch media {
	case negotiate.XML:
		b = append(b, "-xml"...)
	case negotiate.CSV:
		b = append(b, "-csv"...)
	case negotiate.BareCSV:
		b = append(b, "-csv-bare"...)
	case negotiate.NDJSON:
		b = append(b, "-ndjson"...)
	}
	return string(append(b, '"'))
}

func appendDigest(dst, body []byte) []byte {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.AppendEncode(dst, sum[:16])
}

// Digest identifies a body: an ETag without its quotes.
func Digest(body []byte) string { return string(appendDigest(nil, body)) }

// Tagged sets a validator of the answer, and reports whether the client has that
// answer already, for reads that are not of an entity.
func (x *Exchange) Tagged(h http.Header, body []byte) bool {
	return x.Unchanged(h, entityTag(0, body, x.Media))
}

// Unchanged sets the tag of the answer, and reports whether the client has that
// answer already.
func (x *Exchange) Unchanged(h http.Header, tag string) bool {
	h["Etag"] = []string{tag}
	return x.fresh(h, tag, time.Time{})
}

// fresh reports whether the client has what it asks for, compressed or not.
// If-None-Match wins over If-Modified-Since (RFC 9110 section 13.2.2).
func (x *Exchange) fresh(h http.Header, tag string, modified time.Time) bool {
	r := x.Request
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	if tags, ok := r.Header["If-None-Match"]; ok {
		return anyTag(tags, func(one string) bool {
			one = strings.TrimPrefix(one, "W/")
			if one != tag && one != "*" && compress.Plain(one) == tag {
				h["Etag"] = []string{one} // the client has it compressed
				return true
			}
			return one == "*" || one == tag
		})
	}
	header := r.Header.Get("If-Modified-Since")
	if header == "" || modified.IsZero() {
		return false
	}
	since, err := http.ParseTime(header)
	return err == nil && !modified.Truncate(time.Second).After(since)
}

// current reports whether one of the tags of If-Match is of this version of
// the row, or, where rows have none, of this body.
func current(headers []string, version int64, body []byte) bool {
	want := ""
	if version == 0 {
		want = strings.Trim(entityTag(0, body, negotiate.JSON), `"`)
	}
	return anyTag(headers, func(one string) bool {
		if one == "*" {
			return true
		}
		opaque, strong := strings.CutPrefix(compress.Plain(one), `"`) // a weak tag matches nothing
		opaque, closed := strings.CutSuffix(opaque, `"`)
		if !strong || !closed {
			return false
		}
		if version == 0 {
			return strings.TrimSuffix(opaque, "-xml") == want
		}
		number, _, _ := strings.Cut(opaque, ".")
		return number == strconv.FormatInt(version, 10)
	})
}

// anyTag reports whether the function takes one of the headers' tags: "*", or
// a list of tags, which may hold commas.
func anyTag(headers []string, takes func(string) bool) bool {
	for _, header := range headers {
		for header != "" {
			header = strings.TrimLeft(header, " \t,")
			end := len(header)
			if i := strings.IndexByte(header, '"'); i >= 0 && (i == 0 || header[:i] == "W/") {
				if j := strings.IndexByte(header[i+1:], '"'); j >= 0 {
					end = i + 1 + j + 1
				}
			} else if i := strings.IndexByte(header, ','); i >= 0 {
				end = i
			}
			if one := strings.TrimRight(header[:end], " \t"); one != "" && takes(one) {
				return true
			}
			header = header[end:]
		}
	}
	return false
}
