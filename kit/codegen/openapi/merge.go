package openapi

import (
	"fmt"
	"slices"
	"strings"
)

// answered says of an operation that does not follow from the schema who answers it.
const (
	answered = "x-entwine-answered"
	byHand   = "by hand"
	byKit    = "by the kit"
)

// merge adds a document to the generated one, whose operations are answered by hand
// or by the kit. A name that exists already is refused, not replaced. A schema with
// x-adds adds properties to it, an operation with x-adds answers.
func (r *contract) merge(source []byte, by string) error {
	more, err := parseYAML(source)
	if err != nil {
		return err
	}
	for _, m := range more.members {
		switch m.name {
		case "tags":
			tags, _ := m.value.([]any)
			r.document.set("tags", append(r.document.get("tags").([]any), tags...))
		case "paths":
			err = r.mergePaths(asNode(m.value), by)
		case "components":
			err = mergeComponents(r.document.at("components"), asNode(m.value))
		default:
			err = fmt.Errorf("%q: tags, paths and components are allowed", m.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func asNode(value any) *node {
	if o, ok := value.(*node); ok && o != nil {
		return o
	}
	return obj()
}

func mergeComponents(into, from *node) error {
	for _, kind := range from.members {
		if into.get(kind.name) == nil {
			into.set(kind.name, obj())
		}
		for _, m := range asNode(kind.value).members {
			if generated := into.at(kind.name, m.name); generated != nil && asNode(m.value).get(adds) == true {
				if err := addProperties(generated, asNode(m.value)); err != nil {
					return fmt.Errorf("components.%s.%s: %w", kind.name, m.name, err)
				}
				continue
			}
			if into.at(kind.name).get(m.name) != nil {
				return fmt.Errorf("components.%s.%s: is generated already", kind.name, m.name)
			}
			into.at(kind.name).set(m.name, m.value)
		}
	}
	return nil
}

// adds marks a hand-written schema whose properties are added to a generated one.
const adds = "x-adds"

func addProperties(into, from *node) error {
	for _, m := range from.at("properties").members {
		if into.at("properties").get(m.name) != nil {
			return fmt.Errorf("properties.%s: is generated already", m.name)
		}
		into.at("properties").set(m.name, m.value)
	}
	return nil
}

// anything is the media type of a file that may be of any.
const anything = "*/*"

// addAnswers adds to a generated operation what it answers beside, and says in the
// words of its author what it does. A file that may be of any media type is of
// those that the author names.
func addAnswers(into, from *node) {
	for _, name := range []string{"summary", "description"} {
		if text := from.text(name); text != "" {
			into.set(name, text)
		}
	}
	for _, m := range asNode(from.get("responses")).members {
		responses := into.at("responses")
		if content := responses.at(m.name, "content"); content != nil { // one more media type
			content.drop(anything)
			for _, more := range asNode(m.value).at("content").members {
				content.set(more.name, more.value)
			}
			continue
		}
		responses.set(m.name, m.value)
	}
}

func (r *contract) mergePaths(from *node, by string) error {
	paths := r.document.at("paths")
	ids := operationIDs(paths, r.handled)
	for _, path := range from.members {
		for _, method := range asNode(path.value).members {
			at := strings.ToUpper(method.name) + " " + path.name
			if !slices.Contains(httpMethods, method.name) {
				return fmt.Errorf("%s: %s are allowed", at, strings.Join(httpMethods, ", "))
			}
			if generated := paths.at(path.name, method.name); generated != nil && asNode(method.value).get(adds) == true {
				addAnswers(generated, asNode(method.value))
				continue
			}
			if asNode(method.value).get(handled) == true {
				if err := r.addHandled(path.name, method.name, asNode(method.value), ids); err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
				continue
			}
			if paths.get(path.name) == nil {
				paths.set(path.name, obj())
			}
			if paths.at(path.name).get(method.name) != nil {
				return fmt.Errorf("%s: is generated already; leave it out of the schema's operations", at)
			}
			op := asNode(method.value)
			if err := checkOperation(op, ids); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			op.set(answered, by)
			r.addFailures(op, path.name, method.name)
			paths.at(path.name).set(method.name, op)
		}
	}
	return nil
}

var httpMethods = []string{"get", "put", "post", "patch", "delete", "head"}

// checkOperation demands what every operation of the document has.
func checkOperation(op *node, ids map[string]bool) error {
	id := op.text("operationId")
	if id == "" {
		return fmt.Errorf("operationId is missing")
	}
	if ids[id] {
		return fmt.Errorf("operationId %q is there twice", id)
	}
	ids[id] = true
	for _, name := range []string{"summary", "description"} {
		if op.text(name) == "" {
			return fmt.Errorf("%s: %s is missing", id, name)
		}
	}
	tags, _ := op.get("tags").([]any)
	if len(tags) != 1 {
		return fmt.Errorf("%s: one tag is expected", id)
	}
	if op.at("responses") == nil {
		return fmt.Errorf("%s: responses are missing", id)
	}
	if op.get("x-ogen-operation-group") == nil {
		op.set("x-ogen-operation-group", tags[0])
	}
	return nil
}

func operationIDs(all ...*node) map[string]bool {
	ids := map[string]bool{}
	for _, paths := range all {
		eachOperation(paths, func(_, _ string, op *node) { ids[op.text("operationId")] = true })
	}
	return ids
}

// eachOperation calls visit for every operation of the paths.
func eachOperation(paths *node, visit func(path, method string, op *node)) {
	for _, path := range paths.members {
		for _, method := range path.value.(*node).members {
			if op, ok := method.value.(*node); ok && slices.Contains(httpMethods, method.name) {
				visit(path.name, method.name, op)
			}
		}
	}
}
