package fuzz_test

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// gun makes requests of an operation: as the document has them, and then
// mutated.
type gun struct {
	*fuzzer
	*rand.Rand
	op *operation
}

// draft is a request whose parts can be changed.
type draft struct {
	method   string
	segments []string
	query    [][2]string // written as they are
	header   http.Header
	tree     any // the body, nil if there is none
	body     []byte
}

func pick[T any](g *gun, of []T) T { return of[g.IntN(len(of))] }

// once reports true one time in n.
func (g *gun) once(n int) bool { return g.IntN(n) == 0 }

// load makes a request: one in three is as the document asks.
func (g *gun) load() *shot {
	d := g.valid()
	mutations := pick(g, []int{0, 0, 1, 1, 2, 3})
	for range mutations {
		pick(g, mutators)(g, d)
	}
	if d.body == nil && d.tree != nil {
		d.body = appendTree(nil, d.tree)
	}
	for range mutations {
		if len(d.body) > 0 && g.once(6) {
			d.body = g.scrambled(d.body)
		}
	}
	s := &shot{method: d.method, header: d.header, body: d.body, who: pick(g, shooters)}
	s.target = "/api/v1/" + strings.Join(d.segments, "/")
	for i, pair := range d.query {
		s.target += map[bool]string{true: "?", false: "&"}[i == 0] + pair[0] + "=" + pair[1]
	}
	if proof, ok := g.Headers[s.who]; ok {
		s.header.Set(proof[0], proof[1])
	}
	return s
}

// shooters are the callers, those with more rights more often.
var shooters = []string{"admin", "admin", "admin", "admin", "admin", "owner", "owner", "owner", "anonymous", "write-key", "read-key", "moderator", "other", "other", "editor", "developer", "deactivated", "expired"}

// valid makes a request as the document has it.
func (g *gun) valid() *draft {
	state := ""
	if g.once(3) {
		state = pick(g, []string{"@draft", "@paid"})
	}
	d := &draft{method: g.op.method, header: http.Header{}}
	d.segments = strings.Split(strings.TrimPrefix(g.Path(g.op.path, state), "/"), "/")
	for _, reference := range g.op.parameters {
		switch p := reference.Value; p.In {
		case "query":
			if p.Required || g.once(12) {
				d.query = append(d.query, [2]string{url.QueryEscape(p.Name), url.QueryEscape(g.parameter(p))})
			}
		case "header":
			if g.once(4) {
				d.header.Set(p.Name, printable(g.headerValue(p.Name)))
			}
		}
	}
	if g.op.RequestBody == nil {
		return d
	}
	for _, media := range slices.Sorted(maps.Keys(g.op.RequestBody.Value.Content)) {
		content := g.op.RequestBody.Value.Content[media]
		if d.tree != nil && g.once(2) {
			continue
		}
		d.header.Set("Content-Type", media)
		if d.tree = treeOf(content.Example); d.tree == nil || g.once(2) {
			d.tree = g.value(content.Schema.Value, 0)
		}
		d.tree = g.related(d.tree)
	}
	return d
}

// parameter makes the text of a parameter.
func (g *gun) parameter(p *openapi3.Parameter) string {
	switch p.Name {
	case "cursor":
		if g.once(2) {
			return g.cursors[g.op.OperationID]
		}
		return ""
	case "after", "search", "q":
		return pick(g, texts)
	}
	if p.Schema == nil {
		return ""
	}
	if list, ok := g.value(p.Schema.Value, 0).([]any); ok {
		var all []string
		for _, one := range list {
			all = append(all, plain(one))
		}
		return strings.Join(all, ",")
	}
	return plain(g.value(p.Schema.Value, 0))
}

// plain writes a value as a parameter has it.
func plain(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return string(appendTree(nil, value))
}

// headerValue makes a value of a header that the document has, or of others
// that the service reads.
func (g *gun) headerValue(name string) string {
	switch tag := g.tags[g.op.path]; name {
	case "If-Match", "If-None-Match":
		return pick(g, []string{tag, tag, "*", `"1"`, `W/"1"`, `"1", ` + tag, ``, `"`, `"1`, `1`, `W/`, `,,,`, `"a,b"`, strings.Repeat(`"x",`, 1000)})
	case "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Date":
		return pick(g, []string{"Sat, 21 Nov 2026 10:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "yesterday", "", "0", tag})
	case "Prefer":
		return pick(g, []string{"return=representation", "return=minimal", `return="representation"`, ";;;=", "respond-async, wait=-1"})
	case "Accept":
		return pick(g, []string{
			"application/json", "application/xml", "text/csv", "application/problem+json", "*/*", "text/html", "", ";q=1", "a/b;q=nan",
			"application/xml;q=0.5, application/json;q=0.1", "application/vnd.entwine.v1+json", "application/vnd.entwine.v99+json",
			"application/pdf", "application/octet-stream", strings.Repeat("a/b,", 2000), "*/*;q=0", "text/*", `application/json;a="\"`,
		})
	case "Content-Type":
		return pick(g, []string{
			"application/json", "application/json; charset=utf-8", "application/json; charset=latin1", "application/merge-patch+json",
			"text/plain", "multipart/form-data", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "", "json", "application/json; charset",
			"APPLICATION/JSON", "application/xml", "application/json, application/json",
		})
	case "Range":
		return pick(g, []string{"bytes=0-1", "bytes=-1", "bytes=5-2", "bytes=0-99999999999999999999", "rows=1", "bytes=0-0,1-1,2-2"})
	case "Idempotency-Key":
		return pick(g, []string{"a", `"a"`, `"`, "", strings.Repeat("k", 255), strings.Repeat("k", 256), "é", "\xff", `"a\"b"`, "a b", "?1"})
	case "X-API-Version", "API-Version":
		return pick(g, []string{"1", "v1", "1.0.0", "2", "0", "-1", "99999999999999999999", "x", ""})
	case "Content-Encoding", "Transfer-Encoding":
		return pick(g, []string{"gzip", "identity", "br", "x"})
	case "X-HTTP-Method-Override":
		return "DELETE"
	}
	return pick(g, texts)
}

// headers that are sent although the document does not mention them.
var otherHeaders = []string{
	"Accept", "Accept", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Range", "If-Range", "Idempotency-Key", "Idempotency-Key",
	"Content-Type", "Content-Type", "X-API-Version", "API-Version", "Prefer", "Content-Encoding", "X-Request-Id", "Traceparent", "Origin", "Cookie",
	"Authorization", "X-API-Key", "X-Forwarded-For", "Accept-Language", "Accept-Encoding", "X-HTTP-Method-Override", "Expect", "Referer", "User-Agent",
}

// printable is the value without what net/http refuses in a header.
func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, value)
}
