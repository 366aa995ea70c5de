// Package openapi holds what a server knows of its OpenAPI document without
// reading it: the rows of the table of operations that is generated beside the
// document, and the document compressed. It leans on dates alone, so that a
// program which uses the table links no server.
package openapi

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/lifecycle"
)

// Operation is an operation of the document. HEAD is as GET.
type Operation struct {
	// Method and Path are in lower case and as in the document.
	Method, Path string
	// Body is set where the operation takes a body.
	Body bool
	// Takes are the media types of a body that is not JSON, and that the handler reads
	// by itself.
	Takes []string
	// Declared is set where the operation follows from the schema. Its handler speaks
	// every version; the others speak the first one, and are translated.
	Declared bool
	// Parsed is set where the handler refuses unknown query parameters itself;
	// elsewhere, and where it is not nil, Query lists those there are.
	Parsed bool
	Query  []string
	// Noun names the thing in its answer, where the path does not.
	Noun string
	// Keyed is set where the operation takes an Idempotency-Key.
	Keyed bool
	// Produces are the media types of successes, the preferred one first.
	Produces []string
	// Media lists what it answers with, where that is not JSON: it is never
	// turned into anything else.
	Media []string
	// IDs lists the parameters of the path that are ids, and Entities whose: the
	// GraphQL type of each.
	IDs, Entities []string
	// Ending is set where the operation is deprecated, and Ends are the parts of
	// requests that are.
	Ending *lifecycle.Ending
	Ends   []Part
	// Was are the paths at which it was before, and may be asked for until these end.
	Was []Former
}

// Former is a path that an operation had before.
type Former struct {
	Path string
	*lifecycle.Ending
}

// The extensions by which other versions of the API are derived from the
// document. The published document is without them: they are in its [Marks].
const (
	// Entity names an entity by its GraphQL type. In a schema of a value it marks the
	// id of a row of the entity, in one of an object, and in a parameter, the entity's
	// fields. [AnyEntity] is any of them.
	Entity = "x-entity"
	// Noun names the rows of a list with rows of several entities.
	Noun = "x-noun"
	// Named says of the schema of a text that it is a name, as in "profile.avatar".
	Named = "x-named"

	AnyEntity = "*"
)

// Marks are the extensions of a document: JSON pointers by the extension and its
// value.
type Marks map[string]map[string][]string

// Of is the entity that the parameter at the place in IDs is an id of, empty
// where that is not known.
func (o *Operation) Of(i int) string {
	if i < len(o.Entities) {
		return o.Entities[i]
	}
	return ""
}

// Place is where a request names a part.
type Place int

// The places.
const (
	InBody  Place = iota // a member: "users.email" in any item of the list
	InQuery              // a parameter
	InList               // an item of a parameter that is a list: fields=title
)

// Part is a part of requests that ends.
type Part struct {
	In   Place
	Name string
	// List is the parameter of an item.
	List string
	// Value is the one that ends, empty where all do.
	Value string
	// Of is the field that it is about: "Post.title".
	Of string
	*lifecycle.Ending
}

// Field is the part as errors name it.
func (p Part) Field() string {
	if p.In == InList {
		return p.List
	}
	return p.Name
}

// PathValue returns the value that a path of the operation gives a parameter.
func (o *Operation) PathValue(path, parameter string) string {
	segments := strings.Split(path, "/")
	i := slices.Index(strings.Split(o.Path, "/"), "{"+parameter+"}")
	if i < 0 || i >= len(segments) {
		return ""
	}
	return segments[i]
}
