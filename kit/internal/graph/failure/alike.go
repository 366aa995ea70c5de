package failure

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Most is how many errors a response lists, and one more that counts the others.
// An error that differs from those before it in more than its place in a list is
// always listed, so that none of another field is lost among a thousand rows.
const Most = 100

// Alike lists the errors of fields. A fault of a field's arguments is listed once,
// with the number of rows that it is the same in. The zero value has listed none.
type Alike struct {
	listed, omitted int
	seen            map[string]*seen
}

// seen counts errors that are alike.
type seen struct {
	times int
	shown *gqlerror.Error
}

// Listed reports whether the error is one of those that are listed. [Alike.Note]
// records how it is shown.
func (a *Alike) Listed(err error, path ast.Path) bool {
	if a.seen == nil {
		a.seen = map[string]*seen{}
	}
	key := alikeKey(err.Error(), path)
	of := a.seen[key]
	if of == nil {
		of = &seen{}
		a.seen[key] = of
	}
	of.times++
	place, ok := errors.AsType[positioned](err)
	switch {
	case of.times == 1:
		a.listed++
		return true
	case ok && place.argument:
		of.shown.Extensions[moreName] = of.times - 1
		return false
	case a.listed < Most:
		a.listed++
		return true
	}
	a.omitted++
	return false
}

// Note remembers how an error is shown that is listed.
func (a *Alike) Note(err error, shown *gqlerror.Error) {
	a.seen[alikeKey(err.Error(), shown.Path)].shown = shown
}

// Omitted is how many errors are not listed.
func (a *Alike) Omitted() int { return a.omitted }

// Listing returns the errors that a response lists, with one that counts those that
// it does not: of these so many are no longer in the list.
func Listing(errs gqlerror.List, omitted int) gqlerror.List {
	if len(errs) > Most {
		known := map[string]bool{}
		kept := make(gqlerror.List, 0, Most+1)
		for _, err := range errs {
			key := alikeKey(err.Message, err.Path)
			if len(kept) < Most || !known[key] {
				kept = append(kept, err)
			} else {
				omitted++
			}
			known[key] = true
		}
		errs = kept
	}
	if omitted == 0 {
		return errs
	}
	return append(errs, More(omitted, "they say the same of other rows"))
}

// More is the error that counts those that are not listed, and says of what they are.
func More(omitted int, of string) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf("%d more errors are not listed: %s", omitted, of),
		Extensions: map[string]any{"code": "MORE_ERRORS", moreName: omitted},
	}
}

// moreName is the extension that counts errors that are not listed.
const moreName = "more"

// alikeKey is the error and its path without the places in lists.
func alikeKey(message string, path ast.Path) string {
	var key strings.Builder
	for _, step := range path {
		if name, ok := step.(ast.PathName); ok {
			key.WriteString(string(name) + ".")
		}
	}
	key.WriteString(message)
	return key.String()
}
