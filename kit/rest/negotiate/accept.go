package negotiate

import (
	"slices"
	"strconv"
	"strings"
)

// mediaRange is an element of an Accept header: a range of media types with its quality.
type mediaRange struct {
	media   string // lower case: "text/csv", "text/*", "*/*"
	quality int    // thousandths
}

// Negotiate returns the offer that the Accept headers like best (RFC 9110 section
// 12.5.1): each offer has the quality of the most specific range that takes it. Of
// equally good ones it is the one whose range stands first, then the one that is
// offered first. Without a header everything is as good. The service's own names
// for JSON are as good as plain JSON: see [Vendor]. A browser, which prefers pages
// and takes anything, gets JSON where there is no page, whatever it says of XML
// (doc/api/representations.md).
func Negotiate(accept, offers, vendor []string) (string, bool) {
	if len(offers) == 0 {
		return "", true
	}
	if len(accept) == 0 || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == offers[0] || accept[0] == "") {
		return offers[0], true
	}
	var room [8]mediaRange
	ranges := parseAccept(room[:0], accept)
	if q, _ := judge(ranges, JSON, vendor); q > 0 && takesPages(ranges) && slices.Contains(offers, JSON) && !slices.Contains(offers, page) {
		return JSON, true
	}
	best, quality, place := "", 0, 0
	for _, offer := range offers {
		q, at := judge(ranges, offer, vendor)
		if q > quality || q == quality && q > 0 && at < place {
			best, quality, place = offer, q, at
		}
	}
	return best, quality > 0
}

const (
	page    = "text/html"
	textXML = "text/xml" // an alias of application/xml: RFC 7303 section 9.2
)

// takesPages reports whether pages are named, as browsers do.
func takesPages(ranges []mediaRange) bool {
	return slices.ContainsFunc(ranges, func(r mediaRange) bool { return r.media == page && r.quality > 0 })
}

// judge returns the quality of the offer and where the range stands that says so.
func judge(ranges []mediaRange, offer string, vendor []string) (quality, place int) {
	specific := -1
	for i, r := range ranges {
		if s := r.takes(offer, vendor); s > specific || s == specific && s >= 0 && r.quality > quality {
			specific, quality, place = s, r.quality, i
		}
	}
	return quality, place
}

// takes returns how specifically the range takes the media type, -1 where it
// does not.
func (r mediaRange) takes(media string, vendor []string) int {
	switch {
	case r.media == media:
		return 3
	case media == JSON && slices.Contains(vendor, r.media), media == XML && r.media == textXML:
		return 3
	case r.media == "*/*":
		return 0
	case strings.HasSuffix(r.media, "/*") && strings.HasPrefix(media, r.media[:len(r.media)-1]):
		return 1
	}
	return -1
}

// Vendor returns the names of the JSON of an API: with its major version, and
// without (RFC 6838 section 3.2).
func Vendor(name, version string) []string {
	major, _, _ := strings.Cut(version, ".")
	tree := "application/vnd." + strings.ToLower(name)
	return []string{tree + ".v" + major + "+json", tree + "+json"}
}

// VendorType returns the one of the API's own names for JSON that the Accept headers
// ask for, empty where they like another name of JSON as much or better.
func VendorType(accept, vendor []string) string {
	ranges := parseAccept(nil, accept)
	quality, at := judge(ranges, JSON, vendor)
	if quality == 0 || !slices.Contains(vendor, ranges[at].media) {
		return ""
	}
	return ranges[at].media
}

// VendorVersions returns the major numbers of the versions that the Accept
// headers name as media types which begin with the prefix,
// "application/vnd.entwine.v", the best one first.
func VendorVersions(accept []string, prefix string) (majors []string) {
	ranges := parseAccept(nil, accept)
	slices.SortStableFunc(ranges, func(a, b mediaRange) int { return b.quality - a.quality })
	for _, r := range ranges {
		rest, ours := strings.CutPrefix(r.media, prefix)
		if major, json := strings.CutSuffix(rest, "+json"); ours && json && r.quality > 0 {
			majors = append(majors, major)
		}
	}
	return majors
}

// parseAccept appends the ranges of the headers. Other texts are skipped.
func parseAccept(ranges []mediaRange, accept []string) []mediaRange {
	for _, header := range accept {
		for header != "" {
			var element string
			element, header = cut(header, ',')
			if r, ok := parseRange(element); ok {
				ranges = append(ranges, r)
			}
		}
	}
	return ranges
}

func parseRange(element string) (mediaRange, bool) {
	media, params := cut(element, ';')
	r := mediaRange{media: strings.ToLower(strings.Trim(media, " \t")), quality: 1000}
	kind, subtype, ok := strings.Cut(r.media, "/")
	if !ok || !token(kind) || !token(subtype) || kind == "*" && subtype != "*" {
		return r, false
	}
	for params != "" {
		var param string
		param, params = cut(params, ';')
		name, value, _ := strings.Cut(strings.Trim(param, " \t"), "=")
		if strings.EqualFold(name, "q") {
			if r.quality, ok = parseQuality(value); !ok {
				return r, false
			}
		}
	}
	return r, true
}

// parseQuality reads "0.5": from 0 to 1, three decimals at most.
func parseQuality(text string) (int, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > 3 || whole != "0" && whole != "1" {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+(fraction + "000")[:3], 10, 16)
	return int(n), err == nil && n <= 1000
}

// cut cuts at the first separator that does not stand in quotes.
func cut(text string, separator byte) (before, after string) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == separator && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// token reports whether the text is a token of RFC 9110.
func token(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0 {
			continue
		}
		return false
	}
	return text != ""
}

// WithoutHeader reports whether the Accept headers ask for CSV without a header
// row: text/csv; header=absent (RFC 4180 section 3).
func WithoutHeader(accept []string) bool {
	for _, header := range accept {
		for header != "" {
			var element string
			element, header = cut(header, ',')
			media, params := cut(element, ';')
			if !strings.EqualFold(strings.Trim(media, " \t"), CSV) {
				continue
			}
			for params != "" {
				var param string
				param, params = cut(params, ';')
				name, value, _ := strings.Cut(strings.Trim(param, " \t"), "=")
				if strings.EqualFold(name, "header") {
					return strings.EqualFold(strings.Trim(value, `"`), "absent")
				}
			}
		}
	}
	return false
}
