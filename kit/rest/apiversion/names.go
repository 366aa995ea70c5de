package apiversion

import (
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
)

// Names are how names are written.
type Names uint8

// The names.
const (
	Snake Names = iota // created_at
	Camel              // createdAt
)

// Word is a name of the API's own, or a path of such names: "include_deleted",
// "filters.created_after".
func (n Names) Word(name string) string {
	if n == Snake {
		return name
	}
	return camel(name)
}

// AsGraphQL reports whether fields have the names that GraphQL has for them.
func (n Names) AsGraphQL() bool { return n == Camel }

// Field is the name of a field: in camelCase the one that GraphQL has.
func (n Names) Field(f *entity.Field) string {
	switch {
	case n == Snake:
		return f.REST
	case len(f.GraphQL) > 0 && f.REST != "":
		return f.GraphQL[0]
	}
	return camel(f.REST)
}

// Edge is the name of an edge.
func (n Names) Edge(g *entity.Edge) string { return n.Word(g.Name) }

// Member is the name of a member of a list's objects.
func (n Names) Member(m entity.Member) string {
	if n == Snake || m.GraphQL == "" {
		return n.Word(m.Name)
	}
	return m.GraphQL
}

// camel is a text in which names in snake_case are in camelCase.
func camel(text string) string {
	if strings.IndexByte(text, '_') < 0 {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '_' && len(b) > 0 && i+1 < len(text) && letter(text[i+1]) && letter(b[len(b)-1]) {
			i++
			b = append(b, text[i]&^0x20)
			continue
		}
		b = append(b, text[i])
	}
	return string(b)
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
