package failure

import (
	"errors"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxAlike is how many errors are listed that differ in their place in a list
// alone: the field that a caller may not see is refused in each of a hundred
// rows. One is of arguments: they are the document's, and the same for all rows.
func maxAlike(err error) int {
	if place, ok := errors.AsType[positioned](err); ok && place.argument {
		return 1
	}
	return 10
}

// moreName is the extension that says how many others there are like an error.
const moreName = "more"

// Alike counts errors that say the same of the same field. The zero value has
// counted none.
type Alike struct {
	listed map[string]int
	last   map[string]*gqlerror.Error
}

// Listed reports whether the error is one of those that are listed. One that is
// not is counted by the last that is, which [Alike.Note] has been told of.
func (a *Alike) Listed(err error, path ast.Path) bool {
	key, most := alikeKey(err, path), maxAlike(err)
	if a.listed == nil {
		a.listed, a.last = map[string]int{}, map[string]*gqlerror.Error{}
	}
	if a.listed[key]++; a.listed[key] <= most {
		return true
	}
	if last := a.last[key]; last != nil {
		last.Extensions[moreName] = a.listed[key] - most
	}
	return false
}

// Note remembers how an error is shown that is listed.
func (a *Alike) Note(err error, shown *gqlerror.Error) { a.last[alikeKey(err, shown.Path)] = shown }

// alikeKey is the error and its path without the places in lists.
func alikeKey(err error, path ast.Path) string {
	var key strings.Builder
	for _, step := range path {
		if name, ok := step.(ast.PathName); ok {
			key.WriteString(string(name) + ".")
		}
	}
	key.WriteString(err.Error())
	return key.String()
}
