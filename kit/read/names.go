package read

import (
	"net/url"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// Names are how a version of REST names what is read, and how it writes ids.
// Nil is the first version: the names of the schema and ids that are integers.
// Names are compared by their address, and selections are kept for each.
type Names struct {
	// Field, Edge, Member and Word are the names of a field, of an edge, of a
	// member of a list's objects, and of a word of the API's own, such as a
	// parameter: "include_deleted". All are required.
	Field  func(*entity.Field) string
	Edge   func(*entity.Edge) string
	Member func(entity.Member) string
	Word   func(string) string
	// Shown, if there is one, returns the function that turns the JSON of a field's
	// value into the shown form, nil for a field that is shown unchanged.
	Shown func(*entity.Field) Turn
	// Renamed, if it is set, reports whether the version has no field with the first
	// version's name.
	Renamed func(*entity.Field) bool
	// Text, if there is one, turns the text of a value of the field in a parameter
	// into what the first version has for it. Of an id it says whose: of is the
	// entity's GraphQL type.
	Text func(of string, f *entity.Field, text string) (string, error)
	// Global writes ids as global ids.
	Global bool
	// Base is where the paths of the version begin: "/api/v2".
	Base string
}

// Turn appends to dst what is shown of a value, which is JSON.
type Turn = func(dst, value []byte) []byte

// NameOf is the version's name of the field.
func (n *Names) NameOf(f *entity.Field) string {
	if n == nil {
		return f.REST
	}
	return n.Field(f)
}

// NameOfEdge is the version's name of an edge.
func (n *Names) NameOfEdge(g *entity.Edge) string {
	if n == nil {
		return g.Name
	}
	return n.Edge(g)
}

// NameOfMember is the version's name of a member of a list's objects.
func (n *Names) NameOfMember(m entity.Member) string {
	if n == nil {
		return m.Name
	}
	return n.Member(m)
}

// NameOfWord is the version's form of a word of the API's own, such as a parameter.
func (n *Names) NameOfWord(word string) string {
	if n == nil {
		return word
	}
	return n.Word(word)
}

// base is where the paths of the version begin.
func (n *Names) base() string {
	if n == nil || n.Base == "" {
		return expose.LinkBase
	}
	return n.Base
}

// Links say which version of REST the paths in GraphQL are of, where no request names
// one. Nil is the first version.
type Links struct {
	// Names returns those of the version. It is asked for each path: a version may end
	// while the process runs.
	Names func() *Names
}

func (l *Links) names() *Names {
	if l == nil {
		return nil
	}
	return l.Names()
}

// Row is the path of a row.
func (l *Links) Row(e *entity.Entity, id gid.ID) string {
	n := l.names()
	return n.base() + "/" + e.Path + "/" + url.PathEscape(n.Segment(e, id))
}

func (n *Names) global() bool { return n != nil && n.Global }

func (n *Names) shown(f *entity.Field) Turn {
	if n == nil || n.Shown == nil {
		return nil
	}
	return n.Shown(f)
}

// Segment is the text of a row's id in a path.
func (n *Names) Segment(e *entity.Entity, id gid.ID) string {
	return string(appendSegment(nil, n.global(), e, id))
}

func appendSegment(dst []byte, global bool, e *entity.Entity, id gid.ID) []byte {
	if global {
		return id.AppendGlobal(dst, e.Name)
	}
	return id.Append(dst)
}

// list is the path of the rows that an edge leads to from the row, below the base.
func (n *Names) list(g *entity.Edge, e *entity.Entity, id gid.ID) string {
	path, query, filtered := strings.Cut(g.List, "?")
	if filtered {
		name, value, _ := strings.Cut(query, "=")
		path += "?" + n.NameOfWord(name) + "=" + value
	}
	return strings.Replace(path, "{id}", n.Segment(e, id), 1)
}
