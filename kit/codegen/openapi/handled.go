package openapi

import (
	"fmt"
	"slices"
	"strings"
)

// handled says of an operation of rest/*.yaml that an http.Handler of app.Parts answers
// it, at its path as it stands: below no version of REST. It is in the document, and in
// no table, server or client that is made of it, for its handler reads the request and
// writes the answer itself.
const handled = "x-handler"

// besideVersions is the server of such an operation.
const besideVersions = "/"

// addHandled takes an operation of a handler, which is added to the document when that is
// published. Its content is the same in every version, so that it has its schemas in
// itself.
func (r *contract) addHandled(path, method string, op *node, ids map[string]bool) error {
	if err := checkOperation(op, ids); err != nil {
		return err
	}
	if method == "head" {
		return fmt.Errorf("%s: its handler answers HEAD as it does GET", handled)
	}
	if strings.Contains(path, "_") && idInPath(path) {
		return fmt.Errorf("%s: a parameter of its path is one word, for its handler knows one name of it", handled)
	}
	var shared string
	walk(op, func(o *node) {
		if name := o.text("$ref"); strings.HasPrefix(name, "#/components/schemas/") {
			shared = name
		}
	})
	if shared != "" {
		return fmt.Errorf("%s: the schema stands in the operation, not at %s, which each version has its names in", handled, shared)
	}
	r.addFailures(op.set(reads, true), path, method) // it takes no Idempotency-Key
	op.set("servers", arr(obj("url", besideVersions, "description", "Beside the versions.")))
	if r.handled.get(path) == nil {
		r.handled.set(path, obj())
	}
	r.handled.at(path).set(method, op)
	return nil
}

// publishHandled adds the operations of handlers to the document.
func (r *contract) publishHandled(published *node) {
	paths := published.at("paths")
	for _, path := range clone(r.handled).members {
		if paths.get(path.name) == nil {
			paths.set(path.name, path.value)
			continue
		}
		for _, method := range path.value.(*node).members {
			paths.at(path.name).set(method.name, method.value)
		}
	}
	slices.SortStableFunc(paths.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
}

// dropHandled leaves out what is beside the versions: a client has one base URL.
func dropHandled(d *node) {
	paths := obj()
	eachOperation(d.at("paths"), func(path, method string, op *node) {
		if op.get("servers") != nil {
			return
		}
		if paths.get(path) == nil {
			paths.set(path, obj())
		}
		paths.at(path).set(method, op)
	})
	d.set("paths", paths)
}

// handledRow is an operation of a handler in the generated table.
type handledRow struct{ ID, Path string }

func (r *contract) handledRows() (rows []handledRow) {
	eachOperation(r.handled, func(path, _ string, op *node) {
		rows = append(rows, handledRow{op.text("operationId"), path})
	})
	return rows
}
