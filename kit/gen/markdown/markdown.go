// Package markdown renders texts of users as HTML that a page can show.
//
// Markdown is CommonMark with tables, strikethrough and bare links. Raw HTML
// in it is left out when it is rendered, and what comes out is sanitized by an
// allow-list of elements and attributes all the same: neither library is
// trusted alone. Links lead to http, https and mailto, tell search engines
// nothing, and pictures come from http and https; no element has a style, an
// id or a handler.
package markdown

import (
	"bytes"
	"html"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// converter and allowed hold no state of a text: they serve all at once.
var (
	converter = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify))
	allowed   = allowList()
)

func allowList() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "em", "strong", "del",
		"ul", "li", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowElements("ol")
	p.AllowAttrs("href", "title").OnElements("a")
	p.AllowAttrs("src", "alt", "title").OnElements("img")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(false)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}

// most is how much rendering may cost: a tenth of a second, where prose takes
// a hundredth of it.
const most = 8 << 20

// cheap reports whether rendering takes time in proportion to the text. Within
// lines that follow each other it may take the square of what could be markup:
// a text of nothing else would keep a processor busy for a minute.
func cheap(text []byte) bool {
	cost, marks := 0, 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			marks = 0
			continue
		}
		before := marks
		for _, c := range line {
			if c > ' ' && c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' && c < 0x7f {
				marks++
			}
		}
		if cost += marks*marks - before*before; cost > most {
			return false
		}
	}
	return true
}

// HTML appends the text as safe HTML, and as escaped text where rendering it would
// take more than linear time.
func HTML(dst, text []byte) []byte {
	if !cheap(text) {
		return append(append(append(dst, "<pre>"...), html.EscapeString(string(text))...), "</pre>\n"...)
	}
	var b bytes.Buffer
	if err := converter.Convert(text, &b); err != nil { // a buffer takes everything
		return dst
	}
	return append(dst, allowed.SanitizeBytes(b.Bytes())...)
}
