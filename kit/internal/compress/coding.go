// Package compress is the content codings of answers (RFC 9110 section 8.4.1):
// which one a client takes, how the validator of an encoded answer looks, and
// the compressors, which are used again. Which answers are encoded is left to
// package web, for it knows which are safe to.
package compress

import (
	"strconv"
	"strings"
)

// Coding is a content coding.
type Coding uint8

// The codings. Identity is none.
const (
	Identity Coding = iota
	Gzip
	Zstd
)

var names = [...]string{Identity: "identity", Gzip: "gzip", Zstd: "zstd"}

func (c Coding) String() string { return names[c] }

// Choose returns the one of the offers that the Accept-Encoding headers like
// best, the last of equally good ones (RFC 9110 section 12.5.3). Without a header, and
// where nothing else is taken, it is Identity: an answer that a client can't
// read may still tell it something.
func Choose(headers []string, offers ...Coding) Coding {
	if len(headers) == 0 {
		return Identity
	}
	quality := [len(names)]int{-1, -1, -1} // thousandths, -1 where nothing is said
	others := -1
	for _, header := range headers {
		for one := range strings.SplitSeq(header, ",") {
			name, q, ok := element(one)
			switch {
			case !ok:
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				quality[Gzip] = q
			case strings.EqualFold(name, "zstd"):
				quality[Zstd] = q
			case strings.EqualFold(name, "identity"):
				quality[Identity] = q
			case name == "*":
				others = q
			}
		}
	}
	best, most := Identity, max(quality[Identity], 0)
	for _, c := range offers {
		q := quality[c]
		if q < 0 {
			q = others
		}
		// A coding that is not named as good as another is the last resort.
		if q > 0 && q >= most {
			best, most = c, q
		}
	}
	return best
}

// element reads "gzip;q=0.5".
func element(text string) (name string, quality int, ok bool) {
	name, params, weighed := strings.Cut(text, ";")
	name = strings.Trim(name, " \t")
	if !weighed {
		return name, 1000, name != ""
	}
	key, value, _ := strings.Cut(strings.Trim(params, " \t"), "=")
	q, err := strconv.ParseFloat(value, 64)
	if !strings.EqualFold(key, "q") || err != nil || q < 0 || q > 1 {
		return "", 0, false
	}
	return name, int(q * 1000), name != ""
}

// Tag is the validator of what has the tag without a coding: each representation
// has one of its own (RFC 9110 section 8.8.3).
func (c Coding) Tag(tag string) string {
	if bare, ok := strings.CutSuffix(tag, `"`); ok && c != Identity {
		return bare + "-" + c.String() + `"`
	}
	return tag
}

// Plain is the tag that [Coding.Tag] has made this one of, whatever the coding.
func Plain(tag string) string {
	bare, ok := strings.CutSuffix(tag, `"`)
	if !ok {
		return tag
	}
	for _, c := range []Coding{Gzip, Zstd} {
		if plain, ok := strings.CutSuffix(bare, "-"+c.String()); ok {
			return plain + `"`
		}
	}
	return tag
}
