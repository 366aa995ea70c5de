package openapi

import (
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/gen/openapi"
)

// marked are the extensions of the document by which other versions of the API
// are derived from it: lists of JSON pointers by the extension and its value.
// They stand beside the document, which says no more for them.
func marked(document *node) *node {
	marks := obj()
	for _, extension := range []string{openapi.Entity, openapi.Noun, openapi.Named} {
		marks.set(extension, obj())
	}
	pointers(document, "", func(pointer string, o *node) {
		for _, m := range marks.members {
			if value := o.text(m.name); value != "" {
				of := m.value.(*node)
				list, _ := of.get(value).([]any)
				of.set(value, append(list, pointer))
			}
		}
	})
	return marks
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// pointers calls visit for every object in the value, with the JSON pointer to it.
func pointers(value any, at string, visit func(pointer string, o *node)) {
	switch v := value.(type) {
	case *node:
		visit(at, v)
		for _, m := range v.members {
			pointers(m.value, at+"/"+pointerEscape.Replace(m.name), visit)
		}
	case []any:
		for i, element := range v {
			pointers(element, at+"/"+strconv.Itoa(i), visit)
		}
	}
}
