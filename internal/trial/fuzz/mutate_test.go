package fuzz_test

import (
	"net/url"
	"slices"
	"strings"
)

// texts are those that something trips over somewhere: syntax of JSON, SQL,
// LIKE, both full-text searches, CSV and XML; bytes that are no text; numbers
// at the edges of types; the edges of Unicode.
var texts = []string{
	"", " ", "a", "A text.", "\x00", "a\x00b", "\xff\xfe", "a\xc3", "\u200b", "\ufeff", "\u202eabc", "é", "e\u0301", "ß", "İ", "ǆ", "𝒳😀", "\U0010ffff", "\ufffd", "\ufffe",
	"'", "''", `"`, `\`, `\\`, "%", "_", "%_%", "[a]", "*", "a*", `"a`, "(", "((", "a AND", "NOT a", "a OR", "NEAR(a b, 2)", "NEAR/", "a:b", "title:a", "^a", "-a", "+a",
	"a & b", "a | ! b", ":*", "a:*", "<->", "a <-> b", "!!", "{a b}:c", "' OR 1=1 --", "\"; DROP TABLE users", "$1", "?", "@", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1",
	"<a>&amp;</a>", "]]>", "\r\n", "a\nb", "\x1b[0m", "\x7f", "\u0085\u2028", "0", "-0", "1", "01", "+1", "1.0", "1.5", "1e3", "1e400", "1e-400", "0x10", "1_0", "١", " 1", "NaN", "Infinity", "-Infinity", "inf",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "2147483648", "92233720368547758.07", "92233720368547758.08",
	"0.001", "19.999", strings.Repeat("9", 400), "null", "true", "false", "TRUE", "undefined", "{}", "[]", "a,b", ",", ",,", "1,", "1,1,1", "id,id", "-", "--id", "-id,id",
	"../../etc/passwd", "..", ".", "/", "%2e%2e", "%00", "javascript:alert(1)", "http://", "//", "mailto:a", strings.Repeat("a", 300), strings.Repeat("é", 5000), strings.Repeat("a,", 500), strings.Repeat("( ", 300),
}

// moments are times, and what looks like one.
var moments = []string{
	"2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05+14:00", "2026-01-02t03:04:05z", "2026-02-30", "2026-13-01T00:00:00Z",
	"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59-23:59", "10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
	"2026-06-30T23:59:60Z", "2026-01-02T03:04:05", "2026-01-02 03:04:05", "20260102T030405Z", "2026-01-02T24:00:00Z", "2026-01-02T03:04:05+99:99", "1767322800", "now", "infinity", "-infinity", "epoch", "",
}

// raws are values of JSON, and what is none.
var raws = []raw{
	`null`, `true`, `false`, `0`, `-0`, `-1`, `1`, `1.0`, `1.5`, `0.1`, `1e2`, `1E400`, `-1e400`, `1e-400`, `19.999`, `0.30000000000000004`, `1e18`, `92233720368547758.07`,
	`92233720368547758.08`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`, `-9223372036854775809`, `9007199254740993`, `2147483647`, `2147483648`, `-2147483649`, `32768`,
	`123456789012345678901234567890`, `1000000000000000000000000000000.5`, `""`, `"\u0000"`, `"a\u0000b"`, `"\ud800"`, `"\udc00\ud800"`, `"\ud83d\ude00"`, "\"\xff\"", "\"a\xc3\"", "\"\x00\"", "\"\n\"", `"\x"`, `"\u12"`,
	`[]`, `{}`, `[null]`, `[[]]`, `{"":0}`, `{"$ref":"#"}`, `{"a":{"b":{"c":[1,2,3]}}}`, `[1,"a",null,{}]`, `{"__proto__":{}}`, `NaN`, `Infinity`, `+1`, `01`, `1.`, `.5`, `'a'`, `undefined`, ``, `/**/1`,
	raw(strings.Repeat("[", 200) + strings.Repeat("]", 200)), raw(strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)), raw(strings.Repeat("[", 100000)), raw(`"` + strings.Repeat("x", 70000) + `"`), raw("[" + strings.Repeat("1,", 2000) + "1]"),
	raw("1" + strings.Repeat("0", 1000)), raw("0." + strings.Repeat("0", 1000) + "1"),
}

// mutators each change one thing of a request. Those of bodies and queries
// are the more likely ones, since these have most to be wrong.
var mutators = []func(*gun, *draft){
	changeBody, changeBody, changeBody, changeBody, changeQuery, changeQuery, changeQuery, addQuery, addQuery, addHeader, addHeader, changePath, changeMethod, swapBody,
}

// changeBody changes a node of the body.
func changeBody(g *gun, d *draft) {
	if d.tree == nil {
		addQuery(g, d)
		return
	}
	d.tree = g.changed(d.tree)
}

// changed returns the tree with something else at one place.
func (g *gun) changed(value any) any {
	switch v := value.(type) {
	case members:
		if len(v) > 0 && !g.once(4) {
			v = slices.Clone(v)
			i := g.IntN(len(v))
			switch g.IntN(8) {
			case 0:
				return slices.Delete(v, i, i+1)
			case 1:
				return append(v, member{v[i].name, g.changed(v[i].value)}) // twice
			case 2:
				v[i].name = strings.ToUpper(v[i].name)
				return v
			}
			v[i].value = g.changed(v[i].value)
			return v
		}
		if g.once(2) {
			return append(slices.Clone(v), member{pick(g, names), g.atom()})
		}
	case []any:
		if len(v) > 0 && !g.once(4) {
			v = slices.Clone(v)
			i := g.IntN(len(v))
			v[i] = g.changed(v[i])
			if g.once(4) {
				for range 1 + g.IntN(1100) {
					v = append(v, v[i])
				}
			}
			return v
		}
	}
	if g.once(10) {
		return []any{value}
	}
	return g.atom()
}

// atom is a value that does not belong.
func (g *gun) atom() any {
	switch g.IntN(3) {
	case 0:
		return pick(g, texts)
	case 1:
		return pick(g, moments)
	}
	return pick(g, raws)
}

// names are members that bodies have, or should not.
var names = []string{
	"id", "version", "created_at", "deleted_at", "role", "salary", "is_active", "password", "password_hash", "author_id", "user_id", "status", "total", "currency", "",
	"\x00", "constructor", "expand", "é", "a.b", "a[0]", strings.Repeat("n", 1000),
}

// swapBody replaces the whole body, or gives one where there is none.
func swapBody(g *gun, d *draft) {
	d.tree = g.atom()
	if g.once(2) {
		d.header.Set("Content-Type", "application/json")
	}
}

// scrambled changes the bytes of a body.
func (g *gun) scrambled(body []byte) []byte {
	if len(body) == 0 {
		return body
	}
	body = slices.Clone(body)
	at := g.IntN(len(body))
	switch g.IntN(6) {
	case 0:
		return body[:at]
	case 1:
		body[at] = byte(g.IntN(256))
	case 2:
		return slices.Insert(body, at, byte(g.IntN(256)))
	case 3:
		return append([]byte("\xef\xbb\xbf"), body...)
	case 4:
		return append(body, pick(g, []string{"}", "{}", " ", "\x00", "//", ",", "\n\n"})...)
	case 5:
		return append(body, body...)
	}
	return body
}

// evil is a text that does not belong, as a query or a path has it.
func (g *gun) evil() string {
	switch g.IntN(5) {
	case 0:
		return url.QueryEscape(pick(g, moments))
	case 1:
		return pick(g, []string{"%00", "%ff", "%c3%28", "%", "%zz", "+", "%20", ";", "a;b=c", "%26", "%3d", "=", "%E2%80%AE", "%0a", "%0d%0aSet-Cookie:a=b"})
	}
	return url.QueryEscape(pick(g, texts))
}

// changeQuery changes a parameter that is there.
func changeQuery(g *gun, d *draft) {
	if len(d.query) == 0 {
		addQuery(g, d)
		return
	}
	i := g.IntN(len(d.query))
	switch g.IntN(6) {
	case 0:
		d.query = append(d.query, d.query[i])
	case 1:
		d.query[i][0] = g.evil()
	case 2:
		d.query[i][1] += "," + g.evil()
	default:
		d.query[i][1] = g.evil()
	}
}

// parameters are those that some read has, and some that none has.
var parameters = []string{
	"page", "limit", "sort", "order", "fields", "expand", "search", "cursor", "after", "after_id", "from", "to", "include_deleted", "hard", "version", "v", "q", "type", "ids", "mode", "interval",
	"id", "id[in]", "id[gte]", "id[lt]", "id[x]", "id[", "created_at[gte]", "created_at[lte]", "price[gt]", "minPrice", "maxPrice", "inStock", "tags", "role", "salary", "salary[gt]", "age[lte]", "email", "category", "author", "access_token", "_method", "",
}

// addQuery adds a parameter, one of the operation's as a rule.
func addQuery(g *gun, d *draft) {
	name := pick(g, parameters)
	if n := len(g.op.parameters); n > 0 && !g.once(3) {
		if p := g.op.parameters[g.IntN(n)].Value; p.In == "query" {
			name = p.Name
		}
	}
	value := g.evil()
	if name == "cursor" && g.once(2) {
		cursor := []byte(g.cursors[g.op.OperationID])
		if len(cursor) > 0 {
			cursor[g.IntN(len(cursor))] = "ABab01-_"[g.IntN(8)]
		}
		value = string(cursor)
	}
	d.query = append(d.query, [2]string{url.QueryEscape(name), value})
}

func addHeader(g *gun, d *draft) {
	name := pick(g, otherHeaders)
	d.header.Add(name, printable(g.headerValue(name)))
}

// changePath changes a segment, or adds one.
func changePath(g *gun, d *draft) {
	i := g.IntN(len(d.segments))
	switch g.IntN(6) {
	case 0:
		d.segments = append(d.segments, g.evil())
	case 1:
		d.segments[i] = strings.ToUpper(d.segments[i])
	case 2:
		d.segments[i] += pick(g, []string{"/", "//", ".json", ".xml", "%2f", "%00", ";a=b", "%20", "?", "..", "/../", "%2e%2e"})
	default:
		for at, segment := range strings.Split(strings.Trim(g.op.path, "/"), "/") {
			if strings.HasPrefix(segment, "{") && at < len(d.segments) {
				i = at
			}
		}
		d.segments[i] = url.PathEscape(pick(g, texts))
	}
}

func changeMethod(g *gun, d *draft) {
	d.method = pick(g, []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "get"})
}
