package openapi

import (
	"strconv"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// mostEnds is how many rows a request can attach and detach (package write).
const mostEnds = 100

// addEdgePaths adds the operations that attach rows and detach them.
func addEdgePaths(paths, components *node, calls []*model.Call) {
	for _, c := range calls {
		if paths.at(c.Path) == nil {
			paths.set(c.Path, obj())
		}
		paths.at(c.Path).set(c.Method, edgeOperation(c, components))
	}
}

func edgeOperation(c *model.Call, components *node) *node {
	one, of := naming.Words(c.Edge.One()), naming.Words(c.Entity.Singular)
	parameters := arr(idParameter(c.Entity, c.ID1), idParameter(c.Edge.To, c.ID2), ref("parameters", "IfMatch"))
	responses := obj()
	description := "Attaches the " + one + " to the " + of + ". The same callers may as for a change of the " + of + ", whose version moves with it. " +
		"Where it is attached already, nothing changes and the answer is 200. `If-Match` is about the " + of + "."
	if c.Op == expose.Attach {
		parameters = append(parameters, shapeRefs(c, components.at("parameters"))...)
		for _, answer := range [][2]string{{"200", "The " + of + ", to which the " + one + " was attached already."}, {"201", "The " + of + " with its present values."}} {
			responses.set(answer[0], success(answer[1],
				obj("ETag", ref("headers", "ETag"), "Last-Modified", ref("headers", "LastModified")),
				ref("schemas", responseName(c.Entity)), itemExample(entityExample(c.Entity, components.at("schemas")))))
		}
	} else {
		description = "Detaches the " + one + " from the " + of + ". The same callers may as for a change of the " + of + ", whose version moves with it. " +
			"Where it is not attached, nothing changes and the answer is 204 as well. `If-Match` is about the " + of + "."
		responses.set("204", obj("description", "The "+one+" is not attached to the "+of+"."))
	}
	for _, status := range []int{400, 401, 403, 404, 406, 409, 412, 413, 414, 415, 429, 431, 500, 503} {
		responses.set(strconv.Itoa(status), ref("responses", failureNames[status]))
	}
	return pathsEnded(obj(
		"operationId", c.ID, "tags", arr(c.Tag), "summary", c.Summary, "description", description,
		"x-ogen-operation-group", c.Entity.Plural(), generated, true,
		"parameters", parameters, "responses", responses,
	), c)
}

// addEdgeIDs adds the members of a body that list what is attached.
func addEdgeIDs(c *model.Call, properties *node) {
	for _, edge := range c.Entity.NamedAttached() {
		ids := obj("type", "array", "items", identifies(kindSchema(edge.To.Fields[0]), edge.To.Name), "maxItems", mostEnds)
		says := edge.Comment + " Their ids, of rows that the caller can read: others stay attached."
		if c.Op != expose.Patch {
			ids.set("default", arr())
		}
		properties.set(edge.IDs(), edgeEnded(described(ids, says), edge))
	}
}

// addEdgeFilters adds the parameters by which listings are filtered over edges
// to many.
func addEdgeFilters(e *model.Entity, p *node) {
	for _, edge := range filteredEdges(e) {
		end := edge.To.Fields[0]
		if edge.To.KeyField != nil {
			end = edge.To.KeyField
		}
		p.set(e.Name+"."+edge.Name, commaList(edgeEnded(query(edge.Name, nil,
			"Only what has one of these among its "+naming.Words(edge.Name)+", 100 at most. What the caller can't read counts as absent."), edge), names(kindSchema(end), end)))
	}
}

func filteredEdges(e *model.Entity) (edges []*model.Edge) {
	for _, edge := range e.NamedEdges() {
		if edge.Filter && !edge.Type.Unique {
			edges = append(edges, edge)
		}
	}
	return edges
}
