package fuzz_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// A body is a tree of members, []any, raw and what encoding/json writes: what
// a map could not say, a name twice, can be said.
type (
	members []member
	member  struct {
		name  string
		value any
	}
	raw string // written verbatim
)

// treeOf makes a tree of what a document has as an example.
func treeOf(value any) any {
	switch v := value.(type) {
	case map[string]any:
		o := members{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			o = append(o, member{name, treeOf(v[name])})
		}
		return o
	case []any:
		list := []any{}
		for _, one := range v {
			list = append(list, treeOf(one))
		}
		return list
	}
	return value
}

func appendTree(dst []byte, value any) []byte {
	switch v := value.(type) {
	case members:
		dst = append(dst, '{')
		for i, m := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendTree(dst, m.name), ':')
			dst = appendTree(dst, m.value)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, one := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendTree(dst, one)
		}
		return append(dst, ']')
	case raw:
		return append(dst, v...)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, text...)
}

// value makes a value that the schema allows.
func (g *gun) value(s *openapi3.Schema, depth int) any {
	switch {
	case len(s.Enum) > 0:
		return pick(g, s.Enum)
	case s.Const != nil:
		return s.Const
	case len(s.Examples) > 0 && g.once(2):
		return treeOf(pick(g, s.Examples))
	case s.Example != nil && g.once(2):
		return treeOf(s.Example)
	}
	for _, choice := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf} {
		if len(choice) > 0 {
			return g.value(pick(g, choice).Value, depth)
		}
	}
	var all members
	for _, part := range s.AllOf {
		if o, ok := g.value(part.Value, depth).(members); ok {
			all = append(all, o...)
		}
	}
	if s.Type == nil {
		return all
	}
	switch kind := pick(g, s.Type.Slice()); kind {
	case "null":
		return nil
	case "boolean":
		return g.once(2)
	case "integer", "number":
		return g.number(s, kind)
	case "string":
		return g.string(s)
	case "array":
		return g.list(s, depth)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) || depth < 4 && g.once(2) {
			all = append(all, member{name, g.value(s.Properties[name].Value, depth+1)})
		}
	}
	return all
}

// number makes a number within the bounds, often one of them.
func (g *gun) number(s *openapi3.Schema, kind string) any {
	low, high := 0.0, 100.0
	if s.Min != nil {
		low, high = *s.Min, *s.Min+100
	}
	if s.Max != nil {
		high = *s.Max
	}
	switch {
	case g.once(4):
		return raw(strconv.FormatFloat(low, 'f', -1, 64))
	case s.Max != nil && g.once(4):
		return raw(strconv.FormatFloat(high, 'f', -1, 64))
	case kind == "number":
		return raw(strconv.FormatFloat(low+float64(g.IntN(100))/4, 'f', -1, 64))
	}
	return int64(low) + g.Int64N(max(1, min(int64(high-low), 5)))
}

// string makes a text of the format, of a length that is allowed.
func (g *gun) string(s *openapi3.Schema) string {
	switch {
	case s.Format == "date-time":
		return pick(g, moments)
	case s.Format == "date":
		return "2026-01-02"
	case s.Format == "email":
		return pick(g, []string{"new@example.com", "owner@example.com", "Ünï@example.com", strings.Repeat("a", 64) + "@example.com"})
	case s.Format == "uri":
		return "https://example.com/a?b=c#d"
	case strings.HasPrefix(s.Pattern, "^[a-z0-9]"):
		return pick(g, []string{"history", "new-slug", "a"})
	case strings.HasPrefix(s.Pattern, "^[A-Z]"):
		return pick(g, []string{"USD", "EUR", "JPY", "KWD", "XXX"})
	case s.Pattern != "":
		return "correct horse " + strconv.Itoa(g.IntN(100))
	case strings.Contains(s.Description, "RFC 3339") && g.once(2):
		return pick(g, moments)
	}
	text := []rune(pick(g, texts))
	if s.MaxLength != nil && (uint64(len(text)) > *s.MaxLength || g.once(10)) {
		text = []rune(strings.Repeat("é", int(min(*s.MaxLength, 20000))))
	}
	for uint64(len(text)) < s.MinLength {
		text = append(text, 'x')
	}
	return string(text)
}

func (g *gun) list(s *openapi3.Schema, depth int) any {
	n := int(s.MinItems) + g.IntN(3)
	if s.MaxItems != nil {
		n = min(n, int(*s.MaxItems))
	}
	list := []any{}
	for range n {
		if one := g.value(s.Items.Value, depth+1); !s.UniqueItems || !contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

func contains(list []any, one any) bool {
	return slices.ContainsFunc(list, func(other any) bool { return plain(other) == plain(one) })
}

// related has references lead to rows that are there, mostly.
func (g *gun) related(value any) any {
	rows := map[string]string{
		"product_id": "products", "post_id": "posts", "order_id": "orders", "author_id": "users", "user_id": "users", "category_id": "Category",
	}
	switch v := value.(type) {
	case members:
		for i, m := range v {
			if row := rows[m.name]; row != "" && m.value != nil && !g.once(5) {
				v[i].value = raw(g.Rows[row])
			} else {
				v[i].value = g.related(m.value)
			}
		}
	case []any:
		for i := range v {
			v[i] = g.related(v[i])
		}
	}
	return value
}
